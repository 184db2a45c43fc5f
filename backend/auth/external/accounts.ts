import type { Context } from 'hono';
import type { Env } from '../../context.ts';
import type { Query } from '../../database/database.ts';
import { recordAuditEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { requireOpenSignups } from '../email/sign-up-hook.ts';
import { findUserByEmail } from '../email/signup.ts';
import { AuthError } from '../errors.ts';
import { factorsOf, isVerified } from '../factors.ts';
import { endSessions } from '../sessions/sessions.ts';
import { insertUser, mergeMetadata, refuseBanned, type UserRow, userById } from '../users.ts';
import type { ProviderProfile } from './profile.ts';

/** The user who signed in, and whether this added an identity to an existing account. */
export interface SignedIn {
  user: UserRow;
  joined: boolean;
}

/** Accounts of a company's own identity provider stay apart from all others, even with the same address. */
export const isSso = ({ provider }: Pick<ProviderProfile, 'provider'>) => provider.startsWith('sso:');

/**
 * An organisation decides on each way into the accounts of its people: with one of their own they would stay after it has taken
 * them out. What else they connect only shows who they are.
 *
 * @throws AuthError user_sso_managed
 */
export function refuseManaged(user: UserRow): void {
  if (user.is_sso_user)
    throw new AuthError('user_sso_managed', 'Signing in to a SSO account is only possible via SSO');
}

/**
 * Signs in a person for whom an outside authority vouches, and signs them up when they have no account yet.
 *
 * @param emailOptional whether an account may be without an address
 * @throws AuthError user_banned, signup_disabled, insufficient_aal, user_sso_managed or provider_email_needs_verification
 */
export async function signInWithIdentity(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  person: ProviderProfile,
  emailOptional: boolean,
): Promise<SignedIn> {
  const identity = await findIdentity(query, person);
  let user: UserRow | undefined;
  if (identity) {
    user = await userById(query, identity.user_id);
    await query(
      'update auth.identities set identity_data = $2, last_sign_in_at = now(), updated_at = now() where id = $1',
      [identity.id, person.claims],
    );
  } else if (!isSso(person) && person.email && person.emailVerified) {
    user = await findOwner(query, person.email);
    if (user) {
      refuseBanned(user);
      // A new way to sign in takes the second step of an account that has one, also when the service adds it by itself.
      if ((await factorsOf(query, user.id)).some(isVerified))
        throw new AuthError('insufficient_aal', 'AAL2 required to link an identity');
      await addIdentity(query, user.id, person);
      await recordAuditEvent(query, auth, context, 'identity_linked', user);
    }
  }
  if (!user) return { user: await signUp(query, auth, context, person, emailOptional), joined: false };

  refuseBanned(user);
  if (!isSso(person)) refuseManaged(user);
  if (user.email && !user.email_confirmed_at)
    return { user: await claimUnconfirmed(query, auth, context, user, person), joined: false };
  // An organisation's person cannot change their address: it is what the organisation says.
  await query('update auth.users set raw_user_meta_data = $2, email = coalesce($3, email) where id = $1', [
    user.id,
    mergeMetadata(user.raw_user_meta_data, person.claims),
    isSso(person) ? person.email : null,
  ]);
  await recordAuditEvent(query, auth, context, 'login', user);
  return { user: await countProviders(query, user), joined: !identity };
}

/** Notifies the account's owner, who may not be the person who added the identity. */
export async function notifyIdentityLinked(
  auth: AuthContext,
  { user, joined }: SignedIn,
  provider: string,
): Promise<void> {
  if (joined) await auth.emails.notify('identity_linked', user, { Provider: provider });
}

/**
 * Adds an outside identity to the account of a person who is signed in.
 *
 * @throws AuthError identity_already_exists or email_exists
 */
export async function linkIdentity(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  user: UserRow,
  person: ProviderProfile,
): Promise<SignedIn> {
  const identity = await findIdentity(query, person);
  if (identity) {
    throw new AuthError(
      'identity_already_exists',
      identity.user_id === user.id
        ? 'Identity is already linked'
        : 'Identity is already linked to another user',
    );
  }
  await addIdentity(query, user.id, person);
  if (!user.email && person.email && person.emailVerified) {
    if (await findUserByEmail(query, person.email))
      throw new AuthError('email_exists', 'A user with this email address has already been registered');
    await query('update auth.users set email = $2, email_confirmed_at = now() where id = $1', [
      user.id,
      person.email,
    ]);
  }
  await recordAuditEvent(query, auth, context, 'identity_linked', user);
  return { user: await countProviders(query, user), joined: true };
}

/** Lists the account's identities in its metadata, the oldest first. */
export async function countProviders(query: Query, user: UserRow): Promise<UserRow> {
  const { rows } = await query<UserRow>(
    `update auth.users set updated_at = now(), raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || (
       select jsonb_build_object('provider', (array_agg(provider order by since, provider))[1],
         'providers', coalesce(jsonb_agg(provider order by since, provider), '[]'))
       from (select provider, min(created_at) as since from auth.identities where user_id = $1 group by provider) as each)
     where id = $1 returning *`,
    [user.id],
  );
  return rows[0] ?? user;
}

/** The identity, if it is known. Until the transaction ends, no other request can create it. */
async function findIdentity(query: Query, person: ProviderProfile) {
  await query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [
    `${person.provider} ${person.subject}`,
  ]);
  const { rows } = await query<{ id: string; user_id: string }>(
    'select id, user_id from auth.identities where provider = $1 and provider_id = $2',
    [person.provider, person.subject],
  );
  return rows[0];
}

/** The owner of a proved address: an account that has it, or has an identity of another provider with it. */
async function findOwner(query: Query, email: string): Promise<UserRow | undefined> {
  const holder = await findUserByEmail(query, email);
  if (holder) return holder;
  const { rows } = await query<UserRow>(
    `select u.* from auth.users u where u.email_confirmed_at is not null and not u.is_sso_user and exists (
       select from auth.identities i where i.user_id = u.id and i.email = $1
         and i.identity_data ->> 'email_verified' = 'true' and i.provider not in ('email', 'phone'))
     limit 2`,
    [email],
  );
  return rows.length === 1 ? rows[0] : undefined;
}

async function addIdentity(query: Query, userId: string, person: ProviderProfile): Promise<void> {
  await query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1, $2, $3, $4, now(), now(), now())`,
    [person.subject, userId, person.claims, person.provider],
  );
}

/**
 * A new account. An unverified address is refused instead of being sent a confirmation: a person who
 * confirmed it would share the account with the stranger who supplied it.
 */
async function signUp(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  person: ProviderProfile,
  emailOptional: boolean,
): Promise<UserRow> {
  const { email } = person;
  const trusted = person.emailVerified || !auth.config.auth.email.enable_confirmations;
  const taken = email && !isSso(person) && (await findUserByEmail(query, email)) !== undefined;
  if (email ? !trusted || taken : !emailOptional) throw rejectUnverifiedEmail(person);
  await requireOpenSignups(auth, email ? { email } : {});
  const user = await insertUser(query, {
    ...(email !== undefined && { email }),
    encryptedPassword: null,
    userMetadata: person.claims,
    confirmed: email !== undefined,
    isSso: isSso(person),
  });
  await addIdentity(query, user.id, person);
  await recordAuditEvent(query, auth, context, 'user_signedup', user);
  return countProviders(query, user);
}

/**
 * The owner of an address takes over an account that was created with it and never confirmed. Every way in
 * that the account's creator left is removed: the password, other identities, open sessions, links on their
 * way.
 */
async function claimUnconfirmed(
  query: Query,
  auth: AuthContext,
  context: Context<Env>,
  user: UserRow,
  person: ProviderProfile,
): Promise<UserRow> {
  if (!person.emailVerified || person.email !== user.email) throw rejectUnverifiedEmail(person);
  await query(
    `update auth.users set encrypted_password = null, raw_user_meta_data = $2, phone = null, phone_confirmed_at = null,
       email_change = '', phone_change = '', email_change_confirm_status = 0, email_confirmed_at = now() where id = $1`,
    [user.id, person.claims],
  );
  await query('delete from auth.identities where user_id = $1 and (provider <> $2 or provider_id <> $3)', [
    user.id,
    person.provider,
    person.subject,
  ]);
  for (const table of ['one_time_tokens', 'flow_state', 'mfa_factors', 'webauthn_credentials'])
    await query(`delete from auth.${table} where user_id = $1`, [user.id]);
  await endSessions(query, user.id);
  await recordAuditEvent(query, auth, context, 'user_signedup', user);
  return countProviders(query, user);
}

const rejectUnverifiedEmail = ({ provider }: ProviderProfile) =>
  new AuthError(
    'provider_email_needs_verification',
    `Unverified email with ${provider}. Verify the email with ${provider} in order to sign in`,
  );
