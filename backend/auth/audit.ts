import type { Context } from 'hono';
import type { Env } from '../context.ts';
import type { Query } from '../database/database.ts';
import { clientAddress } from '../http/client-address.ts';
import type { AuthContext } from './context.ts';
import type { UserRow } from './users.ts';

export type Action =
  | 'challenge_created'
  | 'factor_deleted'
  | 'factor_in_progress'
  | 'factor_unenrolled'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'login'
  | 'logout'
  | 'passkey_created'
  | 'passkey_deleted'
  | 'passkey_updated'
  | 'recovery_code_used'
  | 'recovery_codes_generated'
  | 'token_refreshed'
  | 'token_revoked'
  | 'user_confirmation_requested'
  | 'user_deleted'
  | 'user_invited'
  | 'user_modified'
  | 'user_reauthenticate_requested'
  | 'user_recovery_requested'
  | 'user_repeated_signup'
  | 'user_signedup'
  | 'user_updated_password'
  | 'verification_attempted';

const KIND: Record<Action, string> = {
  challenge_created: 'factor',
  factor_deleted: 'factor',
  factor_in_progress: 'factor',
  factor_unenrolled: 'factor',
  identity_linked: 'user',
  identity_unlinked: 'user',
  login: 'account',
  logout: 'account',
  passkey_created: 'user',
  passkey_deleted: 'user',
  passkey_updated: 'user',
  recovery_code_used: 'factor',
  recovery_codes_generated: 'factor',
  token_refreshed: 'token',
  token_revoked: 'token',
  user_confirmation_requested: 'user',
  user_deleted: 'team',
  user_invited: 'team',
  user_modified: 'user',
  user_reauthenticate_requested: 'user',
  user_recovery_requested: 'user',
  user_repeated_signup: 'user',
  user_signedup: 'team',
  user_updated_password: 'user',
  verification_attempted: 'factor',
};

/**
 * Writes the audit entry in the same transaction as the change it records. An entry holds ids and times only, never
 * the address or the name.
 *
 * @param traits what was taken away, for `private.deletions_since`
 */
export async function recordAuditEvent(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  action: Action,
  user: Pick<UserRow, 'id'>,
  traits?: { passkey_id: string } | { identity_id: string } | { banned_until: Date | null },
): Promise<void> {
  await query(
    `insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
     values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), $1, now(), $2)`,
    [
      { action, actor_id: user.id, actor_via_sso: false, log_type: KIND[action], ...(traits && { traits }) },
      clientAddress(context, auth.config.trustProxy) ?? '',
    ],
  );
}
