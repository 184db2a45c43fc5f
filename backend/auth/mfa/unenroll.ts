import { recordAuditEvent } from '../audit.ts';
import type { AuthHandler } from '../context.ts';
import { AuthError } from '../errors.ts';
import { factorName, factorsOf, isPermanent, isVerified, ownFactor } from '../factors.ts';
import { downgradeSessions, requireSecondStep } from '../sessions/aal.ts';
import { requireSession } from '../sessions/require-session.ts';
import { lockUser } from '../users.ts';

/** DELETE /factors/{id}: a session that has proved only the password cannot take the second step away. */
export const unenrollFactor: AuthHandler = async (context, auth) => {
  const { user, factor } = await auth.authDatabase.transaction(async (query) => {
    const caller = await requireSession(context, auth, query, lockUser);
    const removed = await ownFactor(context, query, caller.user.id);
    if (removed.factor_type === 'recovery_code')
      throw new AuthError(
        'validation_failed',
        'Recovery codes cannot be unenrolled with this endpoint, use DELETE /factors/recovery-codes',
        { status: 422 },
      );
    if (isVerified(removed))
      await requireSecondStep(query, caller.session, 'required to unenroll verified factor', 422);
    const others = (await factorsOf(query, caller.user.id)).filter(({ id }) => id !== removed.id);
    if (others.some(({ factor_type: type }) => type === 'recovery_code') && !others.some(isPermanent))
      throw new AuthError(
        'mfa_recovery_codes_sole_factor',
        'Recovery codes cannot be the only verified factor. Please enroll another factor before unenrolling this one or delete your recovery codes.',
      );
    await query('delete from auth.mfa_factors where id = $1', [removed.id]);
    await downgradeSessions(query, caller.user.id, removed.id);
    await recordAuditEvent(query, auth, context, 'factor_unenrolled', caller.user);
    return { user: caller.user, factor: removed };
  });
  if (isVerified(factor))
    await auth.emails.notify('mfa_factor_unenrolled', user, { FactorType: factorName(factor) });
  return context.json({ id: factor.id });
};
