import { z } from 'zod';
import type { Query } from '../../database/database.ts';
import { clientAddress } from '../../http/client-address.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthHandler, field, readBody } from '../context.ts';
import { AuthError, OAuthError } from '../errors.ts';
import { issueRefreshToken, lockSession, type SessionRow, tokenResponse } from '../sessions/sessions.ts';
import { refuseBanned, userById } from '../users.ts';

const body = z.object({ refresh_token: field.text });

interface RefreshToken {
  id: string;
  token: string;
  parent: string | null;
  revoked: boolean;
  session_id: string;
  /** Whether the token was replaced so recently that a second tab may still hold it. */
  reusable: boolean;
}

/** POST /token?grant_type=refresh_token: every use gives a new token and revokes the old one. */
export const refreshSession: AuthHandler = async (context, auth) => {
  await auth.rateLimits.refresh(context);
  const { refresh_token: given } = await readBody(context, body);
  if (!given) throw new OAuthError('invalid_request', 'refresh_token required');
  const interval = auth.config.auth.refresh_token_reuse_interval;

  const answer = await auth.authDatabase.transaction(async (query) => {
    const found = await findRefreshToken(query, given, interval);
    if (!found) throw notFound();
    const session = await lockSession(query, auth, found.session_id);
    const user = await userById(query, session.user_id);
    if (!user) throw notFound();
    refuseBanned(user);
    // The token is read again: another request may have used it while this one waited for the session.
    const current = await findRefreshToken(query, given, interval);
    if (!current) throw notFound();

    const next = current.revoked
      ? await reuse(query, session, current)
      : await replace(query, session, current);
    if (!next) {
      await revokeFamily(query, session);
      await recordAuditEvent(query, auth, context, 'token_revoked', user);
      return undefined;
    }
    await query(
      `update auth.sessions set refreshed_at = now() at time zone 'utc', updated_at = now(), ip = coalesce($2, ip)
       where id = $1`,
      [session.id, clientAddress(context, auth.config.trustProxy) ?? null],
    );
    await recordAuditEvent(query, auth, context, 'token_refreshed', user);
    return tokenResponse(query, auth, user, session, next);
  });
  // Thrown outside the transaction, since the revocation must be kept.
  if (!answer) throw new AuthError('refresh_token_already_used', 'Invalid Refresh Token: Already Used');
  return context.json(answer);
};

const notFound = () =>
  new AuthError('refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');

async function findRefreshToken(
  query: Query,
  token: string,
  interval: number,
): Promise<RefreshToken | undefined> {
  const { rows } = await query<RefreshToken>(
    `select id, token, parent, revoked, session_id, updated_at + make_interval(secs => $2) > now() as reusable
     from auth.refresh_tokens where token = $1 and session_id is not null`,
    [token, interval],
  );
  return rows[0];
}

async function replace(query: Query, session: SessionRow, token: RefreshToken): Promise<string> {
  await query('update auth.refresh_tokens set revoked = true, updated_at = now() where id = $1', [token.id]);
  return issueRefreshToken(query, session, token.token);
}

/**
 * A revoked token leads to its successor when the response that carried it may have been lost, and for a
 * moment after. It starts no second chain of tokens: each of those would excuse the token it came from for
 * ever.
 */
async function reuse(query: Query, session: SessionRow, token: RefreshToken): Promise<string | undefined> {
  const { rows } = await query<{ token: string; parent: string | null }>(
    'select token, parent from auth.refresh_tokens where session_id = $1 and not revoked order by id desc limit 1',
    [session.id],
  );
  const [active] = rows;
  return active && (active.parent === token.token || token.reusable) ? active.token : undefined;
}

/** Either a token that comes back late or its successor was stolen: the whole session ends. */
async function revokeFamily(query: Query, session: SessionRow): Promise<void> {
  await query(
    'update auth.refresh_tokens set revoked = true, updated_at = now() where session_id = $1 and not revoked',
    [session.id],
  );
}
