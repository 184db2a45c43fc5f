import { randomUUID } from 'node:crypto';
import type { Query } from '../database/database.ts';
import { type FactorRow, factorJson, factorsOf, lacksSecondStep } from './factors.ts';
import { emailClaims, type Metadata, phoneClaims, type UserRow } from './users.ts';

interface IdentityRow {
  id: string;
  provider_id: string;
  user_id: string;
  identity_data: Metadata;
  provider: string;
  last_sign_in_at: Date | null;
  created_at: Date;
  updated_at: Date;
  email: string | null;
}

/**
 * The person as the client library's `User`.
 *
 * @param aal the level of the session that reads it: before the second step of a person who has one, it does not have what
 * they and their providers say of them
 */
export async function userJson(query: Query, user: UserRow, aal: string | null = 'aal2') {
  const [{ rows }, factors] = await Promise.all([
    query<IdentityRow>('select * from auth.identities where user_id = $1 order by created_at, id', [user.id]),
    factorsOf(query, user.id),
  ]);
  return lacksSecondStep(aal, factors)
    ? withoutEmpty({ ...user, raw_user_meta_data: {} }, [], factors)
    : withoutEmpty(user, rows, factors);
}

export type User = ReturnType<typeof withoutEmpty>;

/** The response to a sign-up with a known address: nothing in it reveals that the address is known. */
export function decoyUser(
  { email, phone }: { email?: string; phone?: string },
  data: Metadata | undefined,
): User {
  const now = new Date();
  const id = randomUUID();
  const provider = phone ? 'phone' : 'email';
  const claims = phone ? phoneClaims(id, phone, false) : emailClaims(id, email ?? '', false);
  return withoutEmpty(
    {
      id,
      aud: 'authenticated',
      role: 'authenticated',
      email: email ?? null,
      phone: phone ?? null,
      encrypted_password: null,
      email_confirmed_at: null,
      phone_confirmed_at: null,
      confirmed_at: null,
      invited_at: null,
      confirmation_sent_at: now,
      recovery_sent_at: null,
      email_change: '',
      email_change_sent_at: null,
      email_change_confirm_status: 0,
      phone_change: '',
      phone_change_sent_at: null,
      reauthentication_sent_at: null,
      last_sign_in_at: null,
      raw_app_meta_data: { provider, providers: [provider] },
      raw_user_meta_data: data ?? {},
      created_at: now,
      updated_at: now,
      banned_until: null,
      deleted_at: null,
      is_anonymous: false,
      is_sso_user: false,
    },
    [
      {
        id: randomUUID(),
        provider_id: id,
        user_id: id,
        identity_data: { ...data, ...claims },
        provider,
        last_sign_in_at: now,
        created_at: now,
        updated_at: now,
        email: email ?? null,
      },
    ],
    [],
  );
}

function withoutEmpty(user: UserRow, identities: IdentityRow[], factors: FactorRow[]) {
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email ?? '',
    phone: user.phone ?? '',
    email_confirmed_at: user.email_confirmed_at ?? undefined,
    phone_confirmed_at: user.phone_confirmed_at ?? undefined,
    confirmed_at: user.confirmed_at ?? undefined,
    invited_at: user.invited_at ?? undefined,
    confirmation_sent_at: user.confirmation_sent_at ?? undefined,
    recovery_sent_at: user.recovery_sent_at ?? undefined,
    new_email: user.email_change || undefined,
    email_change_sent_at: user.email_change_sent_at ?? undefined,
    new_phone: user.phone_change || undefined,
    phone_change_sent_at: user.phone_change_sent_at ?? undefined,
    reauthentication_sent_at: user.reauthentication_sent_at ?? undefined,
    last_sign_in_at: user.last_sign_in_at ?? undefined,
    // Keys in a fixed order, so that two answers differ only in their values.
    app_metadata: sorted(user.raw_app_meta_data),
    user_metadata: sorted(user.raw_user_meta_data),
    identities: identities.map((identity) => ({
      identity_id: identity.id,
      id: identity.provider_id,
      user_id: identity.user_id,
      identity_data: sorted(identity.identity_data),
      provider: identity.provider,
      last_sign_in_at: identity.last_sign_in_at ?? undefined,
      created_at: identity.created_at,
      updated_at: identity.updated_at,
      email: identity.email ?? undefined,
    })),
    factors: factors.length > 0 ? factors.map(factorJson) : undefined,
    created_at: user.created_at,
    updated_at: user.updated_at,
    banned_until: user.banned_until ?? undefined,
    deleted_at: user.deleted_at ?? undefined,
    is_anonymous: user.is_anonymous,
  };
}

function sorted(metadata: Metadata | null): Metadata {
  return Object.fromEntries(Object.entries(metadata ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}
