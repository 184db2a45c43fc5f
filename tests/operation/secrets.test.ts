import { chmodSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startedOnce } from './first-start.ts';
import { freePort, type Run, start } from './site.ts';

const root = resolve(import.meta.dirname, '../..');
/** What an operator sets and nobody else may know. */
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
/** What a browser has to know of them, which shows that this is the right place to look. */
const OPEN = ['captcha-site-key'];

const directory = mkdtempSync(join(tmpdir(), 'limb-commons-secrets-'));
const dataDir = join(directory, 'data');
let site: Run;
let instance: { apiUrl: string; anonKey: string; serviceRoleKey: string; databaseUrl: string };

beforeAll(async () => {
  chmodSync(directory, 0o711);
  await startedOnce(dataDir, false);
  cpSync(join(root, 'supabase'), join(directory, 'supabase'), { recursive: true });
  const config = readFileSync(join(root, 'supabase/config.toml'), 'utf8');
  writeFileSync(
    join(directory, 'supabase/config.toml'),
    config.replace(/(?<=\[auth\.(?:captcha|external\.google)\]\n(?:#.*\n)*enabled = )false/g, 'true'),
  );
  site = await start({
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
  rmSync(directory, { recursive: true, force: true });
});

it('nothing that a browser loads holds a secret of the running site', async () => {
  const kept = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  const secrets = [
    ...Object.values(SETTINGS).filter((value) => value.startsWith('secret-')),
    'secret-of-the-mail-server',
    instance.serviceRoleKey,
    new URL(instance.databaseUrl).password,
    kept.jwtSecret,
    kept.databasePassword,
    kept.encryptionKey,
    ...kept.signingKeys.map((key: { d: string }) => key.d),
  ];
  expect(secrets.filter((secret) => typeof secret === 'string' && secret.length >= 16)).toHaveLength(13);

  const loaded: Record<string, string> = {};
  for (const path of globSync('build/client/**/*.{js,css,html,svg,json,txt,webmanifest}', { cwd: root }))
    loaded[path] = readFileSync(join(root, path), 'utf8');
  expect(Object.keys(loaded).length).toBeGreaterThan(50);
  const keep = async (path: string, init?: RequestInit) => {
    const answer = await fetch(instance.apiUrl + path, init);
    loaded[path] = JSON.stringify([...answer.headers]) + (await answer.text());
  };
  const pages = ['/', '/browse', '/forum', '/auth', '/settings', '/admin', '/status', '/upload', '/nothing'];
  for (const page of pages) {
    await keep(page);
    await keep(`${page === '/' ? '/_root' : page}.data`);
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
    await keep(path, { headers: apikey });
  await keep('/auth/v1/authorize?provider=google', { redirect: 'manual' });
  await keep('/auth/v1/token?grant_type=password', { method: 'POST', headers: apikey, body: '{"email":1}' });
  await keep('/functions/v1/process-mail-jobs', { method: 'POST', headers: apikey });

  const holding = (text: string) => Object.keys(loaded).filter((path) => loaded[path]?.includes(text));
  for (const open of [...OPEN, instance.anonKey]) expect(holding(open), open).not.toEqual([]);
  for (const secret of secrets) expect(holding(secret), secret).toEqual([]);
  // Nor would a build that is made where they are set put them there: no script asks for a setting.
  const scripts = Object.keys(loaded).filter((path) => path.endsWith('.js'));
  for (const name of Object.keys(SETTINGS))
    expect(
      scripts.filter((path) => loaded[path]?.includes(name)),
      name,
    ).toEqual([]);
});
