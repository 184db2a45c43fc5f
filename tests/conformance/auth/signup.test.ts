import { afterEach, describe, expect, test } from 'vitest';
import { startTestBackend, withAuth } from '../../backend.ts';
import { ownBackend } from '../own-backend.ts';
import {
  byPassword,
  enter,
  follow,
  fragmentOf,
  freshAddress,
  lastMailTo,
  mailsTo,
  member,
  operator,
  PASSWORD,
  visitor,
} from './fixtures.ts';

const { backend, database } = await ownBackend(
  {},
  withAuth((auth) => ({ email: { ...auth.email, max_frequency: 60 } })),
);

describe('sign-up with confirmation', () => {
  test('mails a link that confirms the address and signs in', async () => {
    const email = freshAddress();
    const { data, error } = await visitor(backend).auth.signUp({
      email,
      password: PASSWORD,
      options: { data: { full_name: 'Ada' } },
    });
    expect(error).toBeNull();
    expect(data.session).toBeNull();

    const refused = await byPassword(backend, { email });
    expect(refused.error).toMatchObject({
      status: 400,
      code: 'email_not_confirmed',
      message: 'Email not confirmed',
    });

    const mail = await lastMailTo(backend, email);
    expect(mail.subject).toBe('Confirm your email');
    const target = await follow(mail.link);
    expect(target.origin).toBe(backend.url);
    const fragment = fragmentOf(target);
    expect(Object.fromEntries(fragment)).toMatchObject({
      token_type: 'bearer',
      type: 'signup',
      expires_in: '3600',
      sb: '',
    });

    const tab = visitor(backend);
    const { data: session } = await enter(tab, fragment);
    expect(session.user?.email).toBe(email);
    expect(session.user?.user_metadata).toEqual({ full_name: 'Ada', email_verified: true });
    expect(session.user?.email_confirmed_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test('a link works once', async () => {
    const email = freshAddress();
    await visitor(backend).auth.signUp({ email, password: PASSWORD });
    const { link } = await lastMailTo(backend, email);
    await follow(link);
    const again = await follow(link);
    expect(again.hash).toBe(
      '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
    );
  });

  test('the mailed code confirms as well', async () => {
    const email = freshAddress();
    const tab = visitor(backend);
    await tab.auth.signUp({ email, password: PASSWORD });
    const { code } = await lastMailTo(backend, email);
    const { data, error } = await tab.auth.verifyOtp({ email, token: code, type: 'signup' });
    expect(error).toBeNull();
    expect(data.session?.user.email).toBe(email);
  });

  test.each([
    [
      { email: 'no-address', password: PASSWORD },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      { email: 'x@example.org', password: '12345' },
      422,
      'weak_password',
      'Password should be at least 6 characters.',
    ],
    [{ email: 'x@example.org', password: 'Password1' }, 422, 'weak_password', /easy to guess/],
    [{ email: 'x@example.org', password: 'x'.repeat(201) }, 400, 'validation_failed', /longer than 200/],
    [{ email: 'x@example.org', password: '' }, 422, 'validation_failed', 'Signup requires a valid password'],
    [
      { phone: '+447700900000', password: PASSWORD },
      400,
      'phone_provider_disabled',
      'Phone signups are disabled',
    ],
    [{}, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
    [
      { email: 'x@example.org', password: PASSWORD, data: { a: 'x'.repeat(5000) } },
      400,
      'validation_failed',
      /data/,
    ],
    [
      { email: 'x@example.org', password: PASSWORD, data: { a: '\0' } },
      400,
      'validation_failed',
      /cannot be stored/,
    ],
    [
      { email: 'x@example.org', password: PASSWORD, data: { a: '\ud800' } },
      400,
      'validation_failed',
      /cannot be stored/,
    ],
    [
      { email: 'x@example.org', password: PASSWORD, data: { a: 'x'.repeat(1_000_000) } },
      413,
      'validation_failed',
      /too large/,
    ],
  ])('refuses %#', async (sent, status, code, message) => {
    const response = await fetch(`${backend.url}/auth/v1/signup`, {
      method: 'POST',
      headers: {
        apikey: backend.anonKey,
        'content-type': 'application/json',
        'x-supabase-api-version': '2024-01-01',
      },
      body: JSON.stringify(sent),
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-supabase-api-version')).toBe('2024-01-01');
    expect(response.headers.get('x-sb-error-code')).toBe(code);
    const body = await response.json();
    expect(body.code).toBe(code);
    expect(body.message).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message);
  });
});

test('a password has the characters that the settings ask for, and says which are missing', async () => {
  const strict = await startTestBackend(
    {},
    withAuth({ password_requirements: 'lower_upper_letters_digits' }),
  );
  try {
    const { auth } = visitor(strict);
    const refused = await auth.signUp({ email: freshAddress(), password: 'walk' });
    expect(refused.error).toMatchObject({
      status: 422,
      code: 'weak_password',
      reasons: ['length', 'characters'],
      message:
        'Password should be at least 6 characters. Password should contain at least one character of each: ' +
        'abcdefghijklmnopqrstuvwxyz, ABCDEFGHIJKLMNOPQRSTUVWXYZ, 0123456789.',
    });
    for (const password of ['a walk by the sea', 'A walk by the sea', 'a walk by 7 seas'])
      expect((await auth.signUp({ email: freshAddress(), password })).error).toMatchObject({
        reasons: ['characters'],
      });
    expect((await auth.signUp({ email: freshAddress(), password: 'A walk by 7 seas' })).error).toBeNull();
  } finally {
    await strict.stop();
  }
});

describe('the settings of the site', () => {
  const disabled = { status: 422, code: 'signup_disabled', message: 'Signups not allowed for this instance' };
  const signUp = (email: string) => visitor(backend).auth.signUp({ email, password: PASSWORD });
  const set = (assignments: string) => database.query(`update public.site_settings set ${assignments}`);
  const isDisabled = async () =>
    (await (await fetch(`${backend.url}/auth/v1/settings`, { headers: { apikey: backend.anonKey } })).json())
      .disable_signup;
  afterEach(() => set("sign_up = 'open', email_domains = '{}'"));

  test('close sign-up, and say so the same of an address that has an account', async () => {
    const { email } = await member(backend);
    expect(await isDisabled()).toBe(false);
    await set("sign_up = 'closed'");
    expect(await isDisabled()).toBe(true);
    for (const address of [email, freshAddress()])
      expect((await signUp(address)).error).toMatchObject(disabled);
    // Nor by a code, which is mailed to members alone.
    const unknown = freshAddress();
    for (const address of [email, unknown])
      expect((await visitor(backend).auth.signInWithOtp({ email: address })).error).toBeNull();
    expect((await lastMailTo(backend, email)).subject).toBe('Your sign-in link');
    expect(await mailsTo(backend, unknown)).toEqual([]);
    expect((await byPassword(backend, { email })).error).toBeNull();
    const made = await operator(backend).auth.admin.createUser({ email: freshAddress() });
    expect(made.error).toBeNull();
  });

  test('let in who was invited, and hide whether they have an account already', async () => {
    const email = freshAddress();
    await operator(backend).auth.admin.createUser({ email, email_confirm: true });
    const invited = freshAddress();
    await database.query('insert into private.invitations (email) values ($1), ($2)', [email, invited]);
    await set("sign_up = 'invite'");
    expect(await isDisabled()).toBe(true);
    expect((await signUp(freshAddress())).error).toMatchObject(disabled);
    for (const address of [email, invited]) expect((await signUp(address)).error).toBeNull();
    expect((await lastMailTo(backend, invited)).subject).toBe('Confirm your email');
    expect((await lastMailTo(backend, email)).subject).toBe('You already have an account');
    const mailed = await operator(backend).auth.admin.inviteUserByEmail(freshAddress());
    expect(mailed.error).toBeNull();
  });

  test('name the domains of the addresses that may sign up, and to which members may change', async () => {
    await set("email_domains = array['example.org']");
    const refused = {
      status: 422,
      code: 'email_address_not_authorized',
      message: 'Please use an email address at example.org',
    };
    expect(await isDisabled()).toBe(false);
    expect((await signUp('someone@elsewhere.example')).error).toMatchObject(refused);
    const { client } = await member(backend);
    expect((await client.auth.updateUser({ email: 'someone@elsewhere.example' })).error).toMatchObject(
      refused,
    );
    expect((await client.auth.updateUser({ email: freshAddress() })).error).toBeNull();
  });
});
