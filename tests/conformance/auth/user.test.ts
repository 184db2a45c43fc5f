import { afterAll, describe, expect, test } from 'vitest';
import { repeatRemovals, startTestBackend, withAuth } from '../../backend.ts';
import { ownBackend } from '../own-backend.ts';
import {
  byPassword,
  enter,
  follow,
  fragmentOf,
  freshAddress,
  held,
  lastMailTo,
  mailsTo,
  member,
  operator,
  PASSWORD,
  visitor,
} from './fixtures.ts';

/** The values that differ between any two accounts. */
const anonymised = (text: string, names: Record<string, string>) =>
  Object.entries(names)
    .reduce((whole, [name, general]) => whole.replaceAll(name, general), text)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

const { backend, database } = await ownBackend();
/** By this one go requests while those of the other wait: a client that is slow has one piece of work run at a time. */
const beside = await startTestBackend({}, withAuth(), backend);
afterAll(() => beside.stop());

/** A tab that came through the link of a recovery email. */
async function recovered(email: string) {
  await visitor(backend).auth.resetPasswordForEmail(email, { redirectTo: `${backend.url}/auth` });
  const landed = await follow((await lastMailTo(backend, email)).link);
  const fragment = fragmentOf(landed);
  expect(landed.pathname).toBe('/auth');
  expect(fragment.get('type')).toBe('recovery');
  const tab = visitor(backend);
  await enter(tab, fragment);
  return tab;
}

test('metadata is merged, and null takes a key away', async () => {
  const { client } = await member(backend);
  await client.auth.updateUser({ data: { a: 1, b: { c: 2 } } });
  const { data } = await client.auth.updateUser({ data: { a: null, d: 3 } });
  expect(data.user?.user_metadata).toEqual({ b: { c: 2 }, d: 3, email_verified: true });
});

test('no one makes themselves an admin', async () => {
  const { client } = await member(backend);
  const token = (await client.auth.getSession()).data.session?.access_token;
  const response = await fetch(`${backend.url}/auth/v1/user`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ data: { role: 'service_role' }, app_metadata: { role: 'admin' } }),
  });
  expect(response.status).toBe(403);
  await client.auth.updateUser({ data: { role: 'service_role', sub: 'x', email: 'x@example.org' } });
  await client.auth.refreshSession();
  const { data } = await client.auth.getClaims();
  // What people say of themselves stays among the metadata.
  const { id, email } = (await client.auth.getUser()).data.user ?? {};
  expect(data?.claims).toMatchObject({ role: 'authenticated', sub: id, email });
  expect(data?.claims.user_metadata).toMatchObject({ sub: 'x', email: 'x@example.org' });
});

describe('password', () => {
  test('a recovery link allows a new one, and ends the other sessions', async () => {
    const { email, client } = await member(backend);
    const tab = await recovered(email);
    expect((await tab.auth.updateUser({ password: 'monkey' })).error).toMatchObject({
      status: 422,
      code: 'weak_password',
      reasons: ['pwned'],
    });
    expect((await tab.auth.updateUser({ password: PASSWORD })).error).toMatchObject({
      status: 422,
      code: 'same_password',
    });
    expect((await tab.auth.updateUser({ password: 'quite another one' })).error).toBeNull();
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await byPassword(backend, { email })).error?.code).toBe('invalid_credentials');
    expect((await byPassword(backend, { email }, 'quite another one')).error).toBeNull();
  });

  test('a session alone is not enough; the present password or a mailed nonce is', async () => {
    const { client, email } = await member(backend);
    const change = (password: string, proof: { nonce?: string; current_password?: string } = {}) =>
      client.auth.updateUser({ password, ...proof });
    expect((await change('brand new password 1')).error).toMatchObject({
      status: 400,
      code: 'reauthentication_needed',
    });
    expect((await change('brand new password 1', { current_password: 'wrong' })).error?.code).toBe(
      'invalid_credentials',
    );
    expect((await change('brand new password 1', { current_password: PASSWORD })).error).toBeNull();

    expect((await client.auth.reauthenticate()).error).toBeNull();
    const { code } = await lastMailTo(backend, email);
    const wrong = code === '000000' ? '111111' : '000000';
    expect((await change('brand new password 2', { nonce: wrong })).error).toMatchObject({
      status: 422,
      code: 'reauthentication_not_valid',
    });
    expect((await change('brand new password 2', { nonce: code })).error).toBeNull();
    expect((await change('brand new password 3', { nonce: code })).error?.code).toBe(
      'reauthentication_not_valid',
    );
  });
});

describe('email change', () => {
  test('needs both addresses, in either order', async () => {
    const { client, email } = await member(backend);
    const next = freshAddress();
    const { data } = await client.auth.updateUser({ email: next });
    expect(data.user).toMatchObject({ email, new_email: next });

    const half = await follow((await lastMailTo(backend, next)).link);
    expect(fragmentOf(half).get('message')).toMatch(/^Confirmation link accepted/);
    expect((await client.auth.getUser()).data.user?.email).toBe(email);

    const whole = await follow((await lastMailTo(backend, email)).link);
    expect(fragmentOf(whole).get('type')).toBe('email_change');
    const notice = await lastMailTo(backend, email);
    expect(notice.subject).toBe('Your email was changed');
    expect(notice.text).toContain(`from ${email} to ${next}`);
    const { user } = (await client.auth.getUser()).data;
    expect(user).toMatchObject({ email: next, user_metadata: { email_verified: true } });
    expect(user?.new_email).toBeUndefined();
    expect(user?.identities?.[0]?.identity_data).toMatchObject({ email: next });
    expect((await byPassword(backend, { email: next })).error).toBeNull();
    expect((await byPassword(backend, { email })).error?.code).toBe('invalid_credentials');
  });

  test('ends with a new password, but for the one of the same request', async () => {
    const { client, email } = await member(backend);
    const next = freshAddress();
    await client.auth.updateUser({ email: next });
    const begun = [await lastMailTo(backend, email), await lastMailTo(backend, next)];
    const password = { password: 'quite another one', current_password: PASSWORD };
    expect((await client.auth.updateUser(password)).data.user?.new_email).toBeUndefined();
    for (const { link } of begun)
      expect(fragmentOf(await follow(link)).get('error_code')).toBe('otp_expired');
    const again = { email: next, password: 'and one more walk', current_password: 'quite another one' };
    expect((await client.auth.updateUser(again)).data.user?.new_email).toBe(next);
    for (const address of [next, email]) {
      // The notice of the new password has no such link.
      const mail = (await mailsTo(backend, address)).find(({ link }) => link);
      await follow(mail?.link ?? '');
    }
    expect((await byPassword(backend, { email: next }, 'and one more walk')).error).toBeNull();
  });

  test('to another address ends the halves of the one before, also one that comes back at that moment', async () => {
    const { client, email, id } = await member(backend);
    const [first, second] = [freshAddress(), freshAddress()];
    await client.auth.updateUser({ email: first });
    const { link } = await lastMailTo(backend, first);
    const [change, half] = await held(backend, id, async (_owner, waiting) => {
      const change = client.auth.updateUser({ email: second });
      await waiting(1);
      const half = follow(link.replace(backend.url, beside.url));
      await waiting(2);
      return [change, half] as const;
    });
    expect((await change).data.user?.new_email).toBe(second);
    await half;
    const [asked, there] = [await lastMailTo(backend, email), await lastMailTo(backend, second)];
    expect(fragmentOf(await follow(there.link)).get('message')).toMatch(/^Confirmation link accepted/);
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
    await follow(asked.link);
    expect((await client.auth.getUser()).data.user?.email).toBe(second);
  });

  test('by codes; one half cannot be used for both', async () => {
    const { client, email } = await member(backend);
    const next = freshAddress();
    await client.auth.updateUser({ email: next });
    const present = await lastMailTo(backend, email);
    const verify = (address: string, token: string) =>
      visitor(backend).auth.verifyOtp({ email: address, token, type: 'email_change' });
    expect((await verify(email, present.code)).error).toBeNull();
    expect((await verify(email, present.code)).error?.code).toBe('otp_expired');
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
    const { data } = await verify(next, (await lastMailTo(backend, next)).code);
    expect(data.user?.email).toBe(next);
  });

  test('to an address that someone has is answered like any other, and never completed', async () => {
    const registered = (await member(backend)).email;
    const observed = [];
    for (const wanted of [registered, freshAddress()]) {
      const { client, email, id } = await member(backend);
      const [before, beforeThere] = [await mailsTo(backend, email), await mailsTo(backend, wanted)];
      const answer = JSON.stringify(await client.auth.updateUser({ email: wanted }));
      const newMails = (await mailsTo(backend, email)).slice(0, -before.length);
      observed.push([
        anonymised(answer, { [wanted]: 'WANTED', [email]: 'PRESENT', [id]: 'ID' }),
        newMails.map(({ subject }) => subject),
      ]);
      const { searchParams } = new URL(newMails[0]?.link ?? '');
      const half = await visitor(backend).auth.verifyOtp({
        token_hash: searchParams.get('token') ?? '',
        type: 'email_change',
      });
      expect([half.error, half.data.session]).toEqual([null, null]);
      await visitor(backend).auth.resend({ type: 'email_change', email });
      const there = (await mailsTo(backend, wanted)).length - beforeThere.length;
      // The owner of a taken address gets no email; a free address gets one for the request and one for its
      // repetition.
      expect(there).toBe(wanted === registered ? 0 : 2);
      expect((await client.auth.getUser()).data.user?.email).toBe(email);
    }
    expect(observed[0]).toEqual(observed[1]);
  });
});

describe('the operator', () => {
  test('creates, reads, changes and removes people', async () => {
    const { admin } = operator(backend).auth;
    const email = freshAddress();
    const created = await admin.createUser({
      email,
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { full_name: 'C' },
      app_metadata: { team: 1 },
    });
    expect(created.data.user).toMatchObject({
      email,
      role: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'], team: 1 },
      user_metadata: { full_name: 'C', email_verified: true },
      email_confirmed_at: expect.any(String),
    });
    const id = created.data.user?.id ?? '';
    expect((await admin.createUser({ email })).error).toMatchObject({ status: 422, code: 'email_exists' });
    expect((await byPassword(backend, { email })).error).toBeNull();

    const unconfirmed = await admin.createUser({ email: freshAddress(), user_metadata: { full_name: 'D' } });
    expect(unconfirmed.data.user?.user_metadata).toEqual({ full_name: 'D' });
    const repainted = await admin.updateUserById(unconfirmed.data.user?.id ?? '', {
      user_metadata: { favourite: 'yellow' },
    });
    expect(repainted.data.user?.user_metadata).toEqual({ full_name: 'D', favourite: 'yellow' });

    const moved = freshAddress();
    expect(
      (await admin.updateUserById(id, { email: moved, password: 'set by the operator' })).data.user?.email,
    ).toBe(moved);
    expect((await byPassword(backend, { email: moved }, 'set by the operator')).error).toBeNull();
    expect((await admin.getUserById(id)).data.user?.user_metadata).toMatchObject({ full_name: 'C' });

    expect((await admin.deleteUser(id)).error).toBeNull();
    expect((await admin.getUserById(id)).error).toMatchObject({ status: 404, code: 'user_not_found' });
  });

  test.each([
    ['address', () => ({ email: freshAddress() })],
    ['password', () => ({ password: 'set by the operator' })],
  ])('sets another %s, with which the links that were mailed before end', async (_what, change) => {
    const { admin } = operator(backend).auth;
    const { email, id, client } = await member(backend);
    const next = freshAddress();
    await client.auth.updateUser({ email: next });
    const links = [(await lastMailTo(backend, next)).link];
    await visitor(backend).auth.resetPasswordForEmail(email);
    links.push((await lastMailTo(backend, email)).link);
    const { data } = await admin.updateUserById(id, change());
    expect(data.user?.new_email).toBeUndefined();
    for (const link of links) expect(fragmentOf(await follow(link)).get('error_code')).toBe('otp_expired');
    const tab = await recovered(data.user?.email ?? '');
    expect((await tab.auth.getUser()).data.user?.id).toBe(id);
  });

  test('begins a change of address, for which no half of another one counts', async () => {
    const { admin } = operator(backend).auth;
    const { client, email } = await member(backend);
    await client.auth.updateUser({ email: freshAddress() });
    const { link } = await lastMailTo(backend, email);
    const newEmail = freshAddress();
    const half = async (type: 'email_change_new' | 'email_change_current') =>
      (await admin.generateLink({ type, email, newEmail })).data.properties?.action_link ?? '';
    const there = await half('email_change_new');
    expect(fragmentOf(await follow(link)).get('error_code')).toBe('otp_expired');
    expect(fragmentOf(await follow(there)).get('message')).toMatch(/^Confirmation link accepted/);
    await follow(await half('email_change_current'));
    expect((await client.auth.getUser()).data.user?.email).toBe(newEmail);
  });

  test('removes softly while someone signs in, whose session ends with the account', async () => {
    const { email, id } = await member(backend);
    const [signIn, removal] = await held(backend, id, async (_owner, waiting) => {
      const signIn = byPassword(backend, { email });
      await waiting(1);
      const removal = operator(beside).auth.admin.deleteUser(id, true);
      await waiting(2);
      return [signIn, removal] as const;
    });
    expect((await removal).error).toBeNull();
    const token = (await signIn).data.session?.access_token ?? '';
    expect((await visitor(backend).auth.getUser(token)).error).not.toBeNull();
    const { rowCount } = await database.query('select from auth.sessions where user_id = $1', [id]);
    expect(rowCount).toBe(0);
  });

  test('bans, and the ban and its end outlive an earlier backup', async () => {
    const { admin } = operator(backend).auth;
    const { email, id } = await member(backend);
    for (const [ban_duration, code] of [
      ['24h', 'user_banned'],
      ['none', undefined],
    ] as const) {
      const { rows } = await database.query('select banned_until from auth.users where id = $1', [id]);
      await admin.updateUserById(id, { ban_duration });
      await database.query('update auth.users set banned_until = $2 where id = $1', [
        id,
        rows[0].banned_until,
      ]);
      await repeatRemovals(database);
      expect((await byPassword(backend, { email })).error?.code).toBe(code);
    }
  });

  test('bans and lets back in', async () => {
    const { admin } = operator(backend).auth;
    const { client, email, id } = await member(backend);
    const { data } = await client.auth.getSession();
    await admin.updateUserById(id, { ban_duration: '1h30m' });
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    const refresh = await visitor(backend).auth.refreshSession({
      refresh_token: data.session?.refresh_token ?? '',
    });
    expect(refresh.error?.status).toBe(400);
    expect((await byPassword(backend, { email })).error).toMatchObject({
      status: 403,
      code: 'user_banned',
    });
    await admin.updateUserById(id, { ban_duration: 'none' });
    expect((await byPassword(backend, { email })).error).toBeNull();
  });

  test('imports a password hash, and removes softly', async () => {
    const { admin } = operator(backend).auth;
    const email = freshAddress();
    // bcrypt of "correct horse battery staple", as another service made it.
    const password_hash = '$2a$10$Fxj4ItqKO9ms98fw4MjYHuPFFYpefB.olNVx9m1k0L6zrkgDjFE3e';
    const { data, error } = await admin.createUser({ email, password_hash, email_confirm: true });
    expect(error).toBeNull();
    expect((await byPassword(backend, { email }, 'correct horse battery staple')).error).toBeNull();
    await admin.deleteUser(data.user?.id ?? '', true);
    const { data: rest } = await admin.getUserById(data.user?.id ?? '');
    expect(rest.user).toMatchObject({ deleted_at: expect.any(String), user_metadata: {} });
    expect(rest.user?.email).not.toContain('@');
    expect((await admin.createUser({ email })).error).toBeNull();
  });

  test('lists page by page', async () => {
    const { admin } = operator(backend).auth;
    // The client library reads the first digit of a page's number.
    const perPage = 4;
    for (let i = 0; i <= perPage; i++) await admin.createUser({ email: freshAddress() });
    const first = await admin.listUsers({ page: 1, perPage });
    if (first.error) throw first.error;
    expect(first.data.users).toHaveLength(perPage);
    expect(first.data).toMatchObject({ nextPage: 2, lastPage: Math.ceil(first.data.total / perPage) });
    const second = await admin.listUsers({ page: 2, perPage });
    expect(second.data.users.map((user) => user.id)).not.toContain(first.data.users[0]?.id);
  });
});
