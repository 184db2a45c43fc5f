import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { startTestBackend } from '../../backend.ts';
import { TIMEOUT_MS } from '../../timeouts.ts';
import { ownBackend } from '../own-backend.ts';
import { member, visitor } from './fixtures.ts';

const { backend } = await ownBackend();

/** The operator's command, on this backend's folder. */
async function rotateKeys(...options: string[]): Promise<string> {
  const root = resolve(import.meta.dirname, '../../..');
  const command = spawn(process.execPath, ['scripts/operator/rotate-keys.ts', ...options], {
    cwd: root,
    env: { ...process.env, DATA_DIR: backend.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  command.stdout.on('data', (text) => (output += text));
  command.stderr.on('data', (text) => (output += text));
  const [code] = await once(command, 'close');
  if (code !== 0) throw new Error(output);
  return output;
}

async function publishedKeys(): Promise<JWK[]> {
  const response = await fetch(`${backend.url}/auth/v1/.well-known/jwks.json`);
  return (await response.json()).keys;
}

const accessToken = async (client: Awaited<ReturnType<typeof member>>['client']) =>
  (await client.auth.getSession()).data.session?.access_token ?? '';

const kidOf = (token: string) => decodeProtectedHeader(token).kid;

const claimsOf = (token: string) => visitor(backend).auth.getClaims(token);

describe('rotation', () => {
  test('a new key is published before it signs, and old tokens stay good', async () => {
    const { client } = await member(backend);
    const before = await accessToken(client);
    const [old] = await publishedKeys();
    await rotateKeys();
    await expect.poll(publishedKeys).toHaveLength(2);
    const [fresh] = await publishedKeys();
    expect(fresh).toEqual({
      kty: 'EC',
      crv: 'P-256',
      alg: 'ES256',
      use: 'sig',
      key_ops: ['verify'],
      kid: expect.any(String),
      x: expect.any(String),
      y: expect.any(String),
    });
    await client.auth.refreshSession();
    expect(kidOf(await accessToken(client))).toBe(old?.kid);
    expect((await claimsOf(before)).error).toBeNull();
  });

  test('then it signs, and a revoked key’s tokens die everywhere', async () => {
    const { client, id } = await member(backend);
    const before = await accessToken(client);
    const now = await rotateKeys('--now');
    const kid = /Key (\w+) is published/.exec(now)?.[1] ?? '';
    await vi.waitFor(async () => {
      await client.auth.refreshSession();
      expect(kidOf(await accessToken(client))).toBe(kid);
    }, TIMEOUT_MS);
    const after = await accessToken(client);
    const { data, error } = await claimsOf(after);
    expect(error).toBeNull();
    expect(data).toMatchObject({ header: { alg: 'ES256', kid }, claims: { sub: id } });
    for (const token of [before, after]) {
      expect((await claimsOf(token)).error).toBeNull();
      expect((await visitor(backend).auth.getUser(token)).error).toBeNull();
    }

    await rotateKeys('--revoke', kidOf(before) ?? '');
    await vi.waitFor(async () => {
      const { error: refused } = await visitor(backend).auth.getUser(before);
      expect(refused).toMatchObject({ status: 403, code: 'bad_jwt' });
    }, TIMEOUT_MS);
    expect((await publishedKeys()).map((key) => key.kid)).not.toContain(kidOf(before));
    const table = createClient(backend.url, backend.anonKey, { accessToken: async () => before });
    expect((await table.from('profiles').select('id').limit(1)).status).toBe(401);
    // A client with an old access token continues by its refresh token as before.
    expect((await visitor(backend).auth.getUser(after)).error).toBeNull();
    await client.auth.refreshSession();
    expect((await client.auth.getUser()).error).toBeNull();
  });

  test('revoking the last key leaves a new one that signs', async () => {
    const { client } = await member(backend);
    const all = (await publishedKeys()).map((key) => key.kid ?? '');
    for (const kid of all) await rotateKeys('--revoke', kid);
    await vi.waitFor(async () => {
      const keys = await publishedKeys();
      expect(keys).toHaveLength(1);
      expect(all).not.toContain(keys[0]?.kid);
    }, TIMEOUT_MS);
    expect((await client.auth.refreshSession()).error).toBeNull();
    expect((await client.auth.getClaims()).error).toBeNull();
  });

  test('an unknown key or option changes nothing', async () => {
    await expect(rotateKeys('--revoke', 'nobody')).rejects.toThrow('There is no key nobody.');
    await expect(rotateKeys('--rewoke', 'x')).rejects.toThrow('Usage');
  });
});

describe('forged tokens', () => {
  const soon = () => Math.floor(Date.now() / 1000) + 600;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each([
    ['signed by nobody', async (claims: object) => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`],
    [
      'whose signature is a public key taken for a secret',
      async (claims: object) => {
        const [open] = await publishedKeys();
        return new SignJWT({ ...claims })
          .setProtectedHeader({ alg: 'HS256', kid: open?.kid ?? '' })
          .sign(new TextEncoder().encode(JSON.stringify(open)));
      },
    ],
    [
      'of another key under a known name',
      async (claims: object) => {
        const [open] = await publishedKeys();
        const { privateKey } = await generateKeyPair('ES256');
        return new SignJWT({ ...claims })
          .setProtectedHeader({ alg: 'ES256', kid: open?.kid ?? '' })
          .sign(privateKey);
      },
    ],
    [
      'that bring their own key',
      async (claims: object) => {
        const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
        return new SignJWT({ ...claims })
          .setProtectedHeader({ alg: 'ES256', kid: 'k'.repeat(10_000), jwk: await exportJWK(publicKey) })
          .sign(privateKey);
      },
    ],
    ['that ended', async (claims: object) => signedByUs({ ...claims, exp: soon() - 1200 })],
  ])('%s are refused by tables, files, functions and accounts', async (_what, forge) => {
    const { id } = await member(backend);
    const token = await forge({ sub: id, role: 'service_role', aud: 'authenticated', exp: soon() });
    const headers = { authorization: `Bearer ${token}`, apikey: backend.anonKey };
    const status = async (path: string) => (await fetch(`${backend.url}${path}`, { headers })).status;
    expect(await status('/rest/v1/profiles?select=id&limit=1')).toBe(401);
    expect(await status('/auth/v1/user')).toBe(403);
    expect(await status('/functions/v1/process-media-jobs')).toBe(401);
    const file = await fetch(`${backend.url}/storage/v1/bucket`, { headers });
    expect(file.status).toBeGreaterThanOrEqual(400);
    expect(['400', '401', '403']).toContain((await file.json()).statusCode);
  });

  test('and the same token, truly signed, is taken', async () => {
    const { id } = await member(backend);
    const token = await signedByUs({ sub: id, role: 'authenticated', aud: 'authenticated', exp: soon() });
    const headers = { authorization: `Bearer ${token}`, apikey: backend.anonKey };
    const response = await fetch(`${backend.url}/rest/v1/profiles?select=id&limit=1`, { headers });
    expect(response.status).toBe(200);
  });

  test.each([
    ['Bearer  ', ''],
    ['bEARER   ', ''],
    ['Bearer ', '  '],
  ])('is one wherever it stands behind "%s" and before "%s"', async (scheme, behind) => {
    const person = await member(backend);
    const token = (await person.client.auth.getSession()).data.session?.access_token;
    const headers = { authorization: `${scheme}${token}${behind}`, apikey: backend.anonKey };
    const ask = (path: string) => fetch(`${backend.url}${path}`, { headers });
    const rows = await ask('/rest/v1/notifications?select=id');
    expect([rows.status, rows.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await ask('/auth/v1/user')).status).toBe(200);
    expect((await ask('/functions/v1/begin-media-upload')).status).toBe(405);
    expect((await ask('/storage/v1/bucket')).status).toBe(200);
  });

  async function signedByUs(claims: object): Promise<string> {
    const secrets = JSON.parse(readFileSync(join(backend.dataDir, 'secrets.json'), 'utf8'));
    const [key] = secrets.signingKeys;
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: key.kid })
      .sign(await importJWK(key, 'ES256'));
  }
});

test('with a configured JWT_SECRET all tokens are HS256, and nothing of it is published', async () => {
  const shared = await startTestBackend({ JWT_SECRET: 'a secret of more than thirty-two characters' });
  try {
    const { client, id } = await member(shared);
    const token = await accessToken(client);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    // The client cannot verify this token itself, so it sends a request.
    const { data, error } = await client.auth.getClaims();
    expect(error).toBeNull();
    expect(data?.claims.sub).toBe(id);
    const own = await client.from('profiles').select('id').eq('id', id).single();
    expect(own.data).toEqual({ id });
    expect((await client.auth.refreshSession()).error).toBeNull();
    const forged = await new SignJWT({ sub: id, role: 'authenticated', aud: 'authenticated' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('another secret of more than thirty-two characters'));
    expect((await visitor(shared).auth.getUser(forged)).error).toMatchObject({
      status: 403,
      code: 'bad_jwt',
    });
    const published = await (await fetch(`${shared.url}/auth/v1/.well-known/jwks.json`)).json();
    for (const key of published.keys) expect(key.kty).toBe('EC');
  } finally {
    await shared.stop();
  }
});
