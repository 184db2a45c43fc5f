import type { Query } from '#backend/database/database.ts';
import { deleteTokens } from './one-time-tokens.ts';

/**
 * Ends the changes of how an account is signed in to or reached that any of its sessions may have begun, and that could be
 * completed without a session. A new password, address or number does so by itself.
 */
export async function cancelPendingChanges(query: Query, userId: string): Promise<void> {
  // Else it would seem to wait for links that no longer work.
  await query(
    `update auth.users set email_change = '', email_change_confirm_status = 0, phone_change = '' where id = $1`,
    [userId],
  );
  await deleteTokens(query, userId, [
    'email_change_token_current',
    'email_change_token_new',
    'phone_change_token',
  ]);
  await query('delete from auth.flow_state where linking_target_id = $1', [userId]);
}
