import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Query } from '../../database/database.ts';
import { type AuthContext, type AuthHandler, field, readBody } from '../context.ts';
import { requestEmailChange } from '../email/email-change.ts';
import { DUPLICATE_EMAIL } from '../email/redeem-token.ts';
import { findUserByEmail } from '../email/signup.ts';
import { actionLink, type IssuedToken, type LinkType } from '../emails.ts';
import { AuthError } from '../errors.ts';
import { hashPassword, requireStrongPassword } from '../passwords.ts';
import { redirectTarget } from '../redirects.ts';
import { issueToken } from '../sessions/one-time-tokens.ts';
import { userJson } from '../user-json.ts';
import { addOrReplace, forgetUnproved, type UserRow, userByEmail, userById } from '../users.ts';

const body = z.object({
  type: z.enum(['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new']),
  email: field.email,
  new_email: field.email,
  password: field.text,
  data: field.metadata,
  redirect_to: field.text,
});

type Given = z.output<typeof body> & { email: string };

/** POST /admin/generate_link: the link and code an email would carry, without sending the email. */
export const generateLink: AuthHandler = async (context, auth) => {
  const { email, ...rest } = await readBody(context, body);
  if (!email) throw new AuthError('validation_failed', 'Unable to validate email address: invalid format');
  const given: Given = { ...rest, email };
  const redirectTo = redirectTarget(context, auth.config, given.redirect_to);
  const encrypted = await passwordFor(given, auth);
  const { user, type, token } = await auth.authDatabase.transaction(async (query) => {
    const generated = await makeLink(query, auth, given, encrypted, await findUserByEmail(query, email));
    return {
      ...generated,
      user: await userJson(query, (await userById(query, generated.user.id)) ?? generated.user),
    };
  });
  return context.json({
    ...user,
    action_link: actionLink(auth.config, token.hash, { type: linkType(type), redirectTo }),
    email_otp: token.code,
    hashed_token: token.hash,
    verification_type: type,
    redirect_to: redirectTo,
  });
};

/** A magic link for an unknown address signs it up, with a random password that is not kept. */
async function passwordFor({ type, password }: Given, auth: AuthContext): Promise<string | null> {
  if (type === 'magiclink')
    return hashPassword(randomBytes(32).toString('base64url'), auth.config.passwordCost);
  if (type !== 'signup') return null;
  if (!password)
    throw new AuthError('validation_failed', 'Signup requires a valid password', { status: 422 });
  requireStrongPassword(password, auth.config.auth);
  return hashPassword(password, auth.config.passwordCost);
}

async function makeLink(
  query: Query,
  auth: AuthContext,
  given: Given,
  encryptedPassword: string | null,
  existing: UserRow | undefined,
): Promise<{ user: UserRow; type: Given['type']; token: IssuedToken }> {
  const { email } = given;
  const type = given.type === 'magiclink' && !existing ? 'signup' : given.type;
  const person = { email, encryptedPassword, userMetadata: given.data ?? {}, byServiceKey: true };
  switch (type) {
    case 'signup':
    case 'invite': {
      if (existing?.email_confirmed_at) throw new AuthError('email_exists', DUPLICATE_EMAIL);
      const user =
        type === 'signup' || !existing
          ? await addOrReplace(query, existing, { ...person, invited: type === 'invite' })
          : await forgetUnproved(query, existing);
      await query(
        'update auth.users set confirmation_sent_at = now(), invited_at = case when $2 then now() else invited_at end where id = $1',
        [user.id, type === 'invite'],
      );
      return { user, type, token: await issueToken(query, auth, user.id, 'confirmation_token', email) };
    }
    case 'magiclink':
    case 'recovery': {
      if (!existing) throw new AuthError('user_not_found', 'User with this email not found');
      await query('update auth.users set recovery_sent_at = now() where id = $1', [existing.id]);
      return {
        user: existing,
        type,
        token: await issueToken(query, auth, existing.id, 'recovery_token', email),
      };
    }
    case 'email_change_current':
    case 'email_change_new': {
      if (!existing) throw new AuthError('user_not_found', 'User with this email not found');
      const newEmail = given.new_email;
      if (!newEmail)
        throw new AuthError(
          'validation_failed',
          'new_email: Unable to validate email address: invalid format',
        );
      if (await userByEmail(query, newEmail)) throw new AuthError('email_exists', DUPLICATE_EMAIL);
      // The two halves are requested one after the other, so the second must not undo the first.
      if (existing.email_change !== newEmail) await requestEmailChange(query, existing, newEmail);
      const [half, address] =
        type === 'email_change_current'
          ? (['email_change_token_current', email] as const)
          : (['email_change_token_new', newEmail] as const);
      return { user: existing, type, token: await issueToken(query, auth, existing.id, half, address) };
    }
  }
}

function linkType(type: Given['type']): LinkType {
  return type === 'email_change_current' || type === 'email_change_new' ? 'email_change' : type;
}
