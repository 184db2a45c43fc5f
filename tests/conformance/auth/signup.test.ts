import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestBackend, type TestBackend, withAuth } from '../../backend.ts';
import {
  follow,
  fragmentOf,
  freshAddress,
  lastMailTo,
  mailsTo,
  member,
  PASSWORD,
  visitor,
} from './fixtures.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend(
    {},
    withAuth((auth) => ({ email: { ...auth.email, max_frequency: 60 } })),
  );
});
afterAll(() => backend.stop());

/** The values that differ between any two accounts. */
const anonymised = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/[0-9a-f]{8}@example\.org/g, 'EMAIL');

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
    expect(data.user).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email,
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      is_anonymous: false,
    });
    expect(data.user?.user_metadata).toEqual({ full_name: 'Ada' });
    expect(data.user?.identities).toHaveLength(1);
    expect(data.user?.email_confirmed_at).toBeUndefined();

    const refused = await visitor(backend).auth.signInWithPassword({ email, password: PASSWORD });
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
    const { data: session } = await tab.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    });
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

  test('a known address gets the same answer as an unknown one, and no mail', async () => {
    const { email } = await member(backend);
    const before = (await mailsTo(backend, email)).length;
    const answers = [];
    for (const address of [email, freshAddress()]) {
      const response = await fetch(`${backend.url}/auth/v1/signup`, {
        method: 'POST',
        headers: { apikey: backend.anonKey, 'content-type': 'application/json' },
        body: JSON.stringify({ email: address, password: 'another fine password', data: { full_name: 'B' } }),
      });
      answers.push([response.status, anonymised(await response.json())]);
    }
    // The member's own sign-up is still within the minute between two emails, so the limiter answers first.
    expect(answers[0]?.[0]).toBe(429);
    expect(answers[1]?.[0]).toBe(200);
    expect(await mailsTo(backend, email)).toHaveLength(before);
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
