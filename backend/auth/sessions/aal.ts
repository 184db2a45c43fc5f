import type { Query } from '#backend/database/database.ts';
import type { AuthContext } from '../context.ts';
import { AuthError } from '../errors.ts';
import { factorsOf, lacksSecondStep } from '../factors.ts';
import { type UserRow, userById } from '../users.ts';
import {
  issueRefreshToken,
  lockSession,
  type Method,
  type SessionRow,
  type TokenResponse,
  tokenResponse,
} from './sessions.ts';

/**
 * A person who has set up a second step takes it before they change how they sign in or are reached;
 * otherwise a stranger with their password, or with access to their mail, could undo the second step.
 *
 * @param what the change they want to make, for the message
 * @throws AuthError insufficient_aal
 */
export async function requireSecondStep(
  query: Query,
  session: SessionRow,
  what: string,
  status: 401 | 403 | 422 = 403,
): Promise<void> {
  if (!lacksSecondStep(session.aal, await factorsOf(query, session.user_id))) return;
  throw new AuthError('insufficient_aal', `AAL2 ${what}`, { status });
}

/**
 * Lifts a session to aal2 with a new pair of tokens. Sessions of the same person that have not taken the
 * second step end: one of them may be the reason it was set up.
 */
export async function upgradeSession(
  query: Query,
  auth: AuthContext,
  user: UserRow,
  session: SessionRow,
  method: Method,
  factorId: string,
): Promise<TokenResponse> {
  await lockSession(query, auth, session.id);
  await query(
    `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
     values (gen_random_uuid(), $1, clock_timestamp(), clock_timestamp(), $2)
     on conflict (session_id, authentication_method) do update set updated_at = clock_timestamp()`,
    [session.id, method],
  );
  await query(`update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = now() where id = $1`, [
    session.id,
    factorId,
  ]);
  await query(`delete from auth.sessions where user_id = $1 and aal is distinct from 'aal2'`, [user.id]);
  const { rows } = await query<{ token: string }>(
    `update auth.refresh_tokens set revoked = true, updated_at = now() where session_id = $1 and not revoked
     returning token`,
    [session.id],
  );
  const refreshToken = await issueRefreshToken(query, session, rows.at(-1)?.token ?? null);
  const present = (await userById(query, user.id)) ?? user;
  return tokenResponse(query, auth, present, { ...session, aal: 'aal2' }, refreshToken);
}

/**
 * Takes the second step away from the sessions that took it with a factor that has been removed.
 *
 * @param but the session that may keep it
 */
export async function downgradeSessions(
  query: Query,
  userId: string,
  factorId: string,
  but?: string,
): Promise<void> {
  await query(
    `with lowered as (
       update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now()
       where user_id = $1 and factor_id = $2 and id is distinct from $3 returning id
     )
     delete from auth.mfa_amr_claims
     where session_id in (select id from lowered) and authentication_method in ('totp', 'mfa/webauthn', 'mfa/recovery_code')`,
    [userId, factorId, but ?? null],
  );
}
