import { generateKeyPairSync } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { type AuthSettings, repeatRemovals, startTestBackend, withAuth } from '../../backend.ts';
import { ownBackend } from '../own-backend.ts';
import { createAuthenticator } from './authenticator.ts';
import { mailsTo, member, operator, overtaken, PASSWORD, visitor } from './fixtures.ts';

const ORIGIN = 'https://limbs.example.org';
const { backend, database } = await ownBackend(
  {},
  withAuth({
    passkey: { enabled: true },
    webauthn: { rp_display_name: 'Limbs', rp_id: 'example.org', rp_origins: [ORIGIN] },
  }),
);

type Authenticator = ReturnType<typeof createAuthenticator>;
type Claims = Parameters<Authenticator['get']>[1];

/** The options as the server sent them, which the client library types for several servers. */
const optionsOf = (data: { options: unknown } | null) => data?.options as never;

async function register(client: SupabaseClient, authenticator: Authenticator, claims: Claims = {}) {
  const { data, error } = await client.auth.passkey.startRegistration();
  if (error) return { data: null, error };
  return client.auth.passkey.verifyRegistration({
    challengeId: data.challenge_id,
    credential: authenticator.create(optionsOf(data), claims),
  });
}

async function signIn(authenticator: Authenticator, claims: Claims = {}, client = visitor(backend)) {
  const { data } = await client.auth.passkey.startAuthentication();
  const challengeId = data?.challenge_id ?? '';
  const credential = authenticator.get(optionsOf(data), claims);
  const answer = await client.auth.passkey.verifyAuthentication({ challengeId, credential });
  return { ...answer, client, challengeId, credential };
}

/** A member with a passkey. */
async function holder() {
  const person = await member(backend);
  const authenticator = createAuthenticator(ORIGIN);
  const { data, error } = await register(person.client, authenticator);
  if (error) throw error;
  return { ...person, authenticator, passkeyId: data?.id ?? '' };
}

const notVerified = { status: 400, code: 'webauthn_verification_failed' };

test('a passkey is added, signs in without a name, is renamed and removed', async () => {
  const { client, id, email, authenticator, passkeyId } = await holder();
  const { data: options } = await client.auth.passkey.startRegistration();
  expect(options).toMatchObject({
    challenge_id: expect.any(String),
    expires_at: expect.any(Number),
    options: {
      rp: { id: 'example.org', name: 'Limbs' },
      user: { id: Buffer.from(id).toString('base64url'), name: email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: authenticator.id, type: 'public-key' }],
    },
  });

  const { data, client: tab } = await signIn(authenticator);
  expect(data).toMatchObject({ user: { id, email }, session: { token_type: 'bearer' } });
  const claims = await tab.auth.getClaims();
  // One step, as in Supabase's own service.
  expect(claims.data?.claims).toMatchObject({ aal: 'aal1', amr: [{ method: 'passkey' }] });
  expect((await tab.auth.refreshSession()).error).toBeNull();

  const renamed = await tab.auth.passkey.update({ passkeyId, friendlyName: 'Laptop' });
  expect(renamed.data).toMatchObject({ id: passkeyId, friendly_name: 'Laptop' });
  expect((await tab.auth.passkey.list()).data).toEqual([
    {
      id: passkeyId,
      friendly_name: 'Laptop',
      created_at: expect.any(String),
      last_used_at: expect.any(String),
    },
  ]);
  const exported = await tab.rpc('export_account');
  expect(exported.data).toMatchObject({ passkeys: [{ name: 'Laptop', last_used_at: expect.any(String) }] });
  for (const friendlyName of ['', 'x'.repeat(121)]) {
    const { error } = await tab.auth.passkey.update({ passkeyId, friendlyName });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
  }

  expect((await tab.auth.passkey.delete({ passkeyId })).error).toBeNull();
  expect((await tab.auth.passkey.list()).data).toEqual([]);
  expect((await signIn(authenticator)).error).toMatchObject(notVerified);
  expect((await mailsTo(backend, email)).map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['A new way to sign in was added', 'A way to sign in was removed']),
  );
  const audit = await database.query(
    `select payload ->> 'action' as action from auth.audit_log_entries where payload ->> 'actor_id' = $1`,
    [id],
  );
  expect(audit.rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['passkey_created', 'passkey_updated', 'passkey_deleted', 'login']),
  );
});

test.each([
  ['nothing', undefined],
  // What the client library makes of a session that was not found.
  ['the end of its sessions', 'AuthSessionMissingError'],
  ['its second step', 'insufficient_aal'],
  ['a ban', 'user_banned'],
] as const)('a passkey that is on its way is added after %s as before, or not: %s', async (event, code) => {
  const { client, id } = await member(backend);
  const { data } = await client.auth.passkey.startRegistration();
  const answer = {
    challengeId: data?.challenge_id ?? '',
    credential: createAuthenticator(ORIGIN).create(optionsOf(data)),
  };
  const added = () => client.auth.passkey.verifyRegistration(answer);
  const { error } = await overtaken(backend, id, event, added);
  expect(error?.code ?? error?.name).toBe(code);
  const { rowCount } = await database.query('select from auth.webauthn_credentials where user_id = $1', [id]);
  expect(rowCount).toBe(code ? 0 : 1);
});

test('a passkey that was removed stays removed when an earlier backup is restored', async () => {
  const { admin } = operator(backend).auth;
  const [stolen, kept] = [await holder(), await holder()];
  const { rows } = await database.query('select * from auth.webauthn_credentials where id = $1', [
    stolen.passkeyId,
  ]);
  const { error } = await admin.passkey.deletePasskey({ userId: stolen.id, passkeyId: stolen.passkeyId });
  expect(error).toBeNull();
  await database.query(
    'insert into auth.webauthn_credentials select * from json_populate_record(null::auth.webauthn_credentials, $1)',
    [
      JSON.stringify({
        ...rows[0],
        credential_id: `\\x${rows[0].credential_id.toString('hex')}`,
        public_key: `\\x${rows[0].public_key.toString('hex')}`,
      }),
    ],
  );
  expect((await signIn(stolen.authenticator)).error).toBeNull();
  await repeatRemovals(database);
  expect((await signIn(stolen.authenticator)).error).toMatchObject(notVerified);
  expect((await signIn(kept.authenticator)).error).toBeNull();
});

test('a passkey of an account that was removed signs in no more, also where the account’s row is kept', async () => {
  const { admin } = operator(backend).auth;
  const { id, authenticator } = await holder();
  const mark = (when: string) =>
    database.query(`update auth.users set deleted_at = ${when} where id = $1`, [id]);
  await mark('now()');
  expect((await signIn(authenticator)).error).toMatchObject({ status: 403, code: 'user_banned' });
  await mark('null');
  expect((await signIn(authenticator)).error).toBeNull();
  expect((await admin.deleteUser(id, true)).error).toBeNull();
  expect((await signIn(authenticator)).error).toMatchObject(notVerified);
  const { rowCount } = await database.query('select from auth.webauthn_credentials where user_id = $1', [id]);
  expect(rowCount).toBe(0);
});

const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

test.each<[string, Claims]>([
  ['of another origin', { origin: 'https://limbs.example.net' }],
  ['of an origin beside it', { origin: 'https://other.example.org' }],
  ['for another domain', { rpId: 'example.net' }],
  ['to another challenge', { challenge: Buffer.from('another challenge').toString('base64url') }],
  ['without the user’s PIN or finger', { userVerified: false }],
  ['of another kind', { type: 'payment.get' }],
])('an answer %s neither adds a passkey nor signs in', async (_what, claims) => {
  const { client } = await member(backend);
  const authenticator = createAuthenticator(ORIGIN);
  expect((await register(client, authenticator, claims)).error).toMatchObject(notVerified);
  expect((await client.auth.passkey.list()).data).toEqual([]);
  expect((await register(client, authenticator)).error).toBeNull();
  const refused = await signIn(authenticator, claims);
  expect(refused.error).toMatchObject(notVerified);
  expect(refused.data).toBeNull();
  expect((await signIn(authenticator)).error).toBeNull();
});

test('a forged signature, another person’s name and a copied key do not sign in', async () => {
  const { authenticator } = await holder();
  const other = await holder();
  expect((await signIn(authenticator, { key: stranger })).error).toMatchObject(notVerified);
  const userHandle = Buffer.from(other.id).toString('base64url');
  expect((await signIn(authenticator, { userHandle })).error).toMatchObject(notVerified);
  expect((await signIn(authenticator, { signCount: 40 })).error).toBeNull();
  // A key that counts its signatures and falls behind has been copied.
  expect((await signIn(authenticator, { signCount: 40 })).error).toMatchObject(notVerified);
  expect((await signIn(authenticator, { signCount: 41 })).error).toBeNull();
  expect((await signIn(createAuthenticator(ORIGIN))).error).toMatchObject(notVerified);
});

test('a challenge is answered once, in time, and by the session that asked for it', async () => {
  const { client, authenticator, email } = await holder();
  const first = await signIn(authenticator);
  expect(first.error).toBeNull();
  const { challengeId, credential } = first;
  const again = await visitor(backend).auth.passkey.verifyAuthentication({ challengeId, credential });
  expect(again.error).toMatchObject({ status: 400, code: 'webauthn_challenge_not_found' });

  const late = await visitor(backend).auth.passkey.startAuthentication();
  await database.query('update auth.webauthn_challenges set expires_at = now() where id = $1', [
    late.data?.challenge_id,
  ]);
  const expired = await visitor(backend).auth.passkey.verifyAuthentication({
    challengeId: late.data?.challenge_id ?? '',
    credential: authenticator.get(optionsOf(late.data)),
  });
  expect(expired.error).toMatchObject({ status: 400, code: 'webauthn_challenge_expired' });

  // Neither another person nor another session of the same one, and neither kind of challenge for the other.
  const asked = await client.auth.passkey.startRegistration();
  const answer = {
    challengeId: asked.data?.challenge_id ?? '',
    credential: createAuthenticator(ORIGIN).create(optionsOf(asked.data)),
  };
  const thief = await member(backend);
  const tab = visitor(backend);
  await tab.auth.signInWithPassword({ email, password: PASSWORD });
  for (const each of [thief.client, tab])
    expect((await each.auth.passkey.verifyRegistration(answer)).error).toMatchObject({
      code: 'webauthn_challenge_not_found',
    });
  const crossed = await visitor(backend).auth.passkey.verifyAuthentication(answer);
  expect(crossed.error).toMatchObject({ code: 'webauthn_challenge_not_found' });
  expect((await client.auth.passkey.verifyRegistration(answer)).error).toBeNull();
});

test('a passkey of another person can be neither taken over, renamed nor removed', async () => {
  const owner = await holder();
  const thief = await member(backend);
  const taken = await register(thief.client, owner.authenticator);
  expect(taken.error).toMatchObject({ status: 422, code: 'webauthn_credential_exists' });
  const { passkeyId } = owner;
  for (const { error } of [
    await thief.client.auth.passkey.update({ passkeyId, friendlyName: 'Mine' }),
    await thief.client.auth.passkey.delete({ passkeyId }),
  ])
    expect(error).toMatchObject({ status: 404, code: 'validation_failed', message: 'Passkey not found' });
  expect((await owner.client.auth.passkey.list()).data).toHaveLength(1);
});

test('who is banned, unconfirmed or signed out gets no further', async () => {
  const { admin } = operator(backend).auth;
  const { id, client, authenticator } = await holder();
  await admin.updateUserById(id, { ban_duration: '1h' });
  expect((await signIn(authenticator)).error).toMatchObject({ status: 403, code: 'user_banned' });
  expect((await client.auth.passkey.startRegistration()).error).not.toBeNull();
  await admin.updateUserById(id, { ban_duration: 'none' });
  expect((await signIn(authenticator)).error).toBeNull();

  const { error } = await visitor(backend).auth.passkey.list();
  expect(error?.name).toBe('AuthSessionMissingError');
  const { data } = await signIn(authenticator);
  const bearer = { authorization: `Bearer ${data?.session?.access_token}` };
  const list = () => fetch(`${backend.url}/auth/v1/passkeys`, { headers: bearer });
  expect((await list()).status).toBe(200);
  await admin.signOut(data?.session?.access_token ?? '', 'global');
  expect((await list()).status).toBe(403);
});

test('who has set up a second step takes it after a passkey, and before reading, adding, renaming or removing one', async () => {
  const { client, authenticator, passkeyId } = await holder();
  const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' });
  const secret = factor && 'totp' in factor ? factor.totp.secret : '';
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const factorId = factor?.id ?? '';
  expect((await client.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();

  const { client: halfway } = await signIn(authenticator);
  const level = await halfway.auth.mfa.getAuthenticatorAssuranceLevel();
  expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
  for (const { error } of [
    await halfway.auth.passkey.startRegistration(),
    await halfway.auth.passkey.list(),
    await halfway.auth.passkey.update({ passkeyId, friendlyName: 'Mine' }),
    await halfway.auth.passkey.delete({ passkeyId }),
  ])
    expect(error).toMatchObject({ status: 403, code: 'insufficient_aal' });
  expect((await register(client, createAuthenticator(ORIGIN))).error).toBeNull();
  expect((await client.auth.passkey.delete({ passkeyId })).error).toBeNull();
});

describe('a key as the second step', () => {
  /** As the client library's `mfa.webauthn` does with the browser between. */
  async function answer(
    client: SupabaseClient,
    factorId: string,
    authenticator: Authenticator,
    claims: Claims = {},
  ) {
    const { data } = await client.auth.mfa.challenge({
      factorId,
      webauthn: { rpId: 'example.org', rpOrigins: [ORIGIN] },
    } as never);
    const { id, webauthn } = (data ?? {}) as never as {
      id: string;
      webauthn: { type: 'create' | 'request'; credential_options: { publicKey: unknown } };
    };
    const publicKey = webauthn?.credential_options.publicKey;
    const challengeOf = publicKey as { challenge: ArrayBuffer; user?: { id: ArrayBuffer } };
    // The library has decoded what the browser takes as bytes.
    const options = {
      ...challengeOf,
      challenge: Buffer.from(challengeOf.challenge).toString('base64url'),
      user: { id: Buffer.from(challengeOf.user?.id ?? new ArrayBuffer(0)).toString('base64url') },
    };
    return verify(client, factorId, id, {
      type: webauthn.type,
      credential_response: authenticator[webauthn.type === 'create' ? 'create' : 'get'](
        options as never,
        claims,
      ),
    });
  }

  async function verify(client: SupabaseClient, factorId: string, challenge_id: string, webauthn: unknown) {
    const { data } = await client.auth.getSession();
    const response = await fetch(`${backend.url}/auth/v1/factors/${factorId}/verify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${data.session?.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ challenge_id, webauthn }),
    });
    const body = await response.json();
    if (response.ok) await client.auth.setSession(body);
    return { status: response.status, code: body.error_code, challenge_id, webauthn };
  }

  const levelOf = async (client: SupabaseClient) =>
    (await client.auth.mfa.getAuthenticatorAssuranceLevel()).data;

  const refused = { status: 422, code: 'mfa_verification_failed' };

  test('is set up and used, and only by the key and its user', async () => {
    const { client, email } = await member(backend);
    const enrolled = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' });
    expect(enrolled.data).toMatchObject({ type: 'webauthn', friendly_name: 'Key' });
    const factorId = enrolled.data?.id ?? '';
    const key = createAuthenticator(ORIGIN);
    expect(await answer(client, factorId, key, { userVerified: false })).toMatchObject(refused);
    expect(await levelOf(client)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
    expect(await answer(client, factorId, key)).toMatchObject({ status: 200 });
    expect(await levelOf(client)).toMatchObject({
      currentLevel: 'aal2',
      currentAuthenticationMethods: [{ method: 'mfa/webauthn' }, { method: 'password' }],
    });
    expect((await client.auth.mfa.listFactors()).data?.webauthn).toMatchObject([{ id: factorId }]);
    expect((await mailsTo(backend, email))[0]?.text).toContain('passkey or security key');

    const tab = visitor(backend);
    await tab.auth.signInWithPassword({ email, password: PASSWORD });
    expect(await levelOf(tab)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    for (const claims of [
      { userVerified: false },
      { key: stranger },
      { origin: 'https://limbs.example.net' },
      { challenge: 'AAAA' },
    ])
      expect(await answer(tab, factorId, key, claims)).toMatchObject(refused);
    expect(await answer(tab, factorId, createAuthenticator(ORIGIN))).toMatchObject(refused);
    const { status, challenge_id, webauthn } = await answer(tab, factorId, key);
    expect(status).toBe(200);
    expect(await levelOf(tab)).toMatchObject({ currentLevel: 'aal2' });
    expect(await verify(tab, factorId, challenge_id, webauthn)).toMatchObject({
      code: 'mfa_ip_address_mismatch',
    });
    // A passkey is no such key, and a code none of its answers.
    expect((await tab.auth.mfa.challengeAndVerify({ factorId, code: '000000' })).error).toMatchObject({
      code: 'validation_failed',
    });
    expect((await tab.auth.mfa.unenroll({ factorId })).error).toBeNull();
    await tab.auth.refreshSession();
    expect(await levelOf(tab)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
  });

  test('is not asked for after a passkey, and the session loses the second step with the key', async () => {
    const { client, authenticator } = await holder();
    const { data } = await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' });
    const factorId = data?.id ?? '';
    const { client: before } = await signIn(authenticator);
    expect(await levelOf(before)).toMatchObject({ currentLevel: 'aal1' });
    expect(await answer(client, factorId, createAuthenticator(ORIGIN))).toMatchObject({ status: 200 });

    const { client: tab } = await signIn(authenticator);
    expect(await levelOf(tab)).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });
    await tab.auth.refreshSession();
    expect(await levelOf(tab)).toMatchObject({ currentLevel: 'aal2' });
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    await tab.auth.refreshSession();
    expect(await levelOf(tab)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
  });

  test('of another person answers nothing', async () => {
    const [owner, thief] = [await member(backend), await member(backend)];
    const key = createAuthenticator(ORIGIN);
    const { data } = await owner.client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' });
    await answer(owner.client, data?.id ?? '', key);
    const { error } = await thief.client.auth.mfa.challenge({ factorId: data?.id ?? '' });
    expect(error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' });
    const own = await thief.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' });
    const asked = await thief.client.auth.mfa.challenge({ factorId: own.data?.id ?? '' });
    const forged = { type: 'request', credential_response: key.get({ challenge: '', rpId: 'example.org' }) };
    expect(await verify(thief.client, own.data?.id ?? '', asked.data?.id ?? '', forged)).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });
});

test('a person has ten passkeys at most, which the operator can list and remove', async () => {
  const { client, id } = await holder();
  const made = await Promise.all(
    Array.from({ length: 9 }, async () => register(client, createAuthenticator(ORIGIN))),
  );
  expect(made.map(({ error }) => error)).toEqual(Array(9).fill(null));
  const { error } = await register(client, createAuthenticator(ORIGIN));
  expect(error).toMatchObject({ status: 422, code: 'too_many_passkeys' });
  const { passkey } = operator(backend).auth.admin;
  const { data } = await passkey.listPasskeys({ userId: id });
  expect(data).toHaveLength(10);
  const passkeyId = data?.[0]?.id ?? '';
  expect((await passkey.deletePasskey({ userId: id, passkeyId })).error).toBeNull();
  expect((await client.auth.passkey.list()).data).toHaveLength(9);
});

test.each<[string, Partial<AuthSettings>]>([
  ['where they are switched off', { passkey: { enabled: false } }],
  // No key can be made for a number.
  [
    'where the site has no domain',
    { site_url: 'https://192.0.2.7', webauthn: { rp_display_name: '', rp_id: '', rp_origins: [] } },
  ],
])('passkeys are refused %s, and the settings say so', async (_where, changes) => {
  const without = await startTestBackend({}, withAuth({ passkey: { enabled: true }, ...changes }), backend);
  try {
    const settings = await fetch(`${without.url}/auth/v1/settings`);
    expect(await settings.json()).toMatchObject({ passkeys_enabled: false });
    const { error } = await visitor(without).auth.passkey.startAuthentication();
    expect(error).toMatchObject({ status: 404, code: 'passkey_disabled' });
  } finally {
    await without.stop();
  }
});

test('answers of any form are refused cleanly', async () => {
  const { data } = await visitor(backend).auth.passkey.startAuthentication();
  const send = async (body: unknown) => {
    const response = await fetch(`${backend.url}/auth/v1/passkeys/authentication/verify`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return [response.status, (await response.json()).error_code];
  };
  expect(await send({})).toEqual([400, 'validation_failed']);
  expect(await send({ challenge_id: 'x', credential: {} })).toEqual([400, 'validation_failed']);
  expect(await send({ challenge_id: data?.challenge_id, credential: 'x' })).toEqual([
    400,
    'validation_failed',
  ]);
  expect(await send({ challenge_id: data?.challenge_id, credential: { id: 1 } })).toEqual([
    400,
    'webauthn_verification_failed',
  ]);
  const { authenticator } = await holder();
  for (const response of [{}, { clientDataJSON: 'e30' }, { clientDataJSON: 1, userHandle: '' }]) {
    const { data: next } = await visitor(backend).auth.passkey.startAuthentication();
    const whole = authenticator.get(optionsOf(next));
    const credential = { ...whole, response: { userHandle: whole.response.userHandle, ...response } };
    expect(await send({ challenge_id: next?.challenge_id, credential })).toEqual([
      400,
      'webauthn_verification_failed',
    ]);
  }
});
