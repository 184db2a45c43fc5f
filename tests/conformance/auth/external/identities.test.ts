import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, describe, expect, test } from 'vitest';
import { repeatRemovals, startTestBackend, withAuth } from '../../../backend.ts';
import { ownBackend } from '../../own-backend.ts';
import {
  browserOf,
  byPassword,
  follow as followLink,
  fragmentOf,
  freshAddress,
  mailsTo,
  member,
  overtaken,
  PASSWORD,
  visitor,
} from '../fixtures.ts';
import { follow, startIssuer } from './oidc-issuer.ts';

const issuer = await startIssuer();
afterAll(() => issuer.close());
const { backend, database } = await ownBackend({}, withAuth({ external: { keycloak: issuer.settings } }));
issuer.welcome(`${backend.url}/auth/v1/callback`);

function person(claims: Record<string, unknown> = {}): string {
  const id = randomUUID();
  issuer.people[id] = { email: freshAddress(), email_verified: true, ...claims };
  return id;
}

async function linkIdentity(client: SupabaseClient, who: string): Promise<URL> {
  const { data, error } = await client.auth.linkIdentity({
    provider: 'keycloak',
    options: { queryParams: { login_hint: who } },
  });
  if (error) throw error;
  return follow(data.url ?? '', isHome, browserOf(client));
}

const isHome = (url: URL) => url.origin === backend.url && !url.pathname.startsWith('/auth/v1/');

const identitiesOf = async (client: SupabaseClient) =>
  (await client.auth.getUserIdentities()).data?.identities ?? [];

const signInAs = async (who: string) =>
  visitor(backend).auth.signInWithIdToken({
    provider: 'keycloak',
    token: await issuer.sign({ ...issuer.people[who], sub: who }),
  });

describe('linking', () => {
  test('adds a provider, with whatever address it has', async () => {
    const { client, id, email } = await member(backend);
    const who = person();
    const home = await linkIdentity(client, who);
    expect(fragmentOf(home).get('access_token')).toBeTruthy();
    expect(await identitiesOf(client)).toMatchObject([
      { provider: 'email' },
      { id: who, provider: 'keycloak', user_id: id, email: issuer.people[who]?.email },
    ]);
    const { data } = await client.auth.getUser();
    expect(data.user).toMatchObject({ email, app_metadata: { providers: ['email', 'keycloak'] } });
    expect((await signInAs(who)).data.user?.id).toBe(id);
    const [notice] = await mailsTo(backend, email);
    expect(notice).toMatchObject({
      subject: 'A new way to sign in was added',
      text: expect.stringContaining('with keycloak'),
    });
  });

  test('adds one by an ID token', async () => {
    const { client, id } = await member(backend);
    const who = person({ email_verified: false });
    const token = await issuer.sign({ ...issuer.people[who], sub: who });
    const { data, error } = await client.auth.linkIdentity({ provider: 'keycloak', token });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    expect((await identitiesOf(client)).map(({ provider }) => provider)).toEqual(['email', 'keycloak']);
    const stranger = await visitor(backend).auth.linkIdentity({
      provider: 'keycloak',
      token: await issuer.sign({ sub: randomUUID() }),
    });
    expect(stranger.error).toMatchObject({ status: 403 });
  });

  test('does not take an identity that is someone’s', async () => {
    const who = person();
    const first = await member(backend);
    await linkIdentity(first.client, who);
    for (const [client, message] of [
      [first.client, 'Identity is already linked'],
      [(await member(backend)).client, 'Identity is already linked to another user'],
    ] as const) {
      const home = await linkIdentity(client, who);
      expect(home.searchParams.get('error_code')).toBe('identity_already_exists');
      expect(home.searchParams.get('error_description')).toBe(message);
    }
  });

  test('only in the browser that began it, and while its session lasts', async () => {
    const attacker = await member(backend);
    const begun = async () => {
      const { data } = await attacker.client.auth.linkIdentity({
        provider: 'keycloak',
        options: { queryParams: { login_hint: person() } },
      });
      return data?.url ?? '';
    };
    // What someone else is sent and opens, who is signed in at the provider.
    const victim = await follow(await begun(), isHome, browserOf(visitor(backend)));
    expect(victim.searchParams.get('error_code')).toBe('bad_oauth_state');
    expect(fragmentOf(victim).get('access_token')).toBeNull();
    const url = await begun();
    await attacker.client.auth.refreshSession();
    await visitor(backend).auth.signInWithPassword({ email: attacker.email, password: PASSWORD });
    await attacker.client.auth.signOut({ scope: 'local' });
    const late = await follow(url, isHome, browserOf(attacker.client));
    expect(late.searchParams.get('error_code')).toBe('flow_state_already_used');
    const { data } = await byPassword(backend, { email: attacker.email });
    expect(data.user?.identities?.map(({ provider }) => provider)).toEqual(['email']);
  });

  test.each([
    ['nothing', null],
    ['the end of its sessions', 'session_not_found'],
    ['its second step', 'insufficient_aal'],
  ] as const)('when the account has met %s while the provider was waited for', async (event, code) => {
    const { client, id } = await member(backend);
    const who = person();
    const home = await overtaken(backend, id, event, () => linkIdentity(client, who));
    expect(home.searchParams.get('error_code')).toBe(code);
    expect((await signInAs(who)).data.user?.id === id).toBe(code === null);
  });

  test('redirects a browser', async () => {
    const { client } = await member(backend);
    const { data } = await client.auth.getSession();
    const response = await fetch(`${backend.url}/auth/v1/user/identities/authorize?provider=keycloak`, {
      headers: { authorization: `Bearer ${data.session?.access_token}` },
      redirect: 'manual',
    });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toContain(issuer.url);
  });

  test('needs someone signed in', async () => {
    const response = await fetch(`${backend.url}/auth/v1/user/identities/authorize?provider=keycloak`);
    expect([response.status, (await response.json()).error_code]).toEqual([401, 'no_authorization']);
  });
});

describe('unlinking', () => {
  test('takes one way in, and the address with the last identity that has it', async () => {
    const { client, id, email } = await member(backend);
    const who = person();
    await linkIdentity(client, who);
    const [own] = await identitiesOf(client);
    if (!own) throw new Error('no identity');
    expect((await client.auth.unlinkIdentity(own)).error).toBeNull();
    const { data } = await client.auth.getUser();
    expect(data.user).toMatchObject({
      id,
      email: issuer.people[who]?.email,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: 'keycloak', providers: ['keycloak'] },
    });
    expect((await signInAs(who)).data.user?.id).toBe(id);
    const subjects = (await mailsTo(backend, email)).map(({ subject }) => subject);
    expect(subjects.slice(0, 2)).toEqual(['Your email was changed', 'A way to sign in was removed']);
  });

  test('outlives an earlier backup, but for the only way in that it has', async () => {
    const { client, id } = await member(backend);
    const who = person();
    await linkIdentity(client, who);
    const { rows } = await database.query('select * from auth.identities where provider_id = $1', [who]);
    const connected = (await identitiesOf(client)).find(({ provider }) => provider === 'keycloak');
    if (!connected) throw new Error('no identity');
    expect((await client.auth.unlinkIdentity(connected)).error).toBeNull();
    const restored = async () => {
      const { email: _generated, ...row } = rows[0];
      await database.query(
        `insert into auth.identities (${Object.keys(row)}) select ${Object.keys(row)} from json_populate_record(null::auth.identities, $1)`,
        [JSON.stringify(row)],
      );
      await repeatRemovals(database);
      return (await signInAs(who)).data.user?.id === id;
    };
    expect(await restored()).toBe(false);
    await database.query('delete from auth.identities where user_id = $1 or provider_id = $2', [id, who]);
    expect(await restored()).toBe(true);
  });

  test('ends the links that were mailed to the address that goes', async () => {
    const { client, email } = await member(backend);
    await linkIdentity(client, person());
    await visitor(backend).auth.resetPasswordForEmail(email);
    const [{ link } = { link: '' }] = await mailsTo(backend, email);
    const [own] = await identitiesOf(client);
    if (!own) throw new Error('no identity');
    expect((await client.auth.unlinkIdentity(own)).error).toBeNull();
    expect((await followLink(link)).hash).toContain('error_code=otp_expired');
  });

  test('leaves the last one, also when two go at once', async () => {
    const { client } = await member(backend);
    const [only] = await identitiesOf(client);
    if (!only) throw new Error('no identity');
    expect((await client.auth.unlinkIdentity(only)).error).toMatchObject({
      status: 422,
      code: 'single_identity_not_deletable',
    });
    await linkIdentity(client, person());
    const both = await identitiesOf(client);
    const outcomes = await Promise.all(both.map((identity) => client.auth.unlinkIdentity(identity)));
    expect(outcomes.map(({ error }) => error?.code ?? null).sort()).toEqual(
      [null, 'single_identity_not_deletable'].sort(),
    );
    expect(await identitiesOf(client)).toHaveLength(1);
  });

  test('not someone else’s, nor what does not exist', async () => {
    const [mine, theirs] = [await member(backend), await member(backend)];
    await linkIdentity(mine.client, person());
    const [other] = await identitiesOf(theirs.client);
    if (!other) throw new Error('no identity');
    expect((await mine.client.auth.unlinkIdentity(other)).error).toMatchObject({
      status: 422,
      code: 'identity_not_found',
    });
    const nonsense = await mine.client.auth.unlinkIdentity({ ...other, identity_id: 'x' });
    expect(nonsense.error).toMatchObject({ status: 404, code: 'validation_failed' });
  });

  test('not when the address left is someone else’s', async () => {
    const { client } = await member(backend);
    const theirs = await member(backend);
    const who = person({ email: theirs.email });
    await linkIdentity(client, who);
    const [own] = await identitiesOf(client);
    if (!own) throw new Error('no identity');
    expect((await client.auth.unlinkIdentity(own)).error).toMatchObject({
      status: 422,
      code: 'email_conflict_identity_not_deletable',
    });
    expect(await identitiesOf(client)).toHaveLength(2);
    const signedIn = await byPassword(backend, { email: theirs.email });
    expect(signedIn.data.user?.id).toBe(theirs.id);
  });
});

test('an address that comes or stays with a provider is of a domain that is allowed', async () => {
  const { client, email } = await member(backend);
  await linkIdentity(client, person({ email: 'ada@elsewhere.example' }));
  await database.query(
    "update public.site_settings set email_domains = array['example.org'], sign_up = 'closed'",
  );
  const refused = {
    status: 422,
    code: 'email_address_not_authorized',
    message: 'Please use an email address at example.org',
  };
  const [own] = await identitiesOf(client);
  if (!own) throw new Error('no identity');
  expect((await client.auth.unlinkIdentity(own)).error).toMatchObject(refused);
  expect((await client.auth.updateUser({ email: 'ada@elsewhere.example' })).error).toMatchObject(refused);
  const who = person();
  const token = await issuer.sign({ ...issuer.people[who], sub: who });
  expect((await client.auth.linkIdentity({ provider: 'keycloak', token })).error).toBeNull();
  const identities = await identitiesOf(client);
  const { data } = await client.auth.getUser();
  expect([data.user?.email, identities.length]).toEqual([email, 3]);
  const [, elsewhere] = identities;
  if (!elsewhere) throw new Error('no identity');
  for (const identity of [elsewhere, own])
    expect((await client.auth.unlinkIdentity(identity)).error).toBeNull();
  expect((await client.auth.getUser()).data.user?.email).toMatch(/@example\.org$/);
  await database.query("update public.site_settings set email_domains = '{}', sign_up = 'open'");
});

test('all of it can be switched off', async () => {
  const closed = await startTestBackend(
    {},
    withAuth({ enable_manual_linking: false, external: { keycloak: issuer.settings } }),
  );
  try {
    const { client } = await member(closed);
    const refusal = { status: 404, code: 'manual_linking_disabled', message: 'Manual linking is disabled' };
    expect((await client.auth.linkIdentity({ provider: 'keycloak' })).error).toMatchObject(refusal);
    const token = await issuer.sign({ sub: person() });
    expect((await client.auth.linkIdentity({ provider: 'keycloak', token })).error).toMatchObject(refusal);
    const [own] = await identitiesOf(client);
    if (!own) throw new Error('no identity');
    expect((await client.auth.unlinkIdentity(own)).error).toMatchObject(refusal);
  } finally {
    await closed.stop();
  }
});
