import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { withAuth } from '../../backend.ts';
import { ownBackend } from '../own-backend.ts';
import { freshAddress, lastMailTo, PASSWORD } from './fixtures.ts';

/** Whole answers, as the official service gives them: no key is missing, and none is there besides. */

const { backend } = await ownBackend({}, withAuth({ enable_manual_linking: true }));

async function call(method: string, path: string, options: { body?: unknown; token?: string } = {}) {
  const response = await fetch(`${backend.url}/auth/v1/${path}`, {
    method,
    headers: {
      apikey: backend.anonKey,
      'content-type': 'application/json',
      'x-supabase-api-version': '2024-01-01',
      ...(options.token && { authorization: `Bearer ${options.token}` }),
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** An answer with 200. */
const ok = (body: unknown) => ({ status: 200, body });

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
const UUID = expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);

/** A person known by an email address alone. */
const user = (email: string, verified: boolean, more: Record<string, unknown> = {}) => ({
  id: UUID,
  aud: 'authenticated',
  role: 'authenticated',
  email,
  phone: '',
  confirmation_sent_at: TIME,
  app_metadata: { provider: 'email', providers: ['email'] },
  user_metadata: { full_name: 'Ada', ...(verified && { email_verified: true }) },
  identities: [
    {
      identity_id: UUID,
      id: UUID,
      user_id: UUID,
      identity_data: {
        full_name: 'Ada',
        sub: UUID,
        email,
        email_verified: verified,
        phone_verified: false,
      },
      provider: 'email',
      last_sign_in_at: TIME,
      created_at: TIME,
      updated_at: TIME,
      email,
    },
  ],
  created_at: TIME,
  updated_at: TIME,
  is_anonymous: false,
  ...(verified && { email_confirmed_at: TIME, confirmed_at: TIME, last_sign_in_at: TIME }),
  ...more,
});

const session = (of: object) => ({
  access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  token_type: 'bearer',
  expires_in: 3600,
  expires_at: expect.any(Number),
  refresh_token: expect.any(String),
  user: of,
});

async function signedUp() {
  const email = freshAddress();
  await call('POST', 'signup', { body: { email, password: PASSWORD, data: { full_name: 'Ada' } } });
  const { code } = await lastMailTo(backend, email);
  const { body } = await call('POST', 'verify', { body: { type: 'signup', email, token: code } });
  return { email, id: body.user.id as string, token: body.access_token as string, body };
}

describe('the answer', () => {
  test('to a sign-up, its confirmation, a sign-in and a refresh', async () => {
    const email = freshAddress();
    const fresh = await call('POST', 'signup', {
      body: { email, password: PASSWORD, data: { full_name: 'Ada' } },
    });
    expect(fresh).toEqual(ok(user(email, false)));
    const { code } = await lastMailTo(backend, email);
    const confirmed = await call('POST', 'verify', { body: { type: 'signup', email, token: code } });
    expect(confirmed).toEqual(ok(session(user(email, true))));
    const signedIn = await call('POST', 'token?grant_type=password', { body: { email, password: PASSWORD } });
    expect(signedIn).toEqual(ok(session(user(email, true))));
    const refreshed = await call('POST', 'token?grant_type=refresh_token', {
      body: { refresh_token: signedIn.body.refresh_token },
    });
    expect(refreshed).toEqual(ok(session(user(email, true))));
    // A second sign-up that no one has confirmed has the details of the second, in the identity too.
    const twice = freshAddress();
    await call('POST', 'signup', {
      body: { email: twice, password: PASSWORD, data: { full_name: 'First', a: 1 } },
    });
    const found = await call('POST', 'admin/generate_link', {
      token: backend.serviceRoleKey,
      body: { type: 'signup', email: twice, password: PASSWORD, data: { full_name: 'Ada' } },
    });
    expect(found.body.identities[0].identity_data).not.toHaveProperty('full_name');
  });

  test('to questions about oneself, and to changes', async () => {
    const { email, token } = await signedUp();
    expect(await call('GET', 'user', { token })).toEqual(ok(user(email, true)));
    const changed = await call('PUT', 'user', { token, body: { data: { full_name: null, a: 1 } } });
    expect(changed).toEqual(ok(user(email, true, { user_metadata: { a: 1, email_verified: true } })));
    const next = freshAddress();
    const moving = await call('PUT', 'user', { token, body: { email: next } });
    expect(moving.body).toEqual(
      user(email, true, {
        user_metadata: { a: 1, email_verified: true },
        new_email: next,
        email_change_sent_at: TIME,
      }),
    );
    expect(await call('GET', 'reauthenticate', { token })).toEqual(ok({}));
    expect(await call('POST', 'logout', { token })).toEqual({ status: 204, body: null });
  });

  test('about second factors', async () => {
    const { email, token } = await signedUp();
    const enrolled = await call('POST', 'factors', {
      token,
      body: { factor_type: 'totp', friendly_name: 'Phone' },
    });
    expect(enrolled).toEqual(
      ok({
        id: UUID,
        type: 'totp',
        friendly_name: 'Phone',
        totp: {
          qr_code: expect.stringContaining('<svg'),
          secret: expect.stringMatching(/^[A-Z2-7]+$/),
          uri: expect.stringMatching(/^otpauth:\/\/totp\//),
        },
      }),
    );
    const { id, totp } = enrolled.body;
    const challenge = await call('POST', `factors/${id}/challenge`, { token, body: {} });
    expect(challenge).toEqual(ok({ id: UUID, type: 'totp', expires_at: expect.any(Number) }));
    const code = new TOTP({ secret: Secret.fromBase32(totp.secret) }).generate();
    const verified = await call('POST', `factors/${id}/verify`, {
      token,
      body: { challenge_id: challenge.body.id, code },
    });
    const factor = {
      id,
      friendly_name: 'Phone',
      factor_type: 'totp',
      status: 'verified',
      created_at: TIME,
      updated_at: TIME,
      last_challenged_at: TIME,
    };
    expect(verified).toEqual(ok(session(user(email, true, { factors: [factor] }))));
    expect(await call('DELETE', `factors/${id}`, { token: verified.body.access_token })).toEqual(ok({ id }));
  });

  test('to an operator', async () => {
    const token = backend.serviceRoleKey;
    const email = freshAddress();
    const bare = (more: object) => {
      const { confirmation_sent_at: _never, ...rest } = user(email, false);
      const [identity] = rest.identities;
      const { full_name: _neither, ...claims } = identity?.identity_data ?? { full_name: '' };
      return { ...rest, user_metadata: {}, identities: [{ ...identity, identity_data: claims }], ...more };
    };
    const created = await call('POST', 'admin/users', { token, body: { email } });
    expect(created).toEqual(ok(bare({})));
    const { id } = created.body;
    expect(await call('GET', `admin/users/${id}`, { token })).toEqual(ok(bare({})));
    const changed = await call('PUT', `admin/users/${id}`, { token, body: { user_metadata: { a: 1 } } });
    expect(changed).toEqual(ok(bare({ user_metadata: { a: 1 } })));
    const listed = await call('GET', 'admin/users?per_page=1', { token });
    expect(listed).toEqual(ok({ users: [changed.body], aud: 'authenticated' }));
    const link = {
      action_link: expect.stringContaining('/auth/v1/verify?token='),
      email_otp: expect.stringMatching(/^\d{6}$/),
      hashed_token: expect.any(String),
      redirect_to: backend.url,
    };
    for (const type of ['email_change_current', 'email_change_new']) {
      const newEmail = `new-${email}`;
      const made = await call('POST', 'admin/generate_link', {
        token,
        body: { type, email, new_email: newEmail },
      });
      expect(made, type).toEqual(
        ok({
          ...bare({ user_metadata: { a: 1 }, new_email: newEmail, email_change_sent_at: TIME }),
          ...link,
          verification_type: type,
        }),
      );
    }
    expect(await call('GET', `admin/users/${id}/factors`, { token })).toEqual(ok([]));
    expect(await call('DELETE', `admin/users/${id}`, { token, body: {} })).toEqual(ok({}));
    const invited = await call('POST', 'invite', { token, body: { email: freshAddress() } });
    expect(Object.keys(invited.body).sort()).toEqual(
      [...Object.keys(bare({})), 'confirmation_sent_at', 'invited_at'].sort(),
    );
  });

  test('about the service', async () => {
    const settings = await call('GET', 'settings');
    expect(settings).toEqual(
      ok({
        external: expect.objectContaining({
          anonymous_users: false,
          email: true,
          phone: false,
          google: false,
        }),
        disable_signup: false,
        mailer_autoconfirm: false,
        phone_autoconfirm: false,
        sms_provider: '',
        saml_enabled: false,
        passkeys_enabled: true,
      }),
    );
    expect(Object.values(settings.body.external).every((open) => typeof open === 'boolean')).toBe(true);
    expect(await call('GET', 'health')).toEqual(
      ok({
        version: expect.any(String),
        name: 'GoTrue',
        description: 'GoTrue is a user registration and authentication API',
      }),
    );
  });
});
