import { recordAuditEvent } from '../audit.ts';
import type { AuthHandler } from '../context.ts';
import { factorJson, factorsOf, isPermanent, ownFactor } from '../factors.ts';
import { downgradeSessions } from '../sessions/aal.ts';
import { target } from './users.ts';

/** GET /admin/users/{id}/factors */
export const adminListFactors: AuthHandler = async (context, auth) => {
  const factors = await auth.authDatabase.transaction(async (query) =>
    factorsOf(query, (await target(context, query)).id),
  );
  return context.json(factors.map(factorJson));
};

/** DELETE /admin/users/{id}/factors/{factor}: for a person who has lost the device and the recovery codes. */
export const adminDeleteFactor: AuthHandler = async (context, auth) => {
  const { user, factor } = await auth.authDatabase.transaction(async (query) => {
    const owner = await target(context, query);
    const removed = await ownFactor(context, query, owner.id, 'factor');
    await query('delete from auth.mfa_factors where id = $1', [removed.id]);
    await downgradeSessions(query, owner.id, removed.id);
    const left = await factorsOf(query, owner.id);
    // Recovery codes alone would lock out a person who has lost them too.
    for (const codes of left.filter(({ factor_type: type }) => type === 'recovery_code')) {
      if (left.some(isPermanent)) break;
      await query('delete from auth.mfa_factors where id = $1', [codes.id]);
      await downgradeSessions(query, owner.id, codes.id);
    }
    await recordAuditEvent(query, auth, context, 'factor_deleted', owner);
    return { user: owner, factor: removed };
  });
  await auth.emails.notify('mfa_factor_unenrolled', user, { FactorType: 'second factor' });
  return context.json(factorJson(factor));
};
