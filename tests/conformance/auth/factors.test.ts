import { randomInt, randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { withAuth } from '../../backend.ts';
import { ownBackend } from '../own-backend.ts';
import { follow as followProvider, startIssuer } from './external/oidc-issuer.ts';
import {
  browserOf,
  enter,
  follow,
  freshAddress,
  lastMailTo,
  mailsTo,
  member,
  operator,
  overtaken,
  PASSWORD,
  visitor,
} from './fixtures.ts';

const issuer = await startIssuer();
afterAll(() => issuer.close());
const { backend, database } = await ownBackend(
  {},
  withAuth((auth) => ({
    mfa: {
      ...auth.mfa,
      max_enrolled_factors: 4,
      web_authn: { enroll_enabled: false, verify_enabled: false },
    },
    external: { keycloak: issuer.settings },
    sms: { ...auth.sms, enabled: true, enable_confirmations: false },
  })),
);
issuer.welcome(`${backend.url}/auth/v1/callback`);
/** Ends the half minute in which an accepted code may not be used again. */
const later = () =>
  database.query(`update auth.mfa_challenges set otp_code = '0' where otp_code is not null`);
beforeEach(later);

/** The authenticator app's code, this many half minutes from now. */
const code = (secret: string, away = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + away * 30_000 });

async function enrol(client: SupabaseClient, friendlyName = 'Phone') {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName });
  if (error) throw error;
  return data;
}

/** A member with an authenticator app, signed in with both factors. */
async function guarded() {
  const person = await member(backend);
  const factor = await enrol(person.client);
  const { error } = await person.client.auth.mfa.challengeAndVerify({
    factorId: factor.id,
    code: code(factor.totp.secret),
  });
  if (error) throw error;
  await later();
  return { ...person, factorId: factor.id, secret: factor.totp.secret };
}

async function tabOf(email: string, experimental = {}) {
  const client = visitor(backend, { experimental });
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return client;
}

const levels = async (client: SupabaseClient) => {
  const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
  return [data?.currentLevel, data?.nextLevel];
};

describe('an authenticator app', () => {
  test('is set up, and lifts the session', async () => {
    const { client, email } = await member(backend);
    const other = await tabOf(email);
    const { data, error } = await client.auth.mfa.enroll({
      factorType: 'totp',
      friendlyName: 'Phone',
      issuer: 'Limb Commons',
    });
    expect(error).toBeNull();
    expect(data).toMatchObject({ id: expect.any(String), type: 'totp', friendly_name: 'Phone' });
    expect(data?.totp.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(data?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /);
    // A hash sign would end the URL that a picture is shown by.
    expect(data?.totp.qr_code).not.toContain('#');
    const uri = new URL(data?.totp.uri ?? '');
    expect(decodeURIComponent(uri.pathname)).toContain(`Limb Commons:${email}`);
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      issuer: 'Limb Commons',
      secret: data?.totp.secret,
      digits: '6',
      period: '30',
      algorithm: 'SHA1',
    });
    expect(await levels(client)).toEqual(['aal1', 'aal1']);

    const abandoned = await enrol(client, 'Never finished');
    const factorId = data?.id ?? '';
    const challenge = await client.auth.mfa.challenge({ factorId });
    expect(challenge.data).toMatchObject({ id: expect.any(String), type: 'totp' });
    expect(challenge.data?.expires_at).toBeGreaterThan(Date.now() / 1000 + 200);
    const verified = await client.auth.mfa.verify({
      factorId,
      challengeId: challenge.data?.id ?? '',
      code: code(data?.totp.secret ?? ''),
    });
    expect(verified.error).toBeNull();
    expect(verified.data).toMatchObject({ token_type: 'bearer', expires_in: 3600, user: { email } });
    expect(await levels(client)).toEqual(['aal2', 'aal2']);
    const claims = (await client.auth.getClaims()).data?.claims;
    expect(claims).toMatchObject({
      aal: 'aal2',
      amr: [
        { method: 'totp', timestamp: expect.any(Number) },
        { method: 'password', timestamp: expect.any(Number) },
      ],
    });

    const factors = await client.auth.mfa.listFactors();
    expect(factors.data?.all).toEqual(factors.data?.totp);
    expect(factors.data?.totp).toEqual([
      {
        id: factorId,
        friendly_name: 'Phone',
        factor_type: 'totp',
        status: 'verified',
        created_at: expect.any(String),
        updated_at: expect.any(String),
        last_challenged_at: expect.any(String),
      },
    ]);
    expect(factors.data?.all.map(({ id }) => id)).not.toContain(abandoned.id);
    // The session from before the second factor has ended.
    expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await lastMailTo(backend, email)).text).toContain(': authenticator app.');
  });

  test('is kept unreadable in the database, and read where an older one is plain', async () => {
    const { client, factorId, secret, email } = await guarded();
    const stored = await database.query('select secret from auth.mfa_factors where id = $1', [factorId]);
    expect(stored.rows[0].secret).toMatch(/^aes-256-gcm:/);
    expect(stored.rows[0].secret).not.toContain(secret);
    const stranger = await guarded();
    await database.query('update auth.mfa_factors set secret = $2 where id = $1', [factorId, secret]);
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code: code(secret) })).error).toBeNull();
    expect(email).not.toBe(stranger.email);
  });

  test('a refresh keeps the second step, a sign-in begins without it', async () => {
    const { client, email, secret, factorId } = await guarded();
    await client.auth.refreshSession();
    expect(await levels(client)).toEqual(['aal2', 'aal2']);
    const tab = await tabOf(email);
    expect(await levels(tab)).toEqual(['aal1', 'aal2']);
    const { error } = await tab.auth.mfa.challengeAndVerify({ factorId, code: code(secret) });
    expect(error).toBeNull();
    expect(await levels(tab)).toEqual(['aal2', 'aal2']);
    // Both sessions have passed the second factor, so neither ends the other.
    expect((await client.auth.getUser()).error).toBeNull();
  });

  test('one’s own data come with it, and without it a refusal that says so', async () => {
    const { client, email } = await guarded();
    const data = await client.functions.invoke('export-data');
    expect(data.error).toBeNull();
    const { response } = await (await tabOf(email)).functions.invoke('export-data');
    expect([response?.status, await response?.json()]).toEqual([
      403,
      { error: 'Forbidden', message: 'Please confirm your second step first.' },
    ]);
  });

  test('neither a recovery link nor a mailed code stands in for it', async () => {
    const { email } = await guarded();
    const byCode = visitor(backend);
    await byCode.auth.signInWithOtp({ email });
    await byCode.auth.verifyOtp({ email, token: (await lastMailTo(backend, email)).code, type: 'email' });
    expect(await levels(byCode)).toEqual(['aal1', 'aal2']);

    await visitor(backend).auth.resetPasswordForEmail(email);
    const landed = new URLSearchParams((await follow((await lastMailTo(backend, email)).link)).hash.slice(1));
    const recovering = visitor(backend);
    await enter(recovering, landed);
    expect(await levels(recovering)).toEqual(['aal1', 'aal2']);
    for (const change of [
      { password: 'another walk by the sea' },
      { email: 'someone@example.org' },
      { data: { full_name: 'Someone Else' } },
    ]) {
      const { error } = await recovering.auth.updateUser(change);
      expect(error).toMatchObject({ status: 401, code: 'insufficient_aal' });
    }
  });

  test('with it, the password can be changed, and a notice says so', async () => {
    const { client, email } = await guarded();
    const password = 'another walk by the sea';
    const { error } = await client.auth.updateUser({ password, current_password: PASSWORD });
    expect(error).toBeNull();
    const [notice] = await mailsTo(backend, email);
    expect(notice).toMatchObject({ subject: 'Your password was changed' });
    expect(notice?.text).toContain(email);
  });
});

describe('a code', () => {
  test('of the half minute before and after is right, any other wrong', async () => {
    const { client, factorId, secret } = await guarded();
    const attempt = async (away: number) => {
      await later();
      return (await client.auth.mfa.challengeAndVerify({ factorId, code: code(secret, away) })).error;
    };
    for (const away of [-3, 3, 20])
      expect(await attempt(away)).toMatchObject({
        status: 422,
        code: 'mfa_verification_failed',
        message: 'Invalid TOTP code entered',
      });
    expect(await attempt(0)).toBeNull();
    expect([await attempt(-1), await attempt(1)]).toContain(null);
  });

  test('is good once, also when it comes several times at once', async () => {
    const { email, factorId, secret } = await guarded();
    const tabs = await Promise.all(Array.from({ length: 4 }, () => tabOf(email)));
    const currentCode = code(secret);
    const challenges = await Promise.all(tabs.map((tab) => tab.auth.mfa.challenge({ factorId })));
    const outcomes = await Promise.all(
      tabs.map((tab, i) =>
        tab.auth.mfa.verify({ factorId, challengeId: challenges[i]?.data?.id ?? '', code: currentCode }),
      ),
    );
    expect(outcomes.filter(({ error }) => error === null)).toHaveLength(1);
    const winner = tabs[outcomes.findIndex(({ error }) => error === null)];
    const again = await winner?.auth.mfa.challengeAndVerify({ factorId, code: currentCode });
    expect(again?.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
  });

  test('may be tried fifteen times a minute', async () => {
    const { email, factorId } = await guarded();
    const tab = await tabOf(email);
    // The right code that verified the new factor counts too.
    await database.query(`delete from auth.rate_limits where key like 'factor:%'`);
    const challenge = await tab.auth.mfa.challenge({ factorId });
    const challengeId = challenge.data?.id ?? '';
    const tried = [];
    for (let i = 0; i < 16; i++)
      tried.push((await tab.auth.mfa.verify({ factorId, challengeId, code: 'abcdef' })).error?.status);
    expect(tried).toEqual([...Array(15).fill(422), 429]);
  });

  test.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', '-12345', '1e5   '])(
    'that is none: "%s"',
    async (typed) => {
      const { client, factorId } = await guarded();
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code: typed });
      expect(error?.code).toBe(typed ? 'mfa_verification_failed' : 'validation_failed');
    },
  );
});

describe('a challenge', () => {
  test('ends after five minutes, and is answered once', async () => {
    const { client, factorId, secret } = await guarded();
    const challenge = await client.auth.mfa.challenge({ factorId });
    const challengeId = challenge.data?.id ?? '';
    await database.query(
      `update auth.mfa_challenges set created_at = created_at - interval '6 min' where id = $1`,
      [challengeId],
    );
    const late = await client.auth.mfa.verify({ factorId, challengeId, code: code(secret) });
    expect(late.error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' });

    const next = await client.auth.mfa.challenge({ factorId });
    const answer = () =>
      client.auth.mfa.verify({ factorId, challengeId: next.data?.id ?? '', code: code(secret) });
    expect((await answer()).error).toBeNull();
    await later();
    expect((await answer()).error).toMatchObject({ status: 422, code: 'mfa_ip_address_mismatch' });
    const invented = await client.auth.mfa.verify({
      factorId,
      challengeId: '00000000-0000-4000-8000-000000000000',
      code: code(secret),
    });
    expect(invented.error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
  });

  test('of someone else’s factor cannot be asked for, answered, or removed', async () => {
    const owner = await guarded();
    const stranger = await guarded();
    const challenge = await owner.client.auth.mfa.challenge({ factorId: owner.factorId });
    const stolen = {
      factorId: owner.factorId,
      challengeId: challenge.data?.id ?? '',
      code: code(owner.secret),
    };
    const refused = { status: 404, code: 'mfa_factor_not_found', message: 'Factor not found' };
    expect((await stranger.client.auth.mfa.challenge(stolen)).error).toMatchObject(refused);
    expect((await stranger.client.auth.mfa.verify(stolen)).error).toMatchObject(refused);
    expect((await stranger.client.auth.mfa.unenroll(stolen)).error).toMatchObject(refused);
    // Nor may another factor of the member answer it.
    const crossed = await stranger.client.auth.mfa.verify({
      ...stolen,
      factorId: stranger.factorId,
      code: code(stranger.secret),
    });
    expect(crossed.error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
    expect((await owner.client.auth.mfa.verify(stolen)).error).toBeNull();
  });
});

describe('setting up', () => {
  test('names and numbers are limited', async () => {
    const { client } = await member(backend);
    await enrol(client, 'One');
    const twice = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'One' });
    expect(twice.error).toMatchObject({
      status: 422,
      code: 'mfa_factor_name_conflict',
      message: 'A factor with the friendly name "One" for this user already exists',
    });
    for (const name of ['Two', 'Three', 'Four']) await enrol(client, name);
    const fifth = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Five' });
    expect(fifth.error).toMatchObject({ status: 422, code: 'too_many_enrolled_mfa_factors' });
    // An unfinished enrolment is deleted.
    await database.query(`update auth.mfa_factors set created_at = created_at - interval '1 hour'`);
    await enrol(client, 'Five');
  });

  test('ten at once do not get past the limit', async () => {
    const { client } = await member(backend);
    const enrolments = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        client.auth.mfa.enroll({ factorType: 'totp', friendlyName: `App ${i}` }),
      ),
    );
    expect(enrolments.filter(({ error }) => error === null)).toHaveLength(4);
  });

  test('a second one takes the first', async () => {
    const { email, client } = await guarded();
    const tab = await tabOf(email);
    const { error } = await tab.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Mine too' });
    expect(error).toMatchObject({ status: 403, code: 'insufficient_aal' });
    await enrol(client, 'Tablet');
  });

  test('by phone, or by a key where that is switched off, is refused as what it is', async () => {
    const { client } = await member(backend);
    const phone = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+447700900123' });
    expect(phone.error).toMatchObject({ status: 422, code: 'mfa_phone_enroll_not_enabled' });
    const key = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' });
    expect(key.error).toMatchObject({ status: 422, code: 'mfa_webauthn_enroll_not_enabled' });
  });
});

describe('how an account is signed in to or reached', () => {
  type Guarded = Awaited<ReturnType<typeof guarded>>;
  type Request = [method: string, path: string, body?: object];
  const send = async (client: SupabaseClient, [method, path, body]: Request) => {
    const token = (await client.auth.getSession()).data.session?.access_token;
    const response = await browserOf(client)(`${backend.url}/auth/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, ...(await response.json()) };
  };
  const isHome = (at: URL) => at.origin === backend.url && !at.pathname.startsWith('/auth/v1/');
  const idToken = async (sub = randomUUID()) =>
    issuer.sign({ sub, email: freshAddress(), email_verified: true });
  const linking = async (): Promise<Request> => [
    'POST',
    'token?grant_type=id_token',
    { provider: 'keycloak', id_token: await idToken(), link_identity: true },
  ];
  const codes: Request = ['POST', 'factors/recovery-codes', {}];
  const identityOf = async ({ client }: Guarded, name: string) =>
    (await client.auth.getUserIdentities()).data?.identities.find(({ provider }) => provider === name)
      ?.identity_id;
  /** All changes of the account that require the second factor. */
  const state = async (id: string) => {
    const { rows } = await database.query(
      `select email, phone, encrypted_password, email_change, phone_change, raw_user_meta_data,
         (select array_agg(provider_id order by id) from auth.identities where user_id = u.id) as identities,
         (select array_agg(id order by id) from auth.mfa_factors where user_id = u.id) as factors,
         (select array_agg(code_hash order by c.id) from auth.mfa_recovery_codes c
            join auth.mfa_recovery_code_sets s on s.id = c.mfa_recovery_code_set_id where s.user_id = u.id) as codes
       from auth.users u where id = $1`,
      [id],
    );
    return rows;
  };

  /**
   * Each change: a request before it, the request itself, the one that completes it, and the notifications to
   * the owner.
   */
  const CHANGES: {
    name: string;
    before?: () => Promise<Request>;
    request: (person: Guarded) => Request | Promise<Request>;
    after?: (answer: Record<string, string>, client: SupabaseClient) => Promise<unknown>;
    subjects: string[];
  }[] = [
    {
      name: 'a new password',
      request: () => ['PUT', 'user', { password: 'another walk by the sea', current_password: PASSWORD }],
      subjects: ['Your password was changed'],
    },
    {
      name: 'a new address',
      request: () => ['PUT', 'user', { email: freshAddress() }],
      subjects: ['Confirm your new email'],
    },
    {
      name: 'what one says of oneself',
      request: () => ['PUT', 'user', { data: { full_name: 'Another Name' } }],
      subjects: [],
    },
    {
      name: 'a new number',
      request: () => ['PUT', 'user', { phone: `+4477${randomInt(1e8, 1e9)}` }],
      subjects: ['Your phone number was changed'],
    },
    {
      name: 'a provider to sign in with',
      request: () => [
        'GET',
        `user/identities/authorize?provider=keycloak&skip_http_redirect=true&login_hint=${anybody()}`,
      ],
      after: ({ url = '' }, client) => followProvider(url, isHome, browserOf(client)),
      subjects: ['A new way to sign in was added'],
    },
    {
      name: 'a provider by an ID token',
      request: linking,
      subjects: ['A new way to sign in was added'],
    },
    {
      name: 'the provider goes',
      before: linking,
      request: async (person) => ['DELETE', `user/identities/${await identityOf(person, 'keycloak')}`],
      subjects: ['A way to sign in was removed'],
    },
    {
      name: 'the address goes with its identity',
      before: linking,
      request: async (person) => ['DELETE', `user/identities/${await identityOf(person, 'email')}`],
      subjects: ['Your email was changed', 'A way to sign in was removed'],
    },
    {
      name: 'a second authenticator app',
      request: () => ['POST', 'factors', { factor_type: 'totp', friendly_name: 'Tablet' }],
      after: async (answer, client) => {
        const secret = Object(answer.totp).secret;
        const { error } = await client.auth.mfa.challengeAndVerify({
          factorId: answer.id ?? '',
          code: code(secret),
        });
        expect(error).toBeNull();
      },
      subjects: ['A second step was added to your account'],
    },
    {
      name: 'the authenticator app goes',
      request: ({ factorId }) => ['DELETE', `factors/${factorId}`],
      subjects: ['A second step was removed from your account'],
    },
    { name: 'recovery codes', request: () => codes, subjects: ['A second step was added to your account'] },
    {
      name: 'other recovery codes',
      before: async () => codes,
      request: () => ['POST', 'factors/recovery-codes/regenerate', {}],
      subjects: ['A second step was added to your account'],
    },
    {
      name: 'the recovery codes go',
      before: async () => codes,
      request: () => ['DELETE', 'factors/recovery-codes'],
      subjects: ['A second step was removed from your account'],
    },
  ];
  const anybody = () => {
    const id = randomUUID();
    issuer.people[id] = { email: freshAddress(), email_verified: true };
    return id;
  };

  test.each(CHANGES)('$name: with the second step alone, and the owner is told', async (change) => {
    const person = await guarded();
    if (change.before) expect((await send(person.client, await change.before())).status).toBe(200);
    const request = await change.request(person);
    const [before, mails] = [await state(person.id), await mailsTo(backend, person.email)];

    const byPassword = await tabOf(person.email);
    expect(await send(byPassword, request)).toMatchObject({ error_code: 'insufficient_aal' });
    expect(await state(person.id)).toEqual(before);
    expect(await mailsTo(backend, person.email)).toEqual(mails);

    const answer = await send(person.client, request);
    expect(answer).toMatchObject({ status: 200 });
    await change.after?.(answer, person.client);
    expect(await state(person.id)).not.toEqual(before);
    const newMails = (await mailsTo(backend, person.email)).slice(0, -mails.length);
    expect(newMails.map(({ subject }) => subject)).toEqual(change.subjects);
  });

  test('what a provider says of a person is read after the second step', async () => {
    const { client, email, factorId, secret } = await guarded();
    expect((await client.auth.updateUser({ data: { full_name: 'Ada Limb' } })).error).toBeNull();
    const sub = randomUUID();
    const token = await issuer.sign({ sub, email: freshAddress(), email_verified: true, name: 'Ada Limb' });
    expect((await client.auth.linkIdentity({ provider: 'keycloak', token })).error).toBeNull();
    const tab = visitor(backend);
    const signedIn = await tab.auth.signInWithPassword({ email, password: PASSWORD });
    const read = await tab.auth.getUser();
    for (const { data } of [signedIn, read]) {
      expect(data.user).toMatchObject({ email, factors: [{ id: factorId }] });
      expect(JSON.stringify(data.user)).not.toContain('Ada Limb');
      expect(data.user).toMatchObject({ identities: [], user_metadata: {} });
    }
    expect((await tab.auth.getClaims()).data?.claims.user_metadata).toEqual({});
    await tab.auth.mfa.challengeAndVerify({ factorId, code: code(secret, 1) });
    expect((await tab.auth.getUser()).data.user).toMatchObject({
      user_metadata: { full_name: 'Ada Limb' },
      identities: [{ provider: 'email' }, { provider: 'keycloak', identity_data: { name: 'Ada Limb' } }],
    });
    expect((await tab.auth.getClaims()).data?.claims.user_metadata).toMatchObject({ full_name: 'Ada Limb' });
  });

  /** A change of a second factor requires one anyway. */
  const WITHOUT = CHANGES.filter(({ name }) => !/authenticator|recovery/.test(name));
  test.each(WITHOUT)('$name: open to whoever has no second step', async ({ before, request }) => {
    const person = { ...(await member(backend)), factorId: '', secret: '' };
    if (before) await send(person.client, await before());
    expect(await send(person.client, await request(person))).toMatchObject({ status: 200 });
  });

  test('what was begun before the second step was set up is not completed after it', async () => {
    const { client, id, email } = await member(backend);
    const authorization = await send(client, [
      'GET',
      `user/identities/authorize?provider=keycloak&skip_http_redirect=true&login_hint=${anybody()}`,
    ]);
    const newEmail = freshAddress();
    await client.auth.updateUser({ email: newEmail });
    const links = [await lastMailTo(backend, email), await lastMailTo(backend, newEmail)];
    const factor = await enrol(client);
    await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code: code(factor.totp.secret) });
    const before = await state(id);
    const home = await followProvider(authorization.url, isHome, browserOf(client));
    expect(home.searchParams.get('error_code')).toBe('bad_oauth_state');
    // Nor does the address seem to wait for links that no longer work.
    expect((await client.auth.getUser()).data.user?.new_email).toBeUndefined();
    for (const { link } of links) expect((await follow(link)).hash).toContain('error_code=otp_expired');
    expect(await state(id)).toEqual(before);
  });
});

test('a change that is on its way while the second step is set up is refused', async () => {
  const { client, id } = await member(backend);
  const change = () => client.auth.updateUser({ data: { full_name: 'Mallory' } });
  const { error } = await overtaken(backend, id, 'its second step', change);
  expect(error).toMatchObject({ status: 401, code: 'insufficient_aal' });
  const { data } = await operator(backend).auth.admin.getUserById(id);
  expect(data.user?.user_metadata).toEqual({ email_verified: true });
});

describe('removing', () => {
  test('a verified one takes the second step, and sessions fall back', async () => {
    const { client, email, factorId, secret } = await guarded();
    const tab = await tabOf(email);
    expect((await tab.auth.mfa.unenroll({ factorId })).error).toMatchObject({
      status: 422,
      code: 'insufficient_aal',
    });
    await tab.auth.mfa.challengeAndVerify({ factorId, code: code(secret) });
    expect((await client.auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
    for (const each of [client, tab]) {
      await each.auth.refreshSession();
      expect(await levels(each)).toEqual(['aal1', 'aal1']);
      expect((await each.auth.getClaims()).data?.claims.amr).toEqual([
        { method: 'password', timestamp: expect.any(Number) },
      ]);
    }
    expect((await lastMailTo(backend, email)).subject).toBe('A second step was removed from your account');
  });

  test('an unfinished one does not', async () => {
    const { client } = await member(backend);
    const { id } = await enrol(client);
    expect((await client.auth.mfa.unenroll({ factorId: id })).data).toEqual({ id });
    expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
  });

  test('operators list and remove them', async () => {
    const { id, email, factorId } = await guarded();
    const { mfa } = operator(backend).auth.admin;
    const listed = await mfa.listFactors({ userId: id });
    expect(listed.data?.factors).toEqual([expect.objectContaining({ id: factorId, status: 'verified' })]);
    expect(JSON.stringify(listed.data)).not.toContain('secret');
    expect((await mfa.deleteFactor({ userId: id, id: factorId })).error).toBeNull();
    expect((await mfa.deleteFactor({ userId: id, id: factorId })).error?.code).toBe('mfa_factor_not_found');
    expect(await levels(await tabOf(email))).toEqual(['aal1', 'aal1']);
  });
});

describe('recovery codes', () => {
  const experimental = { recoveryCodes: true };

  /** Signed in with both factors, in a client that knows recovery codes. */
  async function withCodes() {
    const person = await guarded();
    const client = await tabOf(person.email, experimental);
    const raised = await client.auth.mfa.challengeAndVerify({
      factorId: person.factorId,
      code: code(person.secret),
    });
    if (raised.error) throw raised.error;
    const { data, error } = await client.auth.mfa.recoveryCodes.generate();
    if (error) throw error;
    await later();
    return { ...person, client, codes: data.codes, setId: data.id };
  }

  test('are shown once, counted, and good once each', async () => {
    const { client, email, codes, setId } = await withCodes();
    expect(new Set(codes).size).toBe(10);
    for (const each of codes) expect(each).toMatch(/^[a-z2-7]{16}$/);
    const stored = await database.query(
      'select string_agg(code_hash, $1) as all from auth.mfa_recovery_codes',
      [' '],
    );
    for (const each of codes) expect(stored.rows[0].all).not.toContain(each);
    const status = { id: setId, type: 'recovery_code', total: 10 };
    expect((await client.auth.mfa.recoveryCodes.getStatus()).data).toEqual({ ...status, remaining: 10 });
    const listed = await client.auth.mfa.listFactors();
    expect(listed.data?.recovery_code.map(({ id }) => id)).toEqual([setId]);

    const tab = await tabOf(email, experimental);
    const [first = ''] = codes;
    const typed = ` ${first.slice(0, 4).toUpperCase()}-${first.slice(4, 8)} ${first.slice(8)}`;
    expect((await tab.auth.mfa.recoveryCodes.verify({ code: typed })).error).toBeNull();
    expect(await levels(tab)).toEqual(['aal2', 'aal2']);
    expect((await tab.auth.getClaims()).data?.claims.amr?.[0]).toMatchObject({ method: 'mfa/recovery_code' });
    const again = await (await tabOf(email, experimental)).auth.mfa.recoveryCodes.verify({ code: first });
    expect(again.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
    expect((await client.auth.mfa.recoveryCodes.getStatus()).data).toEqual({ ...status, remaining: 9 });
  });

  test('need the second step, and another factor beside them', async () => {
    const person = await guarded();
    const tab = await tabOf(person.email, experimental);
    const { recoveryCodes } = tab.auth.mfa;
    expect((await recoveryCodes.getStatus()).error).toMatchObject({
      status: 404,
      code: 'mfa_factor_not_found',
    });
    expect((await recoveryCodes.verify({ code: 'a'.repeat(16) })).error?.code).toBe(
      'mfa_verification_failed',
    );
    for (const refused of [
      await recoveryCodes.generate(),
      await recoveryCodes.regenerate(),
      await recoveryCodes.unenroll(),
    ])
      expect(refused.error).toMatchObject({ status: 403, code: 'insufficient_aal' });
    await tab.auth.mfa.challengeAndVerify({ factorId: person.factorId, code: code(person.secret) });
    expect((await recoveryCodes.generate({ friendlyName: 'On paper' })).data).toMatchObject({
      friendly_name: 'On paper',
      total: 10,
    });
    expect((await recoveryCodes.generate()).error).toMatchObject({
      status: 422,
      code: 'mfa_verified_factor_exists',
    });
    expect((await tab.auth.mfa.unenroll({ factorId: person.factorId })).error).toMatchObject({
      status: 422,
      code: 'mfa_recovery_codes_sole_factor',
    });
    expect((await recoveryCodes.unenroll()).data).toEqual({ id: expect.any(String) });
    expect((await tab.auth.mfa.unenroll({ factorId: person.factorId })).error).toBeNull();
  });

  test('are replaced, and then the old ones are dead', async () => {
    const { client, email, codes, setId } = await withCodes();
    const renewed = await client.auth.mfa.recoveryCodes.regenerate();
    expect(renewed.data).toMatchObject({ id: setId, total: 10 });
    const tab = await tabOf(email, experimental);
    const old = await tab.auth.mfa.recoveryCodes.verify({ code: codes[0] ?? '' });
    expect(old.error?.code).toBe('mfa_verification_failed');
    const fresh = await tab.auth.mfa.recoveryCodes.verify({ code: renewed.data?.codes[0] ?? '' });
    expect(fresh.error).toBeNull();
  });

  test('lock after ten wrong tries, also against the right one', async () => {
    const { email, codes } = await withCodes();
    const tab = await tabOf(email, experimental);
    const attempt = (typed: string) => tab.auth.mfa.recoveryCodes.verify({ code: typed });
    for (let i = 0; i < 10; i++) expect((await attempt('wrong')).error?.status).toBe(422);
    expect((await attempt(codes[0] ?? '')).error).toMatchObject({
      status: 429,
      code: 'mfa_recovery_codes_locked',
    });
    await database.query(`update auth.mfa_recovery_code_sets set verification_locked_until = now()`);
    expect((await attempt(codes[0] ?? '')).error).toBeNull();
  });
});
