import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { startedOnce } from './first-start.ts';
import { freePort, processesOf, type Run, start } from './site.ts';

/* Unwanted outgoing data of the site: its secrets, or a request to an address that a user wrote. */

const root = resolve(import.meta.dirname, '../..');
/** The operator's settings that no other person may know. */
const SETTINGS = {
  JWT_SECRET: 'secret-that-signs-every-token-of-all',
  SMTP_URL: 'smtps://limb:secret-of-the-mail-server@127.0.0.1:1',
  SMS_GATEWAY_URL: 'http://127.0.0.1:1',
  SMS_GATEWAY_TOKEN: 'secret-of-the-gateway',
  METRICS_TOKEN: 'secret-of-the-metrics',
  BACKUP_KEY: 'secret-of-all-the-backups',
  GOOGLE_CLIENT_ID: 'google-client',
  GOOGLE_SECRET: 'secret-of-google',
  CAPTCHA_SECRET: 'secret-of-the-captcha',
  CAPTCHA_SITE_KEY: 'captcha-site-key',
};
/** The values among them that a browser needs, which show that this is the right place to look. */
const OPEN = ['captcha-site-key'];

const directory = temporaryFolder('secrets');
const dataDir = join(directory, 'data');
const canary: Server = createServer((_request, response) => {
  canaryRequests += 1;
  response.end();
});
let canaryRequests = 0;
let link: string;
let site: Run;
let instance: { apiUrl: string; anonKey: string; serviceRoleKey: string; databaseUrl: string };

beforeAll(async () => {
  await startedOnce(dataDir, false);
  cpSync(join(root, 'supabase'), join(directory, 'supabase'), { recursive: true });
  const config = readFileSync(join(root, 'supabase/config.toml'), 'utf8');
  writeFileSync(
    join(directory, 'supabase/config.toml'),
    config.replace(/(?<=\[auth\.(?:captcha|external\.google)\]\n(?:#.*\n)*enabled = )false/g, 'true'),
  );
  await new Promise<void>((listening) => canary.listen(0, '127.0.0.1', listening));
  const address = canary.address();
  link = `http://canary.example:${typeof address === 'object' ? address?.port : ''}/x`;
  // For the server that name leads to this machine, as an attacker's name could; a direct request does reach
  // it.
  writeFileSync(
    join(directory, 'names.mjs'),
    `import dns from 'node:dns';
     const { lookup } = dns;
     dns.lookup = (name, ...rest) => lookup(name === 'canary.example' ? '127.0.0.1' : name, ...rest);
     if (process.argv[1]?.endsWith('server/main.ts')) process.on('SIGWINCH', () => void fetch('${link}'));`,
  );
  site = await start({
    NODE_OPTIONS: `--import=${join(directory, 'names.mjs')}`,
    ...SETTINGS,
    DATA_DIR: dataDir,
    SUPABASE_WORKDIR: directory,
    PORT: await freePort(),
  });
  instance = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));
});
afterAll(async () => {
  site?.process.kill('SIGTERM');
  await site?.exited;
  canary.close();
});

it('nothing that a browser loads holds a secret of the running site', async () => {
  const stored = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  const secrets = [
    ...Object.values(SETTINGS).filter((value) => value.startsWith('secret-')),
    'secret-of-the-mail-server',
    instance.serviceRoleKey,
    new URL(instance.databaseUrl).password,
    stored.jwtSecret,
    stored.databasePassword,
    stored.encryptionKey,
    ...stored.signingKeys.map((key: { d: string }) => key.d),
  ];
  expect(secrets.filter((secret) => typeof secret === 'string' && secret.length >= 16)).toHaveLength(13);

  const loaded: Record<string, string> = {};
  for (const path of globSync('build/client/**/*.{js,css,html,svg,json,txt,webmanifest}', { cwd: root }))
    loaded[path] = readFileSync(join(root, path), 'utf8');
  expect(Object.keys(loaded).length).toBeGreaterThan(50);
  const load = async (path: string, init?: RequestInit) => {
    const answer = await fetch(instance.apiUrl + path, init);
    loaded[path] = JSON.stringify([...answer.headers]) + (await answer.text());
  };
  const pages = ['/', '/browse', '/forum', '/auth', '/settings', '/admin', '/status', '/upload', '/nothing'];
  for (const page of pages) {
    await load(page);
    await load(`${page === '/' ? '/_root' : page}.data`);
  }
  const apikey = { apikey: instance.anonKey };
  for (const path of [
    '/auth/v1/settings',
    '/auth/v1/health',
    '/auth/v1/.well-known/jwks.json',
    '/rest/v1/',
    '/healthz',
    '/readyz',
  ])
    await load(path, { headers: apikey });
  await load('/auth/v1/authorize?provider=google', { redirect: 'manual' });
  await load('/auth/v1/token?grant_type=password', { method: 'POST', headers: apikey, body: '{"email":1}' });
  await load('/functions/v1/process-mail-jobs', { method: 'POST', headers: apikey });

  const holding = (text: string) => Object.keys(loaded).filter((path) => loaded[path]?.includes(text));
  for (const open of [...OPEN, instance.anonKey]) expect(holding(open), open).not.toEqual([]);
  for (const secret of secrets) expect(holding(secret), secret).toEqual([]);
  // Nor would a build that is made where they are set put them there: no script reads a setting.
  const scripts = Object.keys(loaded).filter((path) => path.endsWith('.js'));
  for (const name of Object.keys(SETTINGS))
    expect(
      scripts.filter((path) => loaded[path]?.includes(name)),
      name,
    ).toEqual([]);
});

it('nothing is asked at an address that someone wrote, while it is suggested, approved, listed and shown', async () => {
  const clientOf = (key: string): SupabaseClient =>
    createClient(instance.apiUrl, key, { auth: { persistSession: false, autoRefreshToken: false } });
  const service = clientOf(instance.serviceRoleKey);
  const person = async (name: string) => {
    const { data } = await service.auth.admin.createUser({
      email: `${name}@clinic.example`,
      email_confirm: true,
      user_metadata: { declaration_version: '2026-11-01' },
    });
    const id = data.user?.id ?? '';
    await service.from('profiles').update({ username: name, full_name: name }).eq('id', id).throwOnError();
    const token = await new SignJWT({ role: 'authenticated', sub: id })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(SETTINGS.JWT_SECRET));
    return { id, client: clientOf(token) };
  };
  const [author, moderator] = [await person('amara'), await person('henrik')];
  await service.from('user_roles').insert({ user_id: moderator.id, role: 'moderator' }).throwOnError();

  await author.client
    .from('resource_suggestions')
    .insert({
      resource_name: 'Fitting guide',
      resource_url: link,
      description: `All of it lies at ${link}`,
      category: 'Patient Resources',
    })
    .throwOnError();
  await author.client.from('profiles').update({ bio: link }).eq('id', author.id).throwOnError();
  await author.client.from('forum_topics').insert({ title: 'A guide', description: link }).throwOnError();
  const { data: topic } = await service.from('forum_topics').select('id').single().throwOnError();
  await author.client.from('messages').insert({ recipient_id: moderator.id, content: link }).throwOnError();
  const approved = moderator.client
    .from('resource_suggestions')
    .update({ status: 'approved' })
    .eq('resource_url', link);
  expect((await approved.select('id').throwOnError()).data).toHaveLength(1);

  const listed = clientOf(instance.anonKey).from('resource_suggestions').select('resource_url');
  expect((await listed.throwOnError()).data).toEqual([{ resource_url: link }]);
  const pageText = async (path: string) => (await fetch(instance.apiUrl + path)).text();
  expect(await pageText('/resources')).toContain(`href="${link}"`);
  expect(await pageText(`/forum/${topic.id}`)).toContain(`href="${link}"`);
  expect(canaryRequests).toBe(0);
  // The server could reach it.
  process.kill(processesOf(dataDir).server, 'SIGWINCH');
  await expect.poll(() => canaryRequests).toBe(1);
});
