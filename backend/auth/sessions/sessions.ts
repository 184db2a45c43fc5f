import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { Env } from '#backend/context.ts';
import type { Query } from '#backend/database/database.ts';
import { clientAddress, clientNetwork } from '#backend/http/client-address.ts';
import { cutText } from '../../../texts/cut-text.ts';
import type { AuthContext } from '../context.ts';
import { AuthError } from '../errors.ts';
import { factorsOf, isKey } from '../factors.ts';
import { type User, userJson } from '../user-json.ts';
import { lockUser, refuseBanned, type UserRow } from '../users.ts';

/** The method by which a person proved who they are; becomes an entry of the token's `amr`. */
export type Method =
  | 'password'
  | 'otp'
  | 'magiclink'
  | 'recovery'
  | 'invite'
  | 'email/signup'
  | 'email_change'
  | 'oauth'
  | 'sso/saml'
  | 'web3'
  | 'passkey'
  | 'totp'
  | 'mfa/webauthn'
  | 'mfa/recovery_code'
  | 'token_refresh';

export interface SessionRow {
  id: string;
  user_id: string;
  created_at: Date;
  aal: string | null;
  not_after: Date | null;
}

/** The response of the token endpoint. */
export interface TokenResponse {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: User;
}

/**
 * Signs a person in: a new session, its first refresh token and an access token.
 *
 * @throws AuthError user_not_found or user_banned, whichever way the person came, and also when it happened while they came
 */
export async function openSession(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  user: UserRow,
  method: Method,
): Promise<TokenResponse> {
  const present = await lockUser(query, user.id);
  if (!present) throw new AuthError('user_not_found', 'User not found', { status: 403 });
  refuseBanned(present);
  // Who has a passkey or security key as the second step has just shown one, and its PIN or finger.
  const key = method === 'passkey' ? (await factorsOf(query, user.id)).find(isKey) : undefined;
  const session: SessionRow = {
    id: randomUUID(),
    user_id: user.id,
    created_at: new Date(),
    aal: key ? 'aal2' : 'aal1',
    not_after: null,
  };
  const refreshToken = newRefreshToken();
  const signedIn = { ...present, last_sign_in_at: new Date() };
  const opening = query(
    `with opened as (
       insert into auth.sessions (id, user_id, created_at, updated_at, aal, factor_id, user_agent, ip)
       values ($1, $2, now(), now(), $6, $7, $3, $4)
     ), proved as (
       insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
       select gen_random_uuid(), $1, now(), now(), proof
       from unnest(array[$5, case when $7::uuid is not null then 'mfa/webauthn' end]) as proof where proof is not null
     ), signed_in as (
       update auth.identities set last_sign_in_at = now(), updated_at = now() where user_id = $2 and provider = 'email' and $5 not in ('oauth', 'sso/saml', 'web3', 'passkey')
     )
     update auth.users set last_sign_in_at = now(), updated_at = now() where id = $2`,
    [
      session.id,
      user.id,
      cutText(context.req.header('user-agent') ?? '', 512) || null,
      clientAddress(context, auth.config.trustProxy) ?? null,
      method,
      session.aal,
      key?.id ?? null,
    ],
  );
  const [, , response] = await Promise.all([
    opening,
    saveRefreshToken(query, session, null, refreshToken),
    tokenResponse(query, auth, signedIn, session, refreshToken),
  ]);
  return response;
}

const NO_USER = '00000000-0000-0000-0000-000000000000';
/** The most sessions of one person that are compared, the newest first. */
const MAX_SESSIONS = 100;

/**
 * Whether the person has a session that was used from the request's network within thirty days. Takes the
 * same steps for an unknown account as for a known one.
 */
export async function isKnownNetwork(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  userId: string | undefined,
): Promise<boolean> {
  const address = clientAddress(context, auth.config.trustProxy);
  const { rows } = await query<{ address: string }>(
    `select host(ip) as address from auth.sessions where user_id = $1 and ip is not null
       and coalesce(refreshed_at at time zone 'utc', created_at) > now() - interval '30 days'
     order by created_at desc limit $2`,
    [userId ?? NO_USER, MAX_SESSIONS],
  );
  return address !== undefined && rows.some((row) => clientNetwork(row.address) === clientNetwork(address));
}

/** @param parent the token this one replaces */
export async function issueRefreshToken(
  query: Query,
  session: SessionRow,
  parent: string | null,
): Promise<string> {
  const token = newRefreshToken();
  await saveRefreshToken(query, session, parent, token);
  return token;
}

const newRefreshToken = () => randomBytes(24).toString('base64url');

const saveRefreshToken = (query: Query, session: SessionRow, parent: string | null, token: string) =>
  query(
    `insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id)
     values ('00000000-0000-0000-0000-000000000000', $1, $2, false, now(), now(), $3, $4)`,
    [token, session.user_id, parent, session.id],
  );

/**
 * The protocol’s answer to a sign-in or a refresh, with a new access token of the session.
 *
 * @param refreshToken the newest of the session, which the caller stores
 */
export async function tokenResponse(
  query: Query,
  auth: AuthContext,
  user: UserRow,
  session: SessionRow,
  refreshToken: string,
): Promise<TokenResponse> {
  const [{ rows: amr }, described] = await Promise.all([
    query<{ method: string; timestamp: number }>(
      `select authentication_method as method, extract(epoch from updated_at)::int as timestamp
       from auth.mfa_amr_claims where session_id = $1 order by updated_at desc`,
      [session.id],
    ),
    userJson(query, user, session.aal),
  ]);
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresIn = auth.config.auth.jwt_expiry;
  const { provider } = described.app_metadata;
  const company = typeof provider === 'string' && provider.startsWith('sso:') ? provider.slice(4) : undefined;
  const accessToken = await auth.keys.sign({
    iss: `${auth.config.siteUrl}/auth/v1`,
    sub: user.id,
    aud: user.aud,
    exp: issuedAt + expiresIn,
    iat: issuedAt,
    email: described.email,
    phone: described.phone,
    app_metadata: described.app_metadata,
    user_metadata: described.user_metadata,
    role: user.role,
    aal: session.aal ?? 'aal1',
    amr: amr.map((proof) => (proof.method === 'sso/saml' ? { ...proof, provider: company } : proof)),
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  });
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: issuedAt + expiresIn,
    refresh_token: refreshToken,
    user: described,
  };
}

/**
 * The session, locked until the transaction ends, so that refreshes of one session run one after the other.
 */
export async function lockSession(query: Query, auth: AuthContext, id: string): Promise<SessionRow> {
  const { timebox, inactivity_timeout: inactivity } = auth.config.auth.sessions;
  const { rows } = await query<SessionRow & { ended: boolean | null; idle: boolean | null }>(
    `select id, user_id, created_at, aal, not_after,
       least(not_after, created_at + make_interval(secs => $2)) < now() as ended,
       coalesce(refreshed_at at time zone 'utc', created_at) + make_interval(secs => $3) < now() as idle
     from auth.sessions where id = $1 for update`,
    [id, timebox ?? null, inactivity ?? null],
  );
  const [session] = rows;
  if (!session)
    throw new AuthError('refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');
  if (session.ended) throw new AuthError('session_expired', 'Invalid Refresh Token: Session Expired');
  if (session.idle)
    throw new AuthError('session_expired', 'Invalid Refresh Token: Session Expired (Inactivity)');
  return session;
}

/** Ends every session of a person, or all but one. */
export async function endSessions(query: Query, userId: string, except?: string): Promise<void> {
  await query('delete from auth.sessions where user_id = $1 and id is distinct from $2', [
    userId,
    except ?? null,
  ]);
}
