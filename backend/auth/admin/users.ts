import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Env } from '../../context.ts';
import { DatabaseError, type Query } from '../../database/database.ts';
import { milliseconds } from '../../duration.ts';
import { isUuid } from '../../uuid.ts';
import { recordAuditEvent } from '../audit.ts';
import { type AuthHandler, field, readBody } from '../context.ts';
import { DUPLICATE_EMAIL } from '../email/redeem-token.ts';
import { AuthError } from '../errors.ts';
import { hashPassword, requireStrongPassword } from '../passwords.ts';
import { DUPLICATE_PHONE, phoneDigits } from '../phone/phones.ts';
import { endSessions } from '../sessions/sessions.ts';
import { userJson } from '../user-json.ts';
import {
  actByServiceKey,
  confirmEmail,
  confirmPhone,
  createUser,
  emailClaims,
  mergeMetadata,
  type UserRow,
  userById,
} from '../users.ts';

const body = z.object({
  id: z.uuid().nullish(),
  email: field.email,
  phone: field.text,
  password: field.text,
  password_hash: field.text,
  email_confirm: z.boolean().nullish(),
  phone_confirm: z.boolean().nullish(),
  user_metadata: field.metadata,
  app_metadata: field.metadata,
  role: field.text,
  ban_duration: field.text,
});

/** GET /admin/users */
export const adminListUsers: AuthHandler = async (context, auth) => {
  const page = positive(context, 'page', 1);
  const perPage = Math.min(positive(context, 'per_page', 50), 1000);
  const { users, total } = await auth.authDatabase.transaction(async (query) => {
    const { rows } = await query<UserRow>(
      'select * from auth.users order by created_at desc, id desc limit $1 offset $2',
      [perPage, (page - 1) * perPage],
    );
    const counted = await query<{ total: string }>('select count(*) as total from auth.users');
    const described = [];
    for (const row of rows) described.push(await userJson(query, row));
    return { users: described, total: Number(counted.rows[0]?.total ?? 0) };
  });
  const last = Math.max(1, Math.ceil(total / perPage));
  const link = (to: number, rel: string) =>
    `<${auth.config.siteUrl}/auth/v1/admin/users?page=${to}&per_page=${perPage}>; rel="${rel}"`;
  context.header('x-total-count', String(total));
  context.header('link', [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', '));
  return context.json({ users, aud: 'authenticated' });
};

/** POST /admin/users */
export const adminCreateUser: AuthHandler = async (context, auth) => {
  const given = await readBody(context, body);
  const { email } = given;
  const phone = given.phone && phoneDigits(given.phone);
  if (!email && !phone)
    throw new AuthError('validation_failed', 'Cannot create a user without either an email or phone');
  if (given.password && given.password_hash)
    throw new AuthError('validation_failed', 'Only a password or a password hash should be provided');
  const encryptedPassword = await passwordFor(given, auth.config);
  const bannedUntil = banEnd(given.ban_duration);
  const user = await unique(() =>
    auth.authDatabase.transaction(async (query) => {
      const created = await createUser(query, {
        ...(given.id && { id: given.id }),
        ...(given.role && { role: given.role }),
        ...(email && { email }),
        ...(phone && { phone, phoneConfirmed: given.phone_confirm ?? false }),
        encryptedPassword: encryptedPassword ?? null,
        userMetadata: given.user_metadata ?? {},
        appMetadata: given.app_metadata ?? {},
        confirmed: given.email_confirm ?? false,
        byServiceKey: true,
      });
      if (bannedUntil)
        await query('update auth.users set banned_until = $2 where id = $1', [created.id, bannedUntil]);
      await recordAuditEvent(query, auth, context, 'user_signedup', created);
      return userJson(query, { ...created, banned_until: bannedUntil ?? null });
    }),
  );
  return context.json(user);
};

/** GET /admin/users/{id} */
export const adminGetUser: AuthHandler = async (context, auth) => {
  const user = await auth.authDatabase.transaction(async (query) =>
    userJson(query, await target(context, query)),
  );
  return context.json(user);
};

/** PUT /admin/users/{id} */
export const adminUpdateUser: AuthHandler = async (context, auth) => {
  const given = await readBody(context, body);
  const encryptedPassword = await passwordFor(given, auth.config);
  const bannedUntil = banEnd(given.ban_duration);
  const user = await unique(() =>
    auth.authDatabase.transaction(async (query) => {
      await actByServiceKey(query);
      const before = await target(context, query);
      const email = given.email ?? before.email;
      const phone = given.phone ? phoneDigits(given.phone) : before.phone;
      const verified = given.email_confirm ?? before.email_confirmed_at !== null;
      const claims = emailClaims(before.id, email ?? '', verified);
      const { rows } = await query<UserRow>(
        `update auth.users set email = $2, encrypted_password = coalesce($3, encrypted_password), role = coalesce($4, role),
           raw_user_meta_data = $5, raw_app_meta_data = $6, banned_until = case when $7 then $8 else banned_until end,
           phone = $9, phone_confirmed_at = case when $9 is distinct from phone then null else phone_confirmed_at end,
           updated_at = now()
         where id = $1 returning *`,
        [
          before.id,
          email,
          encryptedPassword ?? null,
          given.role ?? null,
          mergeMetadata(before.raw_user_meta_data, given.user_metadata ?? {}),
          mergeMetadata(before.raw_app_meta_data, given.app_metadata ?? {}),
          bannedUntil !== undefined,
          bannedUntil ?? null,
          phone,
        ],
      );
      let after = rows[0] ?? before;
      await query(
        `update auth.identities set identity_data = identity_data || $2, updated_at = now() where user_id = $1 and provider = 'email'`,
        [after.id, claims],
      );
      if (given.email_confirm) after = await confirmEmail(query, after);
      if (phone && (given.phone_confirm || after.phone_confirmed_at))
        after = await confirmPhone(query, after);
      // The sessions of the account's previous holder end.
      if (encryptedPassword || bannedUntil) await endSessions(query, after.id);
      const ban = bannedUntil === undefined ? undefined : { banned_until: bannedUntil };
      await recordAuditEvent(query, auth, context, 'user_modified', after, ban);
      return userJson(query, after);
    }),
  );
  return context.json(user);
};

const deletion = z.object({ should_soft_delete: z.boolean().nullish() });

/** DELETE /admin/users/{id} */
export const adminDeleteUser: AuthHandler = async (context, auth) => {
  const { should_soft_delete: soft } = await readBody(context, deletion);
  await auth.authDatabase.transaction(async (query) => {
    const user = await target(context, query);
    await recordAuditEvent(query, auth, context, 'user_deleted', user);
    if (!soft) {
      await query('delete from auth.users where id = $1', [user.id]);
      return;
    }
    // The remaining row identifies no person, and keeps the address free.
    const nobody = createHash('sha256')
      .update(user.id + (user.email ?? ''))
      .digest('base64url');
    // First, so that none of what is deleted after it comes by a sign-in that is on its way.
    await query(
      `update auth.users set email = $2, phone = null, encrypted_password = '', raw_user_meta_data = '{}',
         raw_app_meta_data = '{}', deleted_at = now(), updated_at = now() where id = $1`,
      [user.id, nobody],
    );
    await endSessions(query, user.id);
    for (const table of ['identities', 'mfa_factors', 'webauthn_credentials'])
      await query(`delete from auth.${table} where user_id = $1`, [user.id]);
  });
  return context.json({});
};

/** @throws AuthError validation_failed or user_not_found */
export async function target(context: Context<Env>, query: Query): Promise<UserRow> {
  const id = context.req.param('id');
  if (!isUuid(id)) throw new AuthError('validation_failed', 'user_id must be an UUID', { status: 404 });
  const user = await userById(query, id);
  if (!user) throw new AuthError('user_not_found', 'User not found');
  return user;
}

async function passwordFor(
  given: z.output<typeof body>,
  { passwordCost, auth: rules }: Config,
): Promise<string | undefined> {
  if (given.password_hash) {
    if (!/^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(given.password_hash))
      throw new AuthError('validation_failed', 'password_hash: must be a bcrypt hash');
    return given.password_hash;
  }
  if (!given.password) return undefined;
  requireStrongPassword(given.password, rules);
  return hashPassword(given.password, passwordCost);
}

/** When a ban given as `24h` or `1h30m` ends; null lifts it. */
function banEnd(duration: string | undefined): Date | null | undefined {
  if (duration === undefined) return undefined;
  if (duration === 'none') return null;
  const total = milliseconds(duration);
  if (total === undefined) throw new AuthError('validation_failed', 'invalid format for ban duration');
  // The largest date JavaScript and PostgreSQL agree on is far enough for a ban for ever.
  return new Date(Math.min(Date.now() + total, Date.UTC(9999, 0)));
}

async function unique<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseError && error.code === '23505' && error.constraint === 'users_phone_key')
      throw new AuthError('phone_exists', DUPLICATE_PHONE, { cause: error });
    if (error instanceof DatabaseError && error.code === '23505')
      throw new AuthError('email_exists', DUPLICATE_EMAIL, { cause: error });
    throw error;
  }
}

function positive(context: Context<Env>, name: string, otherwise: number): number {
  const text = context.req.query(name);
  if (!text) return otherwise;
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw new AuthError('validation_failed', `Bad Pagination Parameters: ${name}`);
  return Number(text);
}
