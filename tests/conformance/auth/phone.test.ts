import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthSettings, startTestBackend, type TestBackend, withAuth } from '../../backend.ts';
import { ownBackend } from '../own-backend.ts';
import {
  byPassword,
  freshAddress,
  lastMailTo,
  listening,
  member,
  operator,
  PASSWORD,
  visitor,
} from './fixtures.ts';

const byPhone = (sms: Partial<AuthSettings['sms']> = {}, limits: Partial<AuthSettings['rate_limit']> = {}) =>
  withAuth((auth) => ({
    sms: { ...auth.sms, enabled: true, max_frequency: 0, ...sms },
    rate_limit: { ...auth.rate_limit, ...limits },
  }));

const { backend } = await ownBackend({}, byPhone({ test_otp: { '447700900999': '246810' } }));

let numbers = 0;
/** A number of the range reserved for fiction. */
const freshNumber = () => `+447700${String(numbers++).padStart(6, '0')}`;
const digits = (phone: string) => phone.slice(1);

async function textsTo(phone: string, on = backend): Promise<string[]> {
  const messages: { to: string; text: string }[] = await (await fetch(`${on.url}/mail/messages.json`)).json();
  return messages.filter(({ to }) => to === phone).map(({ text }) => text);
}

async function codeTo(phone: string, on = backend): Promise<string> {
  const [newest = ''] = await textsTo(phone, on);
  return /^Your code is (\d{6})$/.exec(newest)?.[1] ?? '';
}

/** Signed up by number and password, and confirmed. */
async function caller(on = backend) {
  const phone = freshNumber();
  const client = visitor(on);
  const signedUp = await client.auth.signUp({ phone, password: PASSWORD });
  if (signedUp.error) throw signedUp.error;
  const { data, error } = await client.auth.verifyOtp({ phone, token: await codeTo(phone, on), type: 'sms' });
  if (error) throw error;
  return { phone, client, id: data.user?.id ?? '' };
}

describe('signing up', () => {
  test('sends a code that confirms the number', async () => {
    const phone = freshNumber();
    const client = visitor(backend);
    const { data, error } = await client.auth.signUp({
      phone,
      password: PASSWORD,
      options: { data: { a: 1 } },
    });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({
      phone: digits(phone),
      email: '',
      role: 'authenticated',
      confirmation_sent_at: expect.any(String),
      app_metadata: { provider: 'phone', providers: ['phone'] },
      identities: [{ provider: 'phone', identity_data: { phone: digits(phone), phone_verified: false } }],
    });
    expect(data.user?.user_metadata).toEqual({ a: 1 });
    const early = await client.auth.signInWithPassword({ phone, password: PASSWORD });
    expect(early.error).toMatchObject({ status: 400, code: 'phone_not_confirmed' });

    const verified = await client.auth.verifyOtp({ phone, token: await codeTo(phone), type: 'sms' });
    expect(verified.error).toBeNull();
    expect(verified.data.user).toMatchObject({
      phone: digits(phone),
      phone_confirmed_at: expect.any(String),
      user_metadata: { a: 1 },
      identities: [{ provider: 'phone', identity_data: { phone_verified: true } }],
    });
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({
      phone: digits(phone),
      email: '',
      amr: [{ method: 'otp' }],
    });
    // The product's own rows exist as for every member.
    const profile = await client.from('profiles').select('id').eq('id', verified.data.user?.id);
    expect(profile.data).toHaveLength(1);
    const spaced = phone.replace('+44', '+44 ');
    const again = await byPassword(backend, { phone: spaced });
    expect(again.error).toBeNull();
  });

  test('a known number gets the same answer as an unknown one, and no message', async () => {
    const { phone } = await caller();
    const before = await textsTo(phone);
    const existing = await visitor(backend).auth.signUp({ phone, password: 'another walk by the sea' });
    const unknown = await visitor(backend).auth.signUp({ phone: freshNumber(), password: PASSWORD });
    const shape = (user: object | null) =>
      JSON.stringify(user, (key, value: unknown) =>
        typeof value === 'object' && value !== null ? value : key === 'provider' ? value : typeof value,
      );
    expect(existing.error).toBeNull();
    expect(shape(existing.data.user)).toBe(shape(unknown.data.user));
    expect(await textsTo(phone)).toEqual(before);
    expect((await byPassword(backend, { phone })).error).toBeNull();
  });

  test.each([
    '',
    '+',
    '+0700900123',
    '07700900123',
    '+44 7700 abc',
    '+4477009001234567',
    '+44\u0000',
    '１２３４５６７',
  ])('with "%s" for a number is refused', async (phone) => {
    const { error } = await visitor(backend).auth.signInWithOtp({ phone });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('over WhatsApp, or by address and number at once, is refused', async () => {
    const whatsapp = await visitor(backend).auth.signInWithOtp({
      phone: freshNumber(),
      options: { channel: 'whatsapp' },
    });
    expect(whatsapp.error).toMatchObject({ status: 400, code: 'validation_failed' });
    for (const path of ['signup', 'otp', 'token?grant_type=password']) {
      const both = await fetch(`${backend.url}/auth/v1/${path}`, {
        method: 'POST',
        body: JSON.stringify({ email: freshAddress(), phone: freshNumber(), password: PASSWORD }),
      });
      expect([both.status, (await both.json()).error_code]).toEqual([400, 'validation_failed']);
    }
  });
});

describe('a code', () => {
  test('signs in, and a newcomer up', async () => {
    const { phone, id } = await caller();
    for (const each of [phone, freshNumber()]) {
      const tab = visitor(backend);
      expect((await tab.auth.signInWithOtp({ phone: each })).error).toBeNull();
      const { data, error } = await tab.auth.verifyOtp({
        phone: each,
        token: await codeTo(each),
        type: 'sms',
      });
      expect(error).toBeNull();
      expect(data.user?.id === id).toBe(each === phone);
    }
  });

  test('that is not to make an account makes none, and does not tell', async () => {
    const phone = freshNumber();
    const { error } = await visitor(backend).auth.signInWithOtp({
      phone,
      options: { shouldCreateUser: false },
    });
    expect(error).toBeNull();
    expect(await textsTo(phone)).toEqual([]);
  });

  test('is good once, for its number, and dies after five wrong tries', async () => {
    const { phone } = await caller();
    const other = await caller();
    const attempt = async (token: string, from = phone) =>
      (await visitor(backend).auth.verifyOtp({ phone: from, token, type: 'sms' })).error?.code ?? null;
    await visitor(backend).auth.signInWithOtp({ phone });
    const token = await codeTo(phone);
    expect(await attempt(token, other.phone)).toBe('otp_expired');
    expect(await attempt(token)).toBeNull();
    expect(await attempt(token)).toBe('otp_expired');

    await visitor(backend).auth.signInWithOtp({ phone });
    const second = await codeTo(phone);
    const wrong = second === '000000' ? '111111' : '000000';
    expect(await Promise.all(Array.from({ length: 5 }, () => attempt(wrong)))).toEqual(
      Array(5).fill('otp_expired'),
    );
    expect(await attempt(second)).toBe('otp_expired');
    await visitor(backend).auth.signInWithOtp({ phone });
    expect(await attempt(await codeTo(phone))).toBeNull();
  });

  test('leaves no password of a stranger who signed up with the number before', async () => {
    const phone = freshNumber();
    await visitor(backend).auth.signUp({ phone, password: PASSWORD, options: { data: { a: 1 } } });
    const tab = visitor(backend);
    await tab.auth.signInWithOtp({ phone });
    const { data } = await tab.auth.verifyOtp({ phone, token: await codeTo(phone), type: 'sms' });
    expect(data.user).toMatchObject({ phone: digits(phone), phone_confirmed_at: expect.any(String) });
    expect(data.user?.user_metadata).toEqual({});
    expect((await byPassword(backend, { phone })).error?.code).toBe('invalid_credentials');
    expect((await tab.auth.updateUser({ password: 'another walk by the sea' })).error).toBeNull();
    expect((await byPassword(backend, { phone }, 'another walk by the sea')).error).toBeNull();
  });

  test('is not what a stranger needs to replace the password of an account with a proved address', async () => {
    const [email, phone] = [freshAddress(), freshNumber()];
    const person = { email, phone, password: PASSWORD, email_confirm: true };
    expect((await operator(backend).auth.admin.createUser(person)).error).toBeNull();
    await visitor(backend).auth.signUp({ phone, password: 'another walk by the sea' });
    const stranger = await byPassword(backend, { email }, 'another walk by the sea');
    expect(stranger.error?.code).toBe('invalid_credentials');
    expect((await byPassword(backend, { email })).error).toBeNull();
  });

  test('of the operator’s list is always good, and nothing is sent', async () => {
    const phone = '+447700900999';
    const tab = visitor(backend);
    await tab.auth.signInWithOtp({ phone });
    expect(await textsTo(phone)).toEqual([]);
    expect((await tab.auth.verifyOtp({ phone, token: '246810', type: 'sms' })).error).toBeNull();
  });

  test('is sent again while the number waits', async () => {
    const phone = freshNumber();
    await visitor(backend).auth.signUp({ phone, password: PASSWORD });
    const first = await codeTo(phone);
    expect((await visitor(backend).auth.resend({ type: 'sms', phone })).error).toBeNull();
    expect(await textsTo(phone)).toHaveLength(2);
    const token = await codeTo(phone);
    expect((await visitor(backend).auth.verifyOtp({ phone, token, type: 'sms' })).error).toBeNull();
    expect(token === first).toBe(false);
    expect((await visitor(backend).auth.resend({ type: 'sms', phone })).error).toBeNull();
    expect(await textsTo(phone)).toHaveLength(2);
  });

  test('stands in for the password in a change of it', async () => {
    const { phone } = await caller();
    const tab = visitor(backend);
    await tab.auth.signInWithPassword({ phone, password: PASSWORD });
    const password = 'another walk by the sea';
    expect((await tab.auth.updateUser({ password })).error?.code).toBe('reauthentication_needed');
    expect((await tab.auth.reauthenticate()).error).toBeNull();
    const { error } = await tab.auth.updateUser({ password, nonce: await codeTo(phone) });
    expect(error).toBeNull();
  });
});

describe('another number', () => {
  test('is taken once its code has come back, and the mail address hears of it', async () => {
    const { client, email } = await member(backend);
    const phone = freshNumber();
    const { data, error } = await client.auth.updateUser({ phone });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ phone: '', new_phone: digits(phone) });
    await client.auth.resend({ type: 'phone_change', phone });
    const token = await codeTo(phone);
    const asSms = await client.auth.verifyOtp({ phone, token, type: 'sms' });
    expect(asSms.error?.code).toBe('otp_expired');
    const changed = await client.auth.verifyOtp({ phone, token, type: 'phone_change' });
    expect(changed.error).toBeNull();
    expect(changed.data.user).toMatchObject({
      email,
      phone: digits(phone),
      app_metadata: { provider: 'email', providers: ['email', 'phone'] },
      user_metadata: { email_verified: true },
    });
    expect(changed.data.user?.identities?.map(({ provider }) => provider)).toEqual(['email', 'phone']);
    const notice = await lastMailTo(backend, email);
    expect(notice).toMatchObject({ subject: 'Your phone number was changed' });
    expect(notice.text).toContain(phone);
    expect((await byPassword(backend, { phone })).error).toBeNull();
  });

  test.each<[string, (owner: SupabaseClient, id: string) => Promise<{ error: unknown }>]>([
    [
      'a new password',
      (owner) => owner.auth.updateUser({ password: 'by the sea again', current_password: PASSWORD }),
    ],
    [
      'a password of the operator',
      (_owner, id) => operator(backend).auth.admin.updateUserById(id, { password: 'by the sea again' }),
    ],
    ['signing out everywhere', (owner) => owner.auth.signOut({ scope: 'global' })],
    ['signing out everywhere else', (owner) => owner.auth.signOut({ scope: 'others' })],
  ])('that a stolen session asked for is not taken after %s', async (_what, end) => {
    const { client, email, id } = await member(backend);
    const thief = await byPassword(backend, { email });
    const stolen = visitor(backend);
    await stolen.auth.setSession(thief.data.session ?? { access_token: '', refresh_token: '' });
    const phone = freshNumber();
    expect((await stolen.auth.updateUser({ phone })).error).toBeNull();
    const token = await codeTo(phone);
    expect((await end(client, id)).error).toBeNull();
    const late = await visitor(backend).auth.verifyOtp({ phone, token, type: 'phone_change' });
    expect(late.error?.code).toBe('otp_expired');
    const { data } = await operator(backend).auth.admin.getUserById(id);
    expect([data.user?.phone, data.user?.new_phone]).toEqual(['', undefined]);
  });

  test('is taken where the same request sets a new password', async () => {
    const { client } = await member(backend);
    const phone = freshNumber();
    const wish = { phone, password: 'by the sea again', current_password: PASSWORD };
    expect((await client.auth.updateUser(wish)).data.user?.new_phone).toBe(digits(phone));
    const token = await codeTo(phone);
    const changed = await client.auth.verifyOtp({ phone, token, type: 'phone_change' });
    expect(changed.data.user?.phone).toBe(digits(phone));
  });

  test('that someone has is refused, also when they were faster', async () => {
    const { phone } = await caller();
    const { client } = await caller();
    expect((await client.auth.updateUser({ phone })).error).toMatchObject({
      status: 422,
      code: 'phone_exists',
    });
    const newPhone = freshNumber();
    await client.auth.updateUser({ phone: newPhone });
    const token = await codeTo(newPhone);
    await operator(backend).auth.admin.createUser({ phone: newPhone, phone_confirm: true });
    const late = await client.auth.verifyOtp({ phone: newPhone, token, type: 'phone_change' });
    expect(late.error).toMatchObject({ status: 422, code: 'phone_exists' });
  });
});

test('operators create, change and remove people by number', async () => {
  const { admin } = operator(backend).auth;
  const phone = freshNumber();
  const created = await admin.createUser({ phone, password: PASSWORD, phone_confirm: true });
  expect(created.data.user).toMatchObject({
    phone: digits(phone),
    phone_confirmed_at: expect.any(String),
    app_metadata: { provider: 'phone', providers: ['phone'] },
  });
  const id = created.data.user?.id ?? '';
  expect((await admin.createUser({ phone })).error).toMatchObject({ status: 422, code: 'phone_exists' });
  expect((await byPassword(backend, { phone })).error).toBeNull();
  const moved = freshNumber();
  const email = freshAddress();
  await admin.updateUserById(id, { phone: moved, phone_confirm: true, email, email_confirm: true });
  for (const name of [{ phone: moved }, { email }])
    expect((await byPassword(backend, name)).error).toBeNull();
  await admin.deleteUser(id, true);
  expect((await admin.createUser({ phone: moved })).error).toBeNull();
});

test('settings say that the door is open', async () => {
  const settings = await (await fetch(`${backend.url}/auth/v1/settings`)).json();
  expect(settings).toMatchObject({ external: { phone: true }, phone_autoconfirm: false });
});

describe('limits', () => {
  test('one number a minute, one client a third of what all may have', async () => {
    const strict = await startTestBackend({}, byPhone({ max_frequency: 60 }, { sms_sent: 6 }));
    try {
      const phone = freshNumber();
      const send = async (to: string) => (await visitor(strict).auth.signInWithOtp({ phone: to })).error;
      expect(await send(phone)).toBeNull();
      expect(await send(phone)).toMatchObject({
        status: 429,
        code: 'over_sms_send_rate_limit',
        message: expect.stringMatching(
          /^For security purposes, you can only request this after \d+ seconds\.$/,
        ),
      });
      expect(await send(freshNumber())).toBeNull();
      expect(await send(freshNumber())).toMatchObject({ status: 429, message: 'SMS rate limit exceeded' });
      expect(await textsTo(phone, strict)).toHaveLength(1);
    } finally {
      await strict.stop();
    }
  });
});

test('without confirmation, a number signs up and changes at once', async () => {
  const trusting = await startTestBackend({}, byPhone({ enable_confirmations: false }));
  try {
    const phone = freshNumber();
    const client = visitor(trusting);
    const { data } = await client.auth.signUp({ phone, password: PASSWORD });
    expect(data.session?.user).toMatchObject({
      phone: digits(phone),
      phone_confirmed_at: expect.any(String),
    });
    const again = await visitor(trusting).auth.signUp({ phone, password: PASSWORD });
    expect(again.error).toMatchObject({ status: 422, code: 'user_already_exists' });
    const banned = freshNumber();
    await operator(trusting).auth.admin.createUser({ phone: banned, ban_duration: '1h' });
    const refused = await visitor(trusting).auth.signUp({ phone: banned, password: PASSWORD });
    expect(refused.error).toMatchObject({ code: 'user_banned' });
    const moved = freshNumber();
    const changed = await client.auth.updateUser({ phone: moved });
    expect(changed.data.user?.phone).toBe(digits(moved));
    const unknown = await visitor(trusting).auth.signInWithOtp({
      phone: freshNumber(),
      options: { shouldCreateUser: false },
    });
    expect(unknown.error).toMatchObject({ status: 422, code: 'otp_disabled' });
  } finally {
    await trusting.stop();
  }
});

describe('a gateway', () => {
  let gateway: Server;
  let answer = 200;
  const received: { request: IncomingMessage; body: string }[] = [];
  let sending: TestBackend;
  beforeAll(async () => {
    gateway = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received.push({ request, body });
      response.writeHead(answer).end();
    });
    const host = await listening(gateway);
    sending = await startTestBackend(
      { SMS_GATEWAY_URL: `http://${host}/send`, SMS_GATEWAY_TOKEN: 'a-token' },
      byPhone(),
    );
  });
  afterAll(async () => {
    await sending.stop();
    gateway.closeAllConnections();
    await new Promise((closed) => gateway.close(closed));
  });

  test('gets the message, and nothing is kept here', async () => {
    const phone = freshNumber();
    const client = visitor(sending);
    expect((await client.auth.signInWithOtp({ phone })).error).toBeNull();
    const [message] = received.splice(0);
    expect(message?.request).toMatchObject({
      method: 'POST',
      url: '/send',
      headers: { authorization: 'Bearer a-token', 'content-type': 'application/json' },
    });
    const { to, message: text } = JSON.parse(message?.body ?? '{}');
    expect(to).toBe(phone);
    const token = /\d{6}/.exec(text)?.[0] ?? '';
    expect((await client.auth.verifyOtp({ phone, token, type: 'sms' })).error).toBeNull();
    expect(await textsTo(phone, sending)).toEqual([]);
  });

  test('that refuses is reported, for known and unknown numbers alike', async () => {
    const phone = freshNumber();
    await operator(sending).auth.admin.createUser({ phone, password: PASSWORD, phone_confirm: true });
    answer = 503;
    try {
      for (const number of [freshNumber(), phone]) {
        const { error } = await visitor(sending).auth.signUp({ phone: number, password: PASSWORD });
        expect(error).toMatchObject({
          status: 422,
          code: 'sms_send_failed',
          message: 'Error sending sms OTP to provider',
        });
      }
    } finally {
      answer = 200;
    }
  });
});

describe('as delivered, the door is closed', () => {
  let closed: TestBackend;
  beforeAll(async () => {
    closed = await startTestBackend();
  });
  afterAll(() => closed.stop());

  test('to every way in by phone', async () => {
    const phone = freshNumber();
    const { auth } = visitor(closed);
    const { client } = await member(closed);
    const refused = { status: 400, code: 'phone_provider_disabled' };
    expect((await auth.signUp({ phone, password: PASSWORD })).error).toMatchObject(refused);
    expect((await auth.signInWithPassword({ phone, password: PASSWORD })).error).toMatchObject(refused);
    expect((await auth.signInWithOtp({ phone })).error).toMatchObject(refused);
    expect((await auth.verifyOtp({ phone, token: '123456', type: 'sms' })).error).toMatchObject(refused);
    expect((await auth.verifyOtp({ phone, token: '123456', type: 'phone_change' })).error).toMatchObject(
      refused,
    );
    expect((await auth.resend({ type: 'sms', phone })).error).toMatchObject(refused);
    expect((await auth.resend({ type: 'phone_change', phone })).error).toMatchObject(refused);
    expect((await client.auth.updateUser({ phone })).error).toMatchObject(refused);
    expect(
      (await fetch(`${closed.url}/auth/v1/settings`).then((answer) => answer.json())).external.phone,
    ).toBe(false);
  });

  test('and nothing odd sent there is a fault', async () => {
    const odd = [
      null,
      '',
      0,
      [],
      {},
      '+',
      '\u0000',
      '٠٧٧٠٠٩٠٠١٢٣',
      '+1'.repeat(3000),
      "'; drop table auth.users --",
    ];
    for (const on of [closed, backend])
      for (const path of ['signup', 'otp', 'verify', 'resend', 'token?grant_type=password'])
        for (const phone of odd)
          for (const type of ['sms', 'phone_change']) {
            const response = await fetch(`${on.url}/auth/v1/${path}`, {
              method: 'POST',
              body: JSON.stringify({ phone, type, token: '000000', password: PASSWORD }),
            });
            expect(response.status, `${path} ${JSON.stringify(phone)}`).toBeLessThan(500);
            expect(response.status).toBeGreaterThanOrEqual(400);
            await response.json();
          }
  });
});
