import { createVerify, randomUUID, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestBackend, withAuth } from '../../../backend.ts';
import { ownBackend } from '../../own-backend.ts';
import {
  browserOf,
  enter,
  fragmentOf,
  listening,
  member,
  openBrowser,
  operator,
  visitor,
} from '../fixtures.ts';
import { startIssuer } from './oidc-issuer.ts';
import {
  type AssertionOverrides,
  createIdentityProvider,
  keyWithCertificate,
  type SamlIdentityProvider,
} from './saml-identity-provider.ts';

const issuer = await startIssuer();
afterAll(() => issuer.close());
const { backend, database } = await ownBackend(
  {},
  withAuth({
    external: { keycloak: issuer.settings },
    saml: { enabled: true, private_key: '', certificate: '' },
    additional_redirect_urls: ['https://app.example.org/**'],
  }),
);

async function admin(method: string, path: string, body?: unknown, key = backend.serviceRoleKey) {
  const response = await fetch(`${backend.url}/auth/v1/admin/sso/providers${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

issuer.welcome(`${backend.url}/auth/v1/callback`);

let idp: SamlIdentityProvider;
let company: { id: string; domain: string };
beforeEach(async () => {
  idp = createIdentityProvider(backend.url);
  const domain = `${randomUUID().slice(0, 8)}.example.com`;
  const { status, body } = await admin('POST', '', {
    type: 'saml',
    metadata_xml: idp.metadata,
    domains: [domain],
    attribute_mapping: {
      keys: { full_name: { name: 'displayName' }, team: { name: 'team', default: 'none' } },
    },
  });
  expect(status).toBe(201);
  company = { id: body.id, domain };
});

interface Request {
  url: URL;
  id: string;
  relayState: string;
  xml: string;
}

/** Leaves for the identity provider by the client's redirect. */
async function startSSO(redirectTo?: string, flowType: 'implicit' | 'pkce' = 'implicit') {
  const client = visitor(backend, { flowType });
  const { data, error } = await client.auth.signInWithSSO({
    domain: company.domain,
    ...(redirectTo && { options: { redirectTo } }),
  });
  if (error) throw error;
  return { client, request: requestOf(new URL(data.url)) };
}

/** What the company is asked at an address of its own. */
function requestOf(url: URL): Request {
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  return {
    url,
    xml,
    id: / ID="([^"]+)"/.exec(xml)?.[1] ?? '',
    relayState: url.searchParams.get('RelayState') ?? '',
  };
}

/** Comes back with a response. */
async function comeBack(xml: string, relayState: string, browser = openBrowser()): Promise<URL> {
  const response = await browser(`${backend.url}/auth/v1/sso/saml/acs`, {
    method: 'POST',
    body: new URLSearchParams({
      SAMLResponse: Buffer.from(xml).toString('base64'),
      RelayState: relayState,
    }),
  });
  expect([302, 303]).toContain(response.status);
  return new URL(response.headers.get('location') ?? '');
}

/** Leaves for the company in a new browser, and comes back with what it says and signs. */
async function say(said: AssertionOverrides): Promise<URL> {
  const { client, request } = await startSSO();
  const xml = idp.signAssertion(idp.assertion({ requestId: request.id, ...said }));
  return comeBack(xml, request.relayState, browserOf(client));
}

/** A new person of the company. */
const colleague = () => `${randomUUID().slice(0, 8)}@${company.domain}`;

const withMail = (said: AssertionOverrides = {}): AssertionOverrides => ({
  attributes: { mail: colleague() },
  ...said,
});

describe('signing in through a company', () => {
  test('sends people there with a request of ours', async () => {
    const { request } = await startSSO();
    expect(`${request.url.origin}${request.url.pathname}`).toBe('https://idp.example.org/sign-in');
    expect(request.xml).toContain(`AssertionConsumerServiceURL="${backend.url}/auth/v1/sso/saml/acs"`);
    expect(request.xml).toContain(`${backend.url}/auth/v1/sso/saml/metadata`);
    const again = await visitor(backend).auth.signInWithSSO({ providerId: company.id });
    expect(again.error).toBeNull();
  });

  test.each(['signAssertion', 'signResponse'] as const)('implicit, with %s', async (sign) => {
    const { client, request } = await startSSO('https://app.example.org/in');
    const mail = colleague();
    const nameId = randomUUID();
    const assertion = idp.assertion({
      requestId: request.id,
      nameId,
      attributes: { mail, displayName: 'Ada Limb' },
    });
    const home = await comeBack(idp[sign](assertion), request.relayState, browserOf(client));
    expect(`${home.origin}${home.pathname}`).toBe('https://app.example.org/in');
    const fragment = fragmentOf(home);
    const { data } = await enter(client, fragment);
    expect(data.user).toMatchObject({
      email: mail,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: `sso:${company.id}`, providers: [`sso:${company.id}`] },
      user_metadata: {
        iss: idp.entityId,
        sub: nameId,
        email: mail,
        full_name: 'Ada Limb',
        custom_claims: { team: 'none' },
      },
      identities: [{ id: nameId, provider: `sso:${company.id}` }],
    });
    const { data: token } = await client.auth.getClaims();
    expect(token?.claims.amr).toMatchObject([{ method: 'sso/saml', provider: company.id }]);
    const { rows } = await database.query('select is_sso_user from auth.users where id = $1', [
      data.user?.id,
    ]);
    expect(rows).toEqual([{ is_sso_user: true }]);
    const { error } = await client.auth.updateUser({ password: 'a new password of mine' });
    expect(error).toMatchObject({ status: 422, code: 'user_sso_managed' });
  });

  test('with all groups that a company lists of a person', async () => {
    const groups = Array.from(
      { length: 150 },
      () => `<saml:AttributeValue>${randomUUID()}</saml:AttributeValue>`,
    );
    const { client, request } = await startSSO();
    const xml = idp
      .assertion({ ...withMail(), requestId: request.id })
      .replace(
        '</saml:AttributeStatement>',
        `<saml:Attribute Name="groups">${groups.join('')}</saml:Attribute>$&`,
      );
    const home = await comeBack(idp.signAssertion(xml), request.relayState, browserOf(client));
    expect(fragmentOf(home).get('access_token')).toBeTruthy();
  });

  test('PKCE, twice to the same account', async () => {
    const nameId = randomUUID();
    const ids = [];
    for (const mail of [colleague(), colleague()]) {
      const { client, request } = await startSSO(undefined, 'pkce');
      const xml = idp.assertion({ requestId: request.id, nameId, attributes: { mail } });
      const home = await comeBack(idp.signAssertion(xml), request.relayState, browserOf(client));
      const { data, error } = await client.auth.exchangeCodeForSession(home.searchParams.get('code') ?? '');
      expect(error).toBeNull();
      ids.push(data.user?.id);
    }
    expect(ids[0]).toBeTruthy();
    expect(ids[1]).toBe(ids[0]);
  });

  test('with the address that the company gives its person now', async () => {
    const addressOf = async (home: URL) => {
      const { data } = await visitor(backend).auth.getUser(fragmentOf(home).get('access_token') ?? '');
      return [data.user?.id, data.user?.email];
    };
    const [nameId, former, present] = [randomUUID(), colleague(), colleague()];
    const [id] = await addressOf(await say({ nameId, attributes: { mail: former } }));
    expect(await addressOf(await say({ nameId, attributes: { mail: present } }))).toEqual([id, present]);
    // The former one may be another person's by now.
    const [another, address] = await addressOf(await say({ attributes: { mail: former } }));
    expect([another === id, address]).toEqual([false, former]);
    const { rows } = await database.query('select email from auth.users where id = $1', [id]);
    expect(rows).toEqual([{ email: present }]);
  });

  test('begun by the company, which is asked first, and at an allowed address', async () => {
    for (const [target, origin] of [
      ['https://app.example.org/start', 'https://app.example.org'],
      ['https://evil.example.com/', backend.url],
    ] as const) {
      const browser = openBrowser();
      // Whatever it says, it may be of the one whose page brought it: it signs no one in.
      const asked = requestOf(await comeBack(idp.assertion(withMail()), target, browser));
      expect(asked.url.origin).toBe('https://idp.example.org');
      const xml = idp.signAssertion(idp.assertion({ ...withMail(), requestId: asked.id }));
      const home = await comeBack(xml, asked.relayState, browser);
      expect(home.origin).toBe(origin);
      expect(fragmentOf(home).get('access_token')).toBeTruthy();
    }
  });

  test('in the browser that began it alone', async () => {
    const { client, request } = await startSSO();
    const xml = idp.signAssertion(idp.assertion({ ...withMail(), requestId: request.id }));
    const stranger = (await startSSO()).client;
    for (const browser of [openBrowser(), browserOf(stranger)])
      expect(refusalOf(await comeBack(xml, request.relayState, browser))[0]).toBe(
        'saml_relay_state_not_found',
      );
    // A form of the company's own page comes without the cookie, and is sent again by one of this site.
    const page = await fetch(`${backend.url}/auth/v1/sso/saml/acs`, {
      method: 'POST',
      headers: { origin: 'https://idp.example.org' },
      body: new URLSearchParams({ SAMLResponse: '<"', RelayState: request.relayState }),
    });
    expect(await page.text()).toContain('<input type="hidden" name="SAMLResponse" value="&lt;&quot;">');
    const home = await comeBack(xml, request.relayState, browserOf(client));
    expect(fragmentOf(home).get('access_token')).toBeTruthy();
  });

  test('stays apart from an account with the same address', async () => {
    const { email, id } = await member(backend, colleague());
    const home = await say({ attributes: { mail: email } });
    const { data } = await visitor(backend).auth.getUser(fragmentOf(home).get('access_token') ?? '');
    expect(data.user?.email).toBe(email);
    expect(data.user?.id).not.toBe(id);
  });

  test('is the only way in that its person has, whatever they connect', async () => {
    const [nameId, sub] = [randomUUID(), randomUUID()];
    const client = visitor(backend);
    const { data } = await enter(client, fragmentOf(await say({ ...withMail(), nameId })));
    const id = data.user?.id ?? '';
    const managed = { status: 422, code: 'user_sso_managed' };
    const token = await issuer.sign({ sub, email: `${sub}@example.org`, email_verified: true });
    expect((await client.auth.linkIdentity({ provider: 'keycloak', token })).error).toBeNull();
    const another = await visitor(backend).auth.signInWithIdToken({ provider: 'keycloak', token });
    expect(another.error).toMatchObject(managed);
    const [own, connected] = (await client.auth.getUserIdentities()).data?.identities ?? [];
    if (!own || !connected) throw new Error('an identity is missing');
    expect((await client.auth.unlinkIdentity(own)).error).toMatchObject(managed);
    expect((await client.auth.unlinkIdentity(connected)).error).toBeNull();
    const { data: again } = await enter(visitor(backend), fragmentOf(await say({ ...withMail(), nameId })));
    expect(again.user?.id).toBe(id);
  });

  test('ends when the company says so', async () => {
    const token = fragmentOf(await say({ ...withMail(), sessionEnds: -10 })).get('refresh_token') ?? '';
    const { error } = await visitor(backend).auth.refreshSession({ refresh_token: token });
    expect(error?.code).toBe('session_expired');
  });
});

const refusalOf = (url: URL) => {
  expect(url.origin).toBe(backend.url);
  expect(url.hash).toBe('');
  return [url.searchParams.get('error_code'), url.searchParams.get('error_description')];
};

describe('refused', () => {
  test.each<[string, AssertionOverrides]>([
    ['for another site', { audience: 'https://other.example.org' }],
    ['for another address', { recipient: 'https://other.example.org/acs' }],
    ['by another issuer', { issuer: 'https://evil.example.com' }],
    ['expired', { notOnOrAfter: -120 }],
    ['not yet valid', { notBefore: 300 }],
    ['for another request', { requestId: '_another' }],
    ['for no request', { requestId: undefined }],
  ])('an assertion %s', async (_what, lie) => {
    const [code, description] = refusalOf(await say({ ...withMail(), ...lie }));
    expect(code).toBe('validation_failed');
    expect(description).toMatch(/^SAML Assertion is not valid: /);
  });

  test('an answer to a request that no one made here', async () => {
    const xml = idp.signAssertion(idp.assertion({ ...withMail(), requestId: '_stolen' }));
    expect(refusalOf(await comeBack(xml, ''))[0]).toBe('validation_failed');
  });

  test('an answer a second time, also to a request of the same browser', async () => {
    const { client, request } = await startSSO();
    const xml = idp.signAssertion(idp.assertion({ ...withMail(), requestId: request.id }));
    const browser = browserOf(client);
    expect(fragmentOf(await comeBack(xml, request.relayState, browser)).get('access_token')).toBeTruthy();
    expect(refusalOf(await comeBack(xml, request.relayState, browser))[0]).toBe('saml_relay_state_not_found');
    const { data } = await client.auth.signInWithSSO({ domain: company.domain });
    const next = requestOf(new URL(data?.url ?? ''));
    expect(refusalOf(await comeBack(xml, next.relayState, browser))).toEqual([
      'validation_failed',
      'SAML Assertion is not valid: it was not made for this sign-in',
    ]);
  });

  test('an answer that took too long', async () => {
    const { client, request } = await startSSO();
    await database.query(
      `update auth.saml_relay_states set created_at = created_at - interval '11 minutes' where id = $1`,
      [request.relayState],
    );
    const xml = idp.signAssertion(idp.assertion({ ...withMail(), requestId: request.id }));
    expect(refusalOf(await comeBack(xml, request.relayState, browserOf(client)))[0]).toBe(
      'saml_relay_state_expired',
    );
  });

  test.each<[string, (honest: string) => string]>([
    ['no signature', (honest) => honest],
    ['another company’s signature', (honest) => createIdentityProvider(backend.url).signAssertion(honest)],
    ['a changed address', (honest) => idp.signAssertion(honest).replace(/[\w-]+@/, 'admin@')],
    [
      'a forged assertion beside the signed one',
      (honest) => {
        const forged = /<saml:Assertion.*<\/saml:Assertion>/s.exec(honest)?.[0].replace('ID="_', 'ID="_evil');
        return idp.signAssertion(honest).replace('<saml:Assertion ', `${forged}<saml:Assertion `);
      },
    ],
    [
      'the signed assertion wrapped into a forged one',
      (honest) => {
        const signed = idp.signAssertion(honest);
        const inner = /<saml:Assertion.*<\/saml:Assertion>/s.exec(signed)?.[0] ?? '';
        const forged = (/<saml:Assertion.*<\/saml:Assertion>/s.exec(honest)?.[0] ?? '')
          .replace('ID="_', 'ID="_evil')
          .replace('</saml:Issuer>', `</saml:Issuer><samlp:Extensions>${inner}</samlp:Extensions>`);
        return signed.replace(inner, forged);
      },
    ],
    [
      'the signature moved to a forged assertion',
      (honest) => {
        const signed = idp.signAssertion(honest);
        const signature = /<Signature.*<\/Signature>/s.exec(signed)?.[0] ?? '';
        const inner = /<saml:Assertion.*<\/saml:Assertion>/s.exec(signed)?.[0] ?? '';
        const forged = (/<saml:Assertion.*<\/saml:Assertion>/s.exec(honest)?.[0] ?? '')
          .replace('ID="_', 'ID="_evil')
          .replace(
            '</saml:Issuer>',
            `</saml:Issuer>${signature.replace('</Signature>', `<Object>${inner.replace(signature, '')}</Object></Signature>`)}`,
          );
        return signed.replace(inner, forged);
      },
    ],
    ['no XML', () => 'nonsense'],
    ['entities', () => '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
  ])('%s', async (_what, forge) => {
    const { client, request } = await startSSO();
    const honest = () => idp.assertion({ ...withMail(), requestId: request.id });
    const home = await comeBack(forge(honest()), request.relayState, browserOf(client));
    expect(refusalOf(home)).toEqual([
      'validation_failed',
      expect.stringContaining('SAML Assertion is not valid'),
    ]);
    expect(fragmentOf(await say(withMail())).get('access_token')).toBeTruthy();
  });

  // Libraries take seconds for these, and would do so for anyone, whether they are signed or not.
  test.each([
    ['nine thousand elements', '<a/>'.repeat(9_000)],
    ['elements in elements', `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`],
    ['thousands of attributes', `<a ${Array.from({ length: 4_000 }, (_, n) => `b${n}=""`).join(' ')}/>`],
    ['attributes without a value', `<a ${Array.from({ length: 6_000 }, (_, n) => `b${n}`).join(' ')}/>`],
  ])('an answer of %s, before anything else reads it', async (_what, much) => {
    const { client, request } = await startSSO();
    const honest = idp.signAssertion(idp.assertion({ ...withMail(), requestId: request.id }));
    const xml = honest.replace('<samlp:Status>', `${much}<samlp:Status>`);
    expect(refusalOf(await comeBack(xml, request.relayState, browserOf(client)))).toEqual([
      'validation_failed',
      'SAML Assertion is not valid: it is no XML, or too much of it',
    ]);
    expect(refusalOf(await comeBack(xml, ''))[0]).toBe('validation_failed');
  });

  test('someone without a lasting name or an address', async () => {
    const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    expect(refusalOf(await say({ ...withMail(), nameIdFormat: transient }))[0]).toBe(
      'saml_assertion_no_user_id',
    );
    expect(refusalOf(await say({}))[0]).toBe('saml_assertion_no_email');
  });

  test('the address of someone else', async () => {
    const { email } = await member(backend);
    const [another] = (await admin('GET', '')).body.items;
    for (const mail of [
      email,
      `boss@sub.${company.domain}`,
      `boss@${another.domains[0].domain}`,
      `x@${company.domain}.example`,
    ]) {
      const refused = refusalOf(await say({ attributes: { mail } }));
      expect(refused).toEqual([
        'email_address_not_authorized',
        `This organisation signs in people with an address at ${company.domain}`,
      ]);
    }
    // Nor later, as whoever it has said that they are.
    const nameId = randomUUID();
    expect(fragmentOf(await say({ ...withMail(), nameId })).get('access_token')).toBeTruthy();
    expect(refusalOf(await say({ nameId, attributes: { mail: email } }))[0]).toBe(
      'email_address_not_authorized',
    );
    await admin('PUT', `/${company.id}`, { domains: [] });
    const begun = await visitor(backend).auth.signInWithSSO({ providerId: company.id });
    expect(begun.error).toBeNull();
    const { rowCount } = await database.query('select from auth.users where email = $1', [email]);
    expect(rowCount).toBe(1);
  });

  test('a company that no one knows, or that is switched off', async () => {
    const unknown = createIdentityProvider(backend.url);
    const xml = unknown.signAssertion(unknown.assertion(withMail()));
    expect(refusalOf(await comeBack(xml, ''))[0]).toBe('saml_idp_not_found');
    const begun = await startSSO();
    await admin('PUT', `/${company.id}`, { disabled: true });
    const late = idp.signAssertion(idp.assertion({ ...withMail(), requestId: begun.request.id }));
    for (const relayState of [begun.request.relayState, ''])
      expect(
        refusalOf(
          await comeBack(relayState ? late : idp.assertion(withMail()), relayState, browserOf(begun.client)),
        )[0],
      ).toBe('sso_provider_disabled');
    const { error } = await visitor(backend).auth.signInWithSSO({ domain: company.domain });
    expect(error).toMatchObject({ status: 404, code: 'sso_provider_disabled' });
  });

  test.each([
    [{ domain: 'nobody.example.com' }, 404, 'sso_provider_not_found'],
    [{ provider_id: randomUUID() }, 404, 'sso_provider_not_found'],
    [{ provider_id: 'x' }, 400, 'validation_failed'],
    [{ provider_id: randomUUID(), domain: 'example.com' }, 400, 'validation_failed'],
    [{}, 400, 'validation_failed'],
    [
      { domain: 'example.com', code_challenge: 'short', code_challenge_method: 's256' },
      400,
      'validation_failed',
    ],
  ])('a request like %o', async (body, status, code) => {
    const response = await fetch(`${backend.url}/auth/v1/sso`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    expect([response.status, (await response.json()).error_code]).toEqual([status, code]);
  });
});

describe('managing companies', () => {
  test('list, read, change, remove', async () => {
    const listed = await admin('GET', '');
    expect(listed.body.items).toContainEqual(expect.objectContaining({ id: company.id }));
    expect(JSON.stringify(listed.body)).not.toContain('X509Certificate');
    expect((await admin('GET', `/${company.id}`)).body).toMatchObject({
      id: company.id,
      disabled: false,
      saml: { entity_id: idp.entityId, metadata_xml: idp.metadata },
      domains: [{ domain: company.domain }],
    });
    const other = `${randomUUID().slice(0, 8)}.example.net`;
    const changed = await admin('PUT', `/${company.id}`, { domains: [other.toUpperCase()] });
    expect(changed.body).toMatchObject({
      domains: [{ domain: other }],
      saml: { attribute_mapping: { keys: { full_name: { name: 'displayName' } } } },
    });
    expect((await admin('DELETE', `/${company.id}`)).body).toMatchObject({ id: company.id });
    expect((await admin('GET', `/${company.id}`)).status).toBe(404);
  });

  test('what cannot be', async () => {
    const refusal = async (body: unknown) => {
      const answer = await admin('POST', '', body);
      return [answer.status, answer.body.error_code];
    };
    const fresh = () => createIdentityProvider(backend.url).metadata;
    expect(await refusal({ type: 'saml', metadata_xml: idp.metadata })).toEqual([
      422,
      'saml_idp_already_exists',
    ]);
    expect(await refusal({ type: 'saml', metadata_xml: fresh(), domains: [company.domain] })).toEqual([
      400,
      'sso_domain_already_exists',
    ]);
    for (const body of [
      { type: 'oidc', metadata_xml: fresh() },
      { type: 'saml' },
      { type: 'saml', metadata_xml: '<a/>' },
      { type: 'saml', metadata_xml: 'nonsense' },
      {
        type: 'saml',
        metadata_xml: fresh().replace('https://idp.example.org/sign-in', 'http://idp.example.org'),
      },
      { type: 'saml', metadata_url: 'http://idp.example.org/metadata' },
      { type: 'saml', metadata_xml: fresh(), domains: ['not a domain'] },
      { type: 'saml', metadata_xml: fresh(), name_id_format: 'mine' },
    ])
      expect(await refusal(body)).toEqual([400, 'validation_failed']);
    const another = await admin('PUT', `/${company.id}`, { metadata_xml: fresh() });
    expect(another.body.error_code).toBe('saml_entity_id_mismatch');
  });

  test('is for the service key alone', async () => {
    const { client } = await member(backend);
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    for (const key of [token, backend.anonKey]) {
      expect((await admin('GET', '', undefined, key)).status).toBe(403);
      expect((await admin('DELETE', `/${company.id}`, undefined, key)).status).toBe(403);
    }
    expect((await operator(backend).auth.admin.listUsers()).error).toBeNull();
  });
});

test('metadata with an address is read again after a day', async () => {
  let current = createIdentityProvider(backend.url);
  const server = createServer((_request, response) => response.end(current.metadata));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : '';
    const added = await admin('POST', '', {
      type: 'saml',
      metadata_url: `http://127.0.0.1:${port}/metadata`,
      domains: ['again.example.com'],
    });
    expect(added.body.saml).toMatchObject({ entity_id: current.entityId, metadata_xml: current.metadata });

    const before = current;
    current = createIdentityProvider(backend.url, before.entityId);
    const signedAnew = async () => {
      const browser = openBrowser();
      const asked = requestOf(await comeBack(current.assertion({}), '', browser));
      const xml = current.signAssertion(
        current.assertion({ attributes: { mail: 'ada@again.example.com' }, requestId: asked.id }),
      );
      return comeBack(xml, asked.relayState, browser);
    };
    expect(refusalOf(await signedAnew())[0]).toBe('validation_failed');
    await database.query(
      `update auth.saml_providers set updated_at = updated_at - interval '25 hours' where entity_id = $1`,
      [before.entityId],
    );
    expect(fragmentOf(await signedAnew()).get('access_token')).toBeTruthy();
  } finally {
    server.close();
  }
});

test('metadata without an end is let go of', async () => {
  let isLetGoOf = false;
  const server = createServer((_request, response) => {
    response.on('close', () => {
      isLetGoOf = true;
    });
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  });
  try {
    const metadata_url = `http://${await listening(server)}/metadata`;
    const refused = await admin('POST', '', { type: 'saml', metadata_url });
    expect([refused.status, refused.body.error_code]).toEqual([400, 'saml_metadata_fetch_failed']);
    await expect.poll(() => isLetGoOf).toBe(true);
  } finally {
    server.close();
  }
});

test('requests are signed where we have a key', async () => {
  const { pem, certificate } = keyWithCertificate();
  const signing = await startTestBackend(
    {},
    withAuth({
      saml: {
        enabled: true,
        private_key: pem,
        certificate: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`,
      },
    }),
  );
  try {
    const added = await fetch(`${signing.url}/auth/v1/admin/sso/providers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${signing.serviceRoleKey}` },
      body: JSON.stringify({
        type: 'saml',
        metadata_xml: createIdentityProvider(signing.url).metadata,
        domains: ['signing.example.com'],
      }),
    });
    expect(added.status).toBe(201);
    const { data } = await visitor(signing).auth.signInWithSSO({ domain: 'signing.example.com' });
    const [signedQuery = '', signature = ''] = new URL(data?.url ?? '').search.slice(1).split('&Signature=');
    expect(signedQuery).toContain('SigAlg=http%3A%2F%2Fwww.w3.org%2F2001%2F04%2Fxmldsig-more%23rsa-sha256');
    const key = new X509Certificate(Buffer.from(certificate, 'base64')).publicKey;
    const verified = createVerify('sha256').update(signedQuery);
    expect(verified.verify(key, decodeURIComponent(signature), 'base64')).toBe(true);
    const metadata = await (await fetch(`${signing.url}/auth/v1/sso/saml/metadata`)).text();
    expect(metadata.replaceAll(/\s/g, '')).toContain(certificate);
  } finally {
    await signing.stop();
  }
});

test('our own metadata names us and where assertions go', async () => {
  const response = await fetch(`${backend.url}/auth/v1/sso/saml/metadata`);
  expect(response.headers.get('content-type')).toContain('application/xml');
  const xml = await response.text();
  expect(xml).toContain(`entityID="${backend.url}/auth/v1/sso/saml/metadata"`);
  expect(xml).toContain(`Location="${backend.url}/auth/v1/sso/saml/acs"`);
  const settings = await (await fetch(`${backend.url}/auth/v1/settings`)).json();
  expect(settings.saml_enabled).toBe(true);
});
