import { DatabaseError, type Query } from '../../database/database.ts';
import { isUuid } from '../../uuid.ts';
import { recordAuditEvent } from '../audit.ts';
import type { AuthContext, AuthHandler } from '../context.ts';
import { AuthError } from '../errors.ts';
import { requireSecondStep } from '../sessions/aal.ts';
import { requireSession } from '../sessions/require-session.ts';
import { lockUser, refuseBanned, type UserRow } from '../users.ts';
import { countProviders, isSso, refuseManaged } from './accounts.ts';
import { beginProviderFlow } from './authorize.ts';

/** @throws AuthError manual_linking_disabled */
export function requireManualLinking(auth: AuthContext): void {
  if (!auth.config.auth.enable_manual_linking)
    throw new AuthError('manual_linking_disabled', 'Manual linking is disabled');
}

/** GET /user/identities/authorize: the address at which a person adds a provider to their account. */
export const authorizeIdentity: AuthHandler = async (context, auth) => {
  requireManualLinking(auth);
  const session = await auth.authDatabase.transaction(async (query) => {
    const { user, session } = await requireSession(context, auth, query);
    await requireSecondStep(query, session, 'required to link an identity');
    refuseBanned(user);
    return session;
  });
  const url = await beginProviderFlow(context, auth, session);
  if (context.req.query('skip_http_redirect') === 'true') return context.json({ url: url.href });
  return context.redirect(url.href, 302);
};

/** DELETE /user/identities/{id}: removes one way to sign in. The last one stays. */
export const unlinkIdentity: AuthHandler = async (context, auth) => {
  requireManualLinking(auth);
  const id = context.req.param('id');
  const { user, provider, email } = await auth.authDatabase.transaction(async (query) => {
    // Locked until the end, so that two requests cannot take the last two at once.
    const { user, session } = await requireSession(context, auth, query, lockUser);
    if (!isUuid(id)) throw new AuthError('validation_failed', 'identity_id must be an UUID', { status: 404 });
    await requireSecondStep(query, session, 'required to unlink an identity');
    const { rows } = await query<{ id: string; provider: string }>(
      'select id, provider from auth.identities where user_id = $1',
      [user.id],
    );
    if (rows.length <= 1) {
      throw new AuthError(
        'single_identity_not_deletable',
        'User must have at least 1 identity after unlinking',
      );
    }
    const identity = rows.find((row) => row.id === id);
    if (!identity) throw new AuthError('identity_not_found', "Identity doesn't exist");
    if (isSso(identity)) refuseManaged(user);
    await query('delete from auth.identities where id = $1', [identity.id]);
    await recordAuditEvent(query, auth, context, 'identity_unlinked', user, { identity_id: identity.id });
    if (identity.provider === 'phone')
      await query('update auth.users set phone = null, phone_confirmed_at = null where id = $1', [user.id]);
    const email = identity.provider === 'phone' ? user.email : await updateEmailFromIdentities(query, user);
    await countProviders(query, user);
    return { user, provider: identity.provider, email };
  });
  await auth.emails.notify('identity_unlinked', user, { Provider: provider });
  if (user.email && email && email !== user.email)
    await auth.emails.notify('email_changed', user, { OldEmail: user.email, Email: email });
  return context.json({});
};

/**
 * When the account's address was removed with an identity, the oldest remaining identity with a proved
 * address supplies its own.
 *
 * @returns the address the account has now
 */
async function updateEmailFromIdentities(query: Query, user: UserRow): Promise<string | null> {
  try {
    const { rows } = await query<{ email: string | null }>(
      `with proved as (
         select email, created_at, id from auth.identities
         where user_id = $1 and email is not null and identity_data ->> 'email_verified' = 'true'
       )
       update auth.users set email = (select email from proved order by created_at, id limit 1),
         email_confirmed_at = case when exists (select from proved) then coalesce(email_confirmed_at, now()) end
       where id = $1 and not exists (select from proved where proved.email = users.email)
       returning email`,
      [user.id],
    );
    return rows[0] ? rows[0].email : user.email;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === '23505') {
      throw new AuthError(
        'email_conflict_identity_not_deletable',
        'Unable to unlink identity due to email conflict',
        { cause: error },
      );
    }
    throw error;
  }
}
