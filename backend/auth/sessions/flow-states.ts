import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Query } from '#backend/database/database.ts';
import { AuthError } from '../errors.ts';
import { lockOwner } from '../users.ts';
import type { Method } from './sessions.ts';

/** The seconds in which a code must be exchanged. */
const FLOW_STATE_LIFETIME_S = 300;

export interface Challenge {
  code_challenge?: string | undefined;
  code_challenge_method?: 's256' | 'plain' | undefined;
}

/** Both or neither, as RFC 7636 requires. */
export function checkChallenge(challenge: Challenge): void {
  if (!challenge.code_challenge !== !challenge.code_challenge_method) {
    throw new AuthError('validation_failed', 'PKCE flow requires code_challenge_method and code_challenge');
  }
  if (challenge.code_challenge && !/^[\w.~-]{43,128}$/.test(challenge.code_challenge)) {
    throw new AuthError('validation_failed', 'code challenge has to be between 43 and 128 characters');
  }
}

/** Stores the challenge until the mailed link is followed. Returns whether the flow is PKCE. */
export async function beginFlow(
  query: Query,
  challenge: Challenge,
  userId: string,
  method: Method,
): Promise<boolean> {
  if (!challenge.code_challenge) return false;
  await query(
    `insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type,
       authentication_method, created_at, updated_at)
     values (gen_random_uuid(), $1, $2, $3, $4, 'email', $5, now(), now())`,
    [userId, randomUUID(), challenge.code_challenge_method, challenge.code_challenge, method],
  );
  return true;
}

/**
 * The code that the page gets instead of tokens once a flow has proved the person.
 *
 * @param flowId the flow that a provider answered; for a mailed link it is the person's latest
 * @param tokens the provider's own, which are for the page
 * @throws AuthError flow_state_not_found
 */
export async function issueAuthCode(
  query: Query,
  userId: string,
  flowId: string | null = null,
  tokens: { accessToken?: string; refreshToken?: string | undefined } = {},
): Promise<string> {
  const { rows } = await query<{ auth_code: string }>(
    `update auth.flow_state set user_id = $1, provider_access_token = $3, provider_refresh_token = $4,
       auth_code_issued_at = now(), updated_at = now()
     where id = coalesce($2, (
       select id from auth.flow_state where user_id = $1 and provider_type = 'email' order by created_at desc limit 1
     ))
     returning auth_code`,
    [userId, flowId, tokens.accessToken ?? null, tokens.refreshToken ?? null],
  );
  const [flow] = rows;
  if (!flow) throw new AuthError('flow_state_not_found', 'No valid flow state found for user.');
  return flow.auth_code;
}

/**
 * Exchanges the code, once, for the user it belongs to and the method by which they proved who they are. The user is locked as by
 * `lockUser`.
 *
 * @throws AuthError flow_state_not_found, flow_state_expired or bad_code_verifier
 */
export async function redeemAuthCode(
  query: Query,
  code: string,
  verifier: string,
): Promise<{
  userId: string;
  method: Method;
  providerToken: string | null;
  providerRefreshToken: string | null;
}> {
  await lockOwner(query, 'select user_id from auth.flow_state where auth_code = $1', code);
  const { rows } = await query<{
    user_id: string;
    code_challenge: string;
    code_challenge_method: 's256' | 'plain';
    authentication_method: Method;
    provider_access_token: string | null;
    provider_refresh_token: string | null;
    expired: boolean;
  }>(
    `delete from auth.flow_state where auth_code = $1 and auth_code_issued_at is not null and user_id is not null
     returning user_id, code_challenge, code_challenge_method, authentication_method, provider_access_token, provider_refresh_token,
       auth_code_issued_at + make_interval(secs => $2) < now() as expired`,
    [code, FLOW_STATE_LIFETIME_S],
  );
  const [flow] = rows;
  if (!flow) throw new AuthError('flow_state_not_found', 'invalid flow state, no valid flow state found');
  if (flow.expired) throw new AuthError('flow_state_expired', 'invalid flow state, flow state has expired');
  const answer =
    flow.code_challenge_method === 'plain'
      ? verifier
      : createHash('sha256').update(verifier).digest('base64url');
  const [given, expected] = [Buffer.from(answer), Buffer.from(flow.code_challenge)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new AuthError('bad_code_verifier', 'code challenge does not match previously saved code verifier');
  }
  return {
    userId: flow.user_id,
    method: flow.authentication_method,
    providerToken: flow.provider_access_token,
    providerRefreshToken: flow.provider_refresh_token,
  };
}
