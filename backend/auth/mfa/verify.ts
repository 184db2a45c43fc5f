import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import type { Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { type FactorRow, factorName, isVerified, ownFactor } from '../factors.ts';
import { requireSecondStep, upgradeSession } from '../sessions/aal.ts';
import { cancelPendingChanges } from '../sessions/pending-changes.ts';
import { requireSession } from '../sessions/require-session.ts';
import { lockUser } from '../users.ts';
import { requireChallenge, requireVerifiable } from './challenge.ts';
import { checkWebauthn, webauthnAnswer } from './webauthn.ts';

const body = z.object({ challenge_id: z.uuid(), code: field.text, webauthn: webauthnAnswer.nullish() });

/** POST /factors/{id}/verify: the second step, which lifts the session to aal2. */
export const verifyFactor: AuthHandler = async (context, auth) => {
  const { user, factorType } = await auth.authDatabase.transaction(async (query) => {
    const caller = await requireSession(context, auth, query);
    const factor = await ownFactor(context, query, caller.user.id);
    requireVerifiable(auth, factor);
    return { user: caller.user, factorType: factor.factor_type };
  });
  const { challenge_id: challengeId, code, webauthn: given } = await readBody(context, body);
  const webauthn = factorType === 'webauthn' ? given : undefined;
  if (factorType === 'webauthn' && !webauthn)
    throw new AuthError('validation_failed', 'WebAuthn config required');
  if (factorType !== 'webauthn' && !code)
    throw new AuthError('validation_failed', 'Code needs to be non-empty');
  await auth.rateLimits.factorGuess(user.id);

  const { answer, added } = await auth.authDatabase.transaction(async (query) => {
    const { session } = await requireSession(context, auth, query, lockUser);
    const factor = await ownFactor(context, query, user.id);
    if (!isVerified(factor)) await requireSecondStep(query, session, 'required to enroll a new factor');
    await requireChallenge(context, auth, query, factor, challengeId);
    const used = webauthn && (await checkWebauthn(query, auth, factor, challengeId, webauthn));
    const step = webauthn ? null : await requireStep(query, auth, factor, code ?? '');
    await query('update auth.mfa_challenges set verified_at = now(), otp_code = $2 where id = $1', [
      challengeId,
      step,
    ]);
    await query(`update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1`, [
      factor.id,
    ]);
    await query(
      `delete from auth.mfa_factors where user_id = $1 and status = 'unverified' and factor_type = $2`,
      [user.id, factorType],
    );
    // A session without the second step may have begun them.
    if (!isVerified(factor)) await cancelPendingChanges(query, user.id);
    await recordAuditEvent(query, auth, context, 'verification_attempted', user);
    return {
      answer: await upgradeSession(
        query,
        auth,
        user,
        session,
        used ? 'mfa/webauthn' : 'totp',
        used || factor.id,
      ),
      added: isVerified(factor) ? undefined : factorName(factor),
    };
  });
  await auth.rateLimits.factorRight(user.id);
  if (added) await auth.emails.notify('mfa_factor_enrolled', user, { FactorType: added });
  return context.json(answer);
};

/**
 * The half minute to which this code belongs, the present one or one next to it. Each is accepted once, and none before
 * one that was accepted: a code seen over a shoulder is useless.
 *
 * @throws AuthError mfa_verification_failed
 */
async function requireStep(
  query: Query,
  auth: AuthContext,
  factor: FactorRow,
  code: string,
): Promise<number> {
  const totp = new TOTP({ secret: Secret.fromBase32(auth.keys.decrypt(factor.secret ?? '', factor.id)) });
  const now = Date.now();
  const token = code.replaceAll(/\s/g, '');
  const delta = /^\d{6}$/.test(token) ? totp.validate({ token, window: 1, timestamp: now }) : null;
  if (delta === null) throw new AuthError('mfa_verification_failed', 'Invalid TOTP code entered');
  const step = totp.counter({ timestamp: now }) + delta;
  const { rows } = await query<{ last: string | null }>(
    'select max(otp_code::bigint) as last from auth.mfa_challenges where factor_id = $1 and verified_at is not null',
    [factor.id],
  );
  if (step > Number(rows[0]?.last ?? 0)) return step;
  throw new AuthError('mfa_verification_failed', 'Invalid TOTP code entered');
}
