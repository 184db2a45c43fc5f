import { randomInt } from 'node:crypto';
import type { Query } from '#backend/database/database.ts';
import type { AuthContext } from '../context.ts';
import type { IssuedToken } from '../emails.ts';
import { LOCKED, lockOwner } from '../users.ts';

export type TokenType =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_current'
  | 'email_change_token_new'
  | 'reauthentication_token'
  | 'phone_change_token';

const PKCE = 'pkce_';

/** Links of the PKCE flow are recognised by their token. */
export const isPkceToken = (hash: string) => hash.startsWith(PKCE);

/**
 * Makes a code for an address and stores the hash it is checked against; an earlier code of this kind becomes
 * invalid.
 *
 * Keyed, unlike in Supabase's own service: from an address and the few possible codes, an attacker could
 * otherwise compute all possible links, and try them where no count of wrong codes is kept.
 *
 * @param fixed a code to use instead of a random one
 */
export async function issueToken(
  query: Query,
  auth: AuthContext,
  userId: string,
  type: TokenType,
  address: string,
  pkce = false,
  fixed?: string,
): Promise<IssuedToken> {
  const { otp_length: length, otp_expiry: expiry } = auth.config.auth.email;
  const code = fixed ?? Array.from({ length }, () => randomInt(10)).join('');
  const hash = `${pkce ? PKCE : ''}${auth.keys.digest(address + code)}`;
  await query(
    // The user is locked first, as where a token is spent.
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, expires_at)
     select gen_random_uuid(), id, $2::auth.one_time_token_type, $3, $4, now() + make_interval(secs => $5)
     from auth.users where id = $1 ${LOCKED}
     on conflict (user_id, token_type) do update
       set token_hash = excluded.token_hash, relates_to = excluded.relates_to, expires_at = excluded.expires_at,
         created_at = now(), updated_at = now()`,
    [userId, type, hash, address, expiry],
  );
  await auth.rateLimits.codeRenewed(address);
  return { code, hash };
}

export interface ConsumedToken {
  user_id: string;
  token_type: TokenType;
  token_hash: string;
  /** The address or number to which it was sent. */
  relates_to: string;
}

/**
 * Spends a token. It can be taken once, by one request; undefined when it is unknown, spent or too old. Its user is locked as by
 * `lockUser`.
 */
export async function consumeToken(
  query: Query,
  hash: string,
  types: TokenType[],
): Promise<ConsumedToken | undefined> {
  // Links come in addresses, which can hold characters that the database cannot.
  if (!/^\w{1,255}$/.test(hash)) return undefined;
  await lockOwner(query, 'select user_id from auth.one_time_tokens where token_hash = $1', hash);
  const { rows } = await query<ConsumedToken>(
    `delete from auth.one_time_tokens
     where token_hash = $1 and token_type = any($2::auth.one_time_token_type[]) and expires_at > now()
     returning user_id, token_type, token_hash, relates_to`,
    [hash, types],
  );
  return rows[0];
}

/** Spends the token that belongs to a typed code. */
export async function consumeCode(
  query: Query,
  auth: AuthContext,
  address: string,
  code: string,
  types: TokenType[],
): Promise<ConsumedToken | undefined> {
  const hash = auth.keys.digest(address + code.replaceAll(/[\s-]/g, ''));
  return (await consumeToken(query, hash, types)) ?? (await consumeToken(query, PKCE + hash, types));
}

/** Invalidates the codes and links that were mailed to a person earlier. */
export async function deleteTokens(query: Query, userId: string, types: TokenType[]): Promise<void> {
  await query(
    'delete from auth.one_time_tokens where user_id = $1 and token_type = any($2::auth.one_time_token_type[])',
    [userId, types],
  );
}
