import { randomUUID } from 'node:crypto';
import type { Query } from '../database/database.ts';
import { AuthError } from './errors.ts';

export type Metadata = Record<string, unknown>;

/** A row of auth.users, as far as this service reads it. */
export interface UserRow {
  id: string;
  aud: string;
  role: string;
  email: string | null;
  phone: string | null;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  phone_confirmed_at: Date | null;
  confirmed_at: Date | null;
  invited_at: Date | null;
  confirmation_sent_at: Date | null;
  recovery_sent_at: Date | null;
  email_change: string | null;
  email_change_sent_at: Date | null;
  email_change_confirm_status: number;
  phone_change: string | null;
  phone_change_sent_at: Date | null;
  reauthentication_sent_at: Date | null;
  last_sign_in_at: Date | null;
  raw_app_meta_data: Metadata | null;
  raw_user_meta_data: Metadata | null;
  created_at: Date;
  updated_at: Date;
  banned_until: Date | null;
  deleted_at: Date | null;
  is_anonymous: boolean;
  is_sso_user: boolean;
}

/** Ends the statement by which an account is read that stays as it is until the transaction ends. */
export const LOCKED = 'for no key update';

/** The account as it is now; undefined when it has been deleted. */
export async function userById(query: Query, id: string): Promise<UserRow | undefined> {
  const { rows } = await query<UserRow>('select * from auth.users where id = $1', [id]);
  return rows[0];
}

/**
 * The account as it is now, and stays until the transaction ends. What is decided by a password, a session, a second step or a
 * change that was begun is decided behind this, since each of them is replaced or ended behind it too.
 */
export async function lockUser(query: Query, id: string): Promise<UserRow | undefined> {
  const { rows } = await query<UserRow>(`select * from auth.users where id = $1 ${LOCKED}`, [id]);
  return rows[0];
}

/**
 * Locks, as by `lockUser`, the account of what is about to be spent: the account is locked before anything of it.
 *
 * @param owner SQL that finds its id by the key
 */
export async function lockOwner(query: Query, owner: string, key: string | Buffer): Promise<void> {
  await query(`select from auth.users where id in (${owner}) ${LOCKED}`, [key]);
}

/**
 * The account with an address. Accounts of single sign-on are left out.
 *
 * @param email in lower case
 * @param lock where the account is to stay so
 */
export async function userByEmail(
  query: Query,
  email: string,
  lock: '' | typeof LOCKED = '',
): Promise<UserRow | undefined> {
  const { rows } = await query<UserRow>(
    `select * from auth.users where email = $1 and not is_sso_user ${lock}`,
    [email],
  );
  return rows[0];
}

/** @throws AuthError user_banned, also for an account that was removed and whose row is kept */
export function refuseBanned(user: UserRow): void {
  if (user.deleted_at || (user.banned_until && user.banned_until > new Date()))
    throw new AuthError('user_banned', 'User is banned');
}

export interface NewUser {
  id?: string;
  /** At least one of the two. */
  email?: string;
  /** Digits only. */
  phone?: string;
  /** Already hashed; null for people who sign in by email only. */
  encryptedPassword: string | null;
  userMetadata?: Metadata;
  /** What a person says of themselves when they sign up, which their identity has as well. */
  identityData?: Metadata;
  appMetadata?: Metadata;
  role?: string;
  confirmed?: boolean;
  phoneConfirmed?: boolean;
  invited?: boolean;
  /** Added with the service key, which the project’s own rules about sign-up do not concern. */
  byServiceKey?: boolean;
}

/** The only fact that this service itself adds to what a person says of themselves, as Supabase's own service does. */
export const VERIFIED = { email_verified: true };

/** Adds a person with an identity for each of the ways they can be reached. */
export async function createUser(query: Query, person: NewUser): Promise<UserRow> {
  const id = person.id ?? randomUUID();
  const { email = null, phone = null, confirmed = false, phoneConfirmed = false } = person;
  const identities = ownIdentities({ id, email, phone }, confirmed, phoneConfirmed);
  const providers = identities.map(({ provider }) => provider);
  const user = await insertUser(query, {
    ...person,
    id,
    appMetadata: { provider: providers[0], providers, ...person.appMetadata },
    userMetadata: { ...person.userMetadata, ...(confirmed && VERIFIED) },
  });
  for (const { provider, claims } of identities)
    await addOwnIdentity(query, id, provider, { ...person.identityData, ...claims });
  return user;
}

/** An identity for each of the ways in which an account can be reached. */
const ownIdentities = (
  { id, email, phone }: Pick<UserRow, 'id' | 'email' | 'phone'>,
  confirmed: boolean,
  phoneConfirmed: boolean,
) => [
  ...(email === null ? [] : [{ provider: 'email', claims: emailClaims(id, email, confirmed) }]),
  ...(phone === null ? [] : [{ provider: 'phone', claims: phoneClaims(id, phone, phoneConfirmed) }]),
];

/**
 * An unconfirmed sign-up reserves neither its address nor its number: the newest password and details win, and they are the
 * ones that the newest link or code confirms. Otherwise the first person to register an address would keep a password to
 * the account that the address's owner opens later.
 */
export async function addOrReplace(
  query: Query,
  unconfirmed: UserRow | undefined,
  person: NewUser,
): Promise<UserRow> {
  if (!unconfirmed) return createUser(query, person);
  const { rows } = await query<UserRow>(
    `update auth.users set encrypted_password = $2, raw_user_meta_data = $3, updated_at = now() where id = $1 returning *`,
    [unconfirmed.id, person.encryptedPassword, person.userMetadata ?? {}],
  );
  const user = rows[0] ?? unconfirmed;
  for (const { provider, claims } of ownIdentities(user, false, false))
    await query(
      'update auth.identities set identity_data = $3, updated_at = now() where user_id = $1 and provider = $2',
      [user.id, provider, { ...person.identityData, ...claims }],
    );
  return person.confirmed ? confirmEmail(query, user) : user;
}

/**
 * Takes from an account the password and the details of a sign-up that proved nothing, before its owner proves its address
 * or number otherwise than by that sign-up's own link or code: they may be a stranger's.
 */
export async function forgetUnproved(query: Query, user: UserRow): Promise<UserRow> {
  return user.confirmed_at || !user.encrypted_password
    ? user
    : addOrReplace(query, user, { encryptedPassword: null });
}

/** From here on the transaction is one of the service key, which the project's own rules about accounts do not concern. */
export async function actByServiceKey(query: Query): Promise<void> {
  await query(`select set_config('request.jwt.claims', '{"role": "service_role"}', true)`);
}

/** Adds the user's row only; the caller adds the identities. Triggers of the product may fire. */
export async function insertUser(query: Query, person: NewUser & { isSso?: boolean }): Promise<UserRow> {
  if (person.byServiceKey) await actByServiceKey(query);
  // Empty text instead of null where Supabase's own service reads these columns as text.
  const { rows } = await query<UserRow>(
    `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, raw_app_meta_data, raw_user_meta_data,
       email_confirmed_at, invited_at, created_at, updated_at,
       confirmation_token, recovery_token, email_change_token_new, email_change, phone, phone_confirmed_at, is_sso_user)
     values ('00000000-0000-0000-0000-000000000000', $1, 'authenticated', $2, $3, $4, $5, $6,
       case when $7 then now() end, case when $8 then now() end, now(), now(), '', '', '', '', $9, case when $10 then now() end, $11)
     returning *`,
    [
      person.id ?? randomUUID(),
      person.role ?? 'authenticated',
      person.email ?? null,
      person.encryptedPassword,
      person.appMetadata ?? {},
      person.userMetadata ?? {},
      person.confirmed ?? false,
      person.invited ?? false,
      person.phone ?? null,
      person.phoneConfirmed ?? false,
      person.isSso ?? false,
    ],
  );
  const [user] = rows;
  if (!user) throw new Error('a new user was not returned');
  return user;
}

/** An identity that this service itself vouches for. */
async function addOwnIdentity(query: Query, id: string, provider: string, claims: Metadata): Promise<void> {
  await query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1::text, $1::uuid, $2, $3, now(), now(), now())
     on conflict (provider_id, provider) do update
       set identity_data = identities.identity_data || excluded.identity_data, updated_at = now()`,
    [id, claims, provider],
  );
}

/** Marks the address as proved, in the user, in the metadata and in the identity. */
export async function confirmEmail(query: Query, user: UserRow): Promise<UserRow> {
  const claims = emailClaims(user.id, user.email ?? '', true);
  const { rows } = await query<UserRow>(
    `update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now(),
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || $2
     where id = $1 returning *`,
    [user.id, VERIFIED],
  );
  await query(
    `update auth.identities set identity_data = identity_data || $2, updated_at = now() where user_id = $1 and provider = 'email'`,
    [user.id, claims],
  );
  return rows[0] ?? user;
}

/** Marks the number as proved, in the user and in the identity, which it may be the first to have. */
export async function confirmPhone(query: Query, user: UserRow): Promise<UserRow> {
  const phone = user.phone ?? '';
  await addOwnIdentity(query, user.id, 'phone', phoneClaims(user.id, phone, true));
  const listed = user.raw_app_meta_data?.providers;
  const providers = Array.isArray(listed) ? listed : [];
  const { rows } = await query<UserRow>(
    `update auth.users set phone_confirmed_at = coalesce(phone_confirmed_at, now()), updated_at = now(),
       raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || $2
     where id = $1 returning *`,
    [user.id, { providers: providers.includes('phone') ? providers : [...providers, 'phone'] }],
  );
  return rows[0] ?? user;
}

/** Keys of `changes` replace those of `current`; a null takes the key away. */
export function mergeMetadata(current: Metadata | null, changes: Metadata): Metadata {
  return Object.fromEntries(Object.entries({ ...current, ...changes }).filter(([, value]) => value !== null));
}

/** What an identity by email says of its person, as Supabase’s own service writes it. */
export function emailClaims(id: string, email: string, verified: boolean): Metadata {
  return { sub: id, email, email_verified: verified, phone_verified: false };
}

/** The same for an identity by phone number. */
export const phoneClaims = (id: string, phone: string, verified: boolean): Metadata => ({
  sub: id,
  phone,
  email_verified: false,
  phone_verified: verified,
});
