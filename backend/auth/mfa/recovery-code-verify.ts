import { z } from 'zod';
import type { Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthHandler, field, readBody } from '../context.ts';
import { AuthError } from '../errors.ts';
import { upgradeSession } from '../sessions/aal.ts';
import { requireSession } from '../sessions/require-session.ts';
import { type CodeSet, codeSetOf, hashOf } from './recovery-codes.ts';

const MAX_FAILED_ATTEMPTS = 10;
const LOCKOUT_MINUTES = 15;

const body = z.object({ code: field.text });

/** POST /factors/recovery-codes/verify: the second step without the device; each code works once. */
export const verifyRecoveryCode: AuthHandler = async (context, auth) => {
  const { user, session } = await auth.authDatabase.transaction((query) =>
    requireSession(context, auth, query),
  );
  const { code: typed = '' } = await readBody(context, body);
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  if (!code) throw new AuthError('validation_failed', 'Code needs to be non-empty');
  const answer = await auth.authDatabase.transaction(async (query) => {
    const set = await codeSetOf(query, user.id);
    if (!set) return undefined;
    if (set.locked)
      throw new AuthError(
        'mfa_recovery_codes_locked',
        'Too many failed verification attempts, try again later',
      );
    const consumed = await query(
      `update auth.mfa_recovery_codes set consumed_at = now()
       where mfa_recovery_code_set_id = $1 and code_hash = $2 and consumed_at is null`,
      [set.id, hashOf(set.id, code)],
    );
    await countFailedAttempt(query, set, consumed.rowCount > 0);
    if (consumed.rowCount === 0) return undefined;
    await recordAuditEvent(query, auth, context, 'recovery_code_used', user);
    return upgradeSession(query, auth, user, session, 'mfa/recovery_code', set.mfa_factor_id);
  });
  // Thrown outside the transaction, since the count must be kept.
  if (!answer) throw new AuthError('mfa_verification_failed', 'Invalid recovery code entered');
  return context.json(answer);
};

/** Wrong attempts lock the set for a while; a right one, and the end of a lock, reset the count. */
async function countFailedAttempt(query: Query, set: CodeSet, right: boolean): Promise<void> {
  const wrong = right ? 0 : set.failed_verification_count + 1;
  const locks = wrong >= MAX_FAILED_ATTEMPTS;
  await query(
    `update auth.mfa_recovery_code_sets set failed_verification_count = $2, updated_at = now(),
       verification_locked_until = case when $3 then now() + make_interval(mins => $4) end where id = $1`,
    [set.id, locks ? 0 : wrong, locks, LOCKOUT_MINUTES],
  );
}
