import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import type { Query } from '../../database/database.ts';
import { clientAddress, clientNetwork } from '../../http/client-address.ts';
import { recordAuditEvent } from '../audit.ts';
import type { AuthContext, AuthHandler } from '../context.ts';
import { AuthError } from '../errors.ts';
import { type FactorRow, ownFactor } from '../factors.ts';
import { requireSession } from '../sessions/require-session.ts';
import { CHALLENGE_LIFETIME_S } from '../webauthn/relying-party.ts';
import { requireWebauthnVerify, webauthnChallenge } from './webauthn.ts';

/** POST /factors/{id}/challenge */
export const challengeFactor: AuthHandler = async (context, auth) => {
  const { user } = await auth.authDatabase.transaction((query) => requireSession(context, auth, query));
  await auth.rateLimits.factorChallenge(user.id);
  const id = randomUUID();
  const { type, webauthn } = await auth.authDatabase.transaction(async (query) => {
    const factor = await ownFactor(context, query, user.id);
    requireVerifiable(auth, factor);
    const webauthn =
      factor.factor_type === 'webauthn' ? await webauthnChallenge(query, auth, user, factor) : undefined;
    await query(
      `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, web_authn_session_data)
       values ($1, $2, now(), $3, $4)`,
      [
        id,
        factor.id,
        addressOf(context, auth),
        webauthn ? { challenge: webauthn.credential_options.publicKey.challenge } : null,
      ],
    );
    // The column is unique over all factors, as in Supabase's own table.
    await query('update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $1', [
      factor.id,
    ]);
    await recordAuditEvent(query, auth, context, 'challenge_created', user);
    return { type: factor.factor_type, webauthn };
  });
  const expires = Math.floor(Date.now() / 1000) + CHALLENGE_LIFETIME_S;
  return context.json({ id, type, expires_at: expires, webauthn });
};

/** @throws AuthError mfa_totp_verify_not_enabled, mfa_webauthn_verify_not_enabled or validation_failed */
export function requireVerifiable(auth: AuthContext, factor: FactorRow): void {
  if (factor.factor_type === 'webauthn') return void requireWebauthnVerify(auth);
  if (factor.factor_type !== 'totp')
    throw new AuthError('validation_failed', 'factor_type needs to be totp, phone, or webauthn');
  if (!auth.config.auth.mfa.totp.verify_enabled)
    throw new AuthError('mfa_totp_verify_not_enabled', 'MFA verification is disabled for TOTP');
}

/**
 * The challenge that an answer names: it belongs to this factor, is still open, and was requested from the
 * network that answers it.
 *
 * @throws AuthError mfa_factor_not_found, mfa_ip_address_mismatch or mfa_challenge_expired
 */
export async function requireChallenge(
  context: Context<Env>,
  auth: AuthContext,
  query: Query,
  factor: FactorRow,
  id: string,
): Promise<void> {
  const { rows } = await query<{ answered: boolean; ip_address: string; expired: boolean }>(
    `select verified_at is not null as answered, host(ip_address) as ip_address,
       created_at + make_interval(secs => $3) < now() as expired
     from auth.mfa_challenges where id = $1 and factor_id = $2`,
    [id, factor.id, CHALLENGE_LIFETIME_S],
  );
  const [challenge] = rows;
  if (!challenge)
    throw new AuthError('mfa_factor_not_found', 'MFA factor with the provided challenge ID not found', {
      status: 422,
    });
  if (challenge.answered || clientNetwork(challenge.ip_address) !== clientNetwork(addressOf(context, auth)))
    throw new AuthError('mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.');
  if (challenge.expired)
    throw new AuthError(
      'mfa_challenge_expired',
      `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
    );
}

const addressOf = (context: Context<Env>, auth: AuthContext) =>
  clientAddress(context, auth.config.trustProxy) ?? '127.0.0.1';
