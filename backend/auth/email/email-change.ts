import type { Query } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';
import type { AuthEmail } from '../emails.ts';
import { deleteTokens, issueToken } from '../sessions/one-time-tokens.ts';
import { type UserRow, userByEmail } from '../users.ts';

/**
 * The emails that move an account to another address: to the new one, and to the present one when both must
 * agree. A new address that is in use gets no email, and the response does not reveal this: the present
 * address still gets its email. They are sent once the transaction has been committed.
 *
 * @param user locked until then
 */
export async function sendEmailChange(
  query: Query,
  auth: AuthContext,
  user: UserRow,
  email: string,
  redirectTo: string,
  pkce: boolean,
): Promise<AuthEmail[]> {
  await requestEmailChange(query, user, email);
  const changed = { ...user, email_change: email };
  const link = { type: 'email_change', redirectTo } as const;
  const messages: AuthEmail[] = [];
  if (!(await userByEmail(query, email))) {
    const token = await issueToken(query, auth, user.id, 'email_change_token_new', email, pkce);
    messages.push({ to: email, user: changed, link, token });
  }
  if (user.email && auth.config.auth.email.double_confirm_changes) {
    const token = await issueToken(query, auth, user.id, 'email_change_token_current', user.email, pkce);
    messages.push({ to: user.email, user: changed, link, token });
  }
  return messages;
}

/** Stores the address to which an account is to move. No half of a move that was begun before counts for this one. */
export async function requestEmailChange(query: Query, user: UserRow, email: string): Promise<void> {
  await query(
    'update auth.users set email_change = $2, email_change_sent_at = now(), email_change_confirm_status = 0, updated_at = now() where id = $1',
    [user.id, email],
  );
  await deleteTokens(query, user.id, ['email_change_token_new', 'email_change_token_current']);
}
