import { recordAuditEvent } from '../audit.ts';
import type { AuthHandler } from '../context.ts';
import { AuthError } from '../errors.ts';
import { cancelPendingChanges } from './pending-changes.ts';
import { requireSession } from './require-session.ts';
import { endSessions } from './sessions.ts';

/** POST /logout: ends this session; or the others or all of them, and the changes that one of them may have begun. */
export const logOut: AuthHandler = async (context, auth) => {
  const scope = context.req.query('scope') || 'global';
  if (scope !== 'global' && scope !== 'local' && scope !== 'others') {
    throw new AuthError('validation_failed', `Unsupported logout scope "${scope}"`);
  }
  await auth.authDatabase.transaction(async (query) => {
    const { user, session } = await requireSession(context, auth, query);
    await recordAuditEvent(query, auth, context, 'logout', user);
    if (scope === 'local') {
      await query('delete from auth.sessions where id = $1', [session.id]);
      return;
    }
    await cancelPendingChanges(query, user.id);
    await endSessions(query, user.id, scope === 'others' ? session.id : undefined);
  });
  return context.body(null, 204);
};
