import type { Context } from 'hono';
import type { JWTPayload } from 'jose';
import { bearerOf } from '#backend/caller.ts';
import type { Env } from '#backend/context.ts';
import { InvalidToken } from '#backend/crypto/tokens.ts';
import type { Query } from '#backend/database/database.ts';
import { isUuid } from '#backend/uuid.ts';
import type { AuthContext } from '../context.ts';
import { AuthError } from '../errors.ts';
import { type UserRow, userById } from '../users.ts';
import type { SessionRow } from './sessions.ts';

/** @throws AuthError no_authorization or bad_jwt */
async function claimsOf(context: Context<Env>, auth: AuthContext): Promise<JWTPayload> {
  const token = bearerOf(context.req.header('authorization'));
  if (!token) throw new AuthError('no_authorization', 'This endpoint requires a valid Bearer token');
  try {
    return await auth.keys.verify(token);
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    throw new AuthError('bad_jwt', `invalid JWT: unable to parse or verify signature, ${error.message}`, {
      cause: error,
    });
  }
}

/**
 * The caller, with a session that still exists: a token outlives a sign-out, its session does not.
 *
 * @param read `lockUser` where a way to sign in or to be reached is changed: what was checked before a body or another server was
 * waited for may be over
 * @throws AuthError no_authorization, bad_jwt, user_not_found or session_not_found
 */
export async function requireSession(
  context: Context<Env>,
  auth: AuthContext,
  query: Query,
  read = userById,
): Promise<{ user: UserRow; session: SessionRow }> {
  const claims = await claimsOf(context, auth);
  if (!isUuid(claims.sub)) throw new AuthError('bad_jwt', 'invalid claim: missing sub claim');
  const user = await read(query, claims.sub);
  if (!user)
    throw new AuthError('user_not_found', 'User from sub claim in JWT does not exist', { status: 403 });
  return { user, session: await sessionOf(query, user, claims.session_id) };
}

/** @throws AuthError session_not_found, also for the session of another user */
export async function sessionOf(query: Query, user: UserRow, id: unknown): Promise<SessionRow> {
  const { rows } = isUuid(id)
    ? await query<SessionRow>(
        'select id, user_id, created_at, aal, not_after from auth.sessions where id = $1 and user_id = $2',
        [id, user.id],
      )
    : { rows: [] };
  const [session] = rows;
  if (!session)
    throw new AuthError('session_not_found', 'Session from session_id claim in JWT does not exist');
  return session;
}

/** @throws AuthError no_authorization, bad_jwt or not_admin */
export async function requireServiceRole(context: Context<Env>, auth: AuthContext): Promise<void> {
  const { role } = await claimsOf(context, auth);
  if (role !== 'service_role' && role !== 'supabase_admin')
    throw new AuthError('not_admin', 'User not allowed');
}
