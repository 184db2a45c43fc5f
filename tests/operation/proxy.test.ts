// @module-tag whole

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { temporaryFolder } from '../temporary-folder.ts';
import { TIMEOUT_MS } from '../timeouts.ts';
import { startedOnce } from './first-start.ts';
import { freePort, type Run, run, start } from './site.ts';

const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;
const missing = ['nginx', 'openssl'].filter(
  (program) => spawnSync(program, ['-v'], { env: { PATH } }).error !== undefined,
);
const why = missing.length > 0 ? ` (left out: this machine has no ${missing.join(' and no ')})` : '';

describe.skipIf(missing.length > 0)(`behind nginx, set up as docs/operations.md says${why}`, () => {
  const directory = temporaryFolder('proxy');
  const dataDir = join(directory, 'data');
  let site: Run;
  let proxy: ChildProcess;
  let address: string;
  /** The addresses of the same site where its operator left something out. */
  const amiss: Record<string, string> = {};
  let keys: { anonKey: string; serviceRoleKey: string; databaseUrl: string };

  beforeAll(async () => {
    await startedOnce(dataDir, false);
    const [port, proxyPort] = [await freePort(), await freePort()];
    address = `https://localhost:${proxyPort}`;
    site = await start({ DATA_DIR: dataDir, PORT: port, SITE_URL: address, TRUST_PROXY: 'true' });
    keys = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));

    const [certificate, key] = [join(directory, 'pem'), join(directory, 'key')];
    const name = ['-subj', '/CN=localhost', '-days', '2'];
    const pair = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate];
    spawnSync('openssl', [...pair, ...name], { env: { PATH } });
    const sample = /```nginx\n([\s\S]*?)```/.exec(readFileSync('docs/operations.md', 'utf8'))?.[1] ?? '';
    const served = sample
      .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${proxyPort} ssl`)
      .replace('limbs.example.org', 'localhost')
      .replace('/etc/ssl/limbs.pem', certificate)
      .replace('/etc/ssl/limbs.key', key);
    /** A server whose setting lacks what the sample has; by what is left of it. */
    const lacking = async (name: string, directives: string) => {
      const other = await freePort();
      amiss[name] = `https://localhost:${other}`;
      return `server { listen 127.0.0.1:${other} ssl; server_name localhost; ssl_certificate ${certificate};
        ssl_certificate_key ${key}; location / { proxy_pass http://limb_commons; ${directives} } }`;
    };
    const unbuffered = 'client_max_body_size 0; proxy_http_version 1.1; proxy_request_buffering off;';
    const servers = [
      await lacking('limited', ''),
      await lacking('buffered', 'client_max_body_size 0;'),
      await lacking('bare', unbuffered),
    ];
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => {
      mkdirSync(join(directory, kind));
      return `${kind}_temp_path ${join(directory, kind)};`;
    });
    const configuration = join(directory, 'nginx.conf');
    writeFileSync(
      configuration,
      `daemon off; pid ${join(directory, 'pid')}; error_log stderr; events {}
       http { access_log off; ${temporary.join(' ')} ${served} ${servers.join(' ')} }`,
    );
    proxy = spawn('nginx', ['-e', 'stderr', '-c', configuration], { env: { PATH }, stdio: 'inherit' });
    await vi.waitUntil(async () => (await send('GET', '/healthz').catch(() => undefined))?.status === 200, {
      timeout: TIMEOUT_MS,
    });
  });
  afterAll(async () => {
    proxy?.kill('SIGTERM');
    site?.process.kill('SIGTERM');
    await site?.exited;
  });

  function send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string | Buffer,
  ): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(address + path, { method, headers, rejectUnauthorized: false }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  it('pages come, and are to be asked for by https alone', async () => {
    const page = await send('GET', '/about');
    expect(page.status).toBe(200);
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(page.text).toContain(`<link rel="canonical" href="${address}/about"/>`);
    const form = await send('POST', '/unsubscribe?token=x', { origin: address });
    expect(form.status).toBe(200);
  });

  it('the socket opens', async () => {
    const socket = new WebSocket(
      `${address.replace('https', 'wss')}/realtime/v1/websocket?vsn=2.0.0&apikey=${keys.anonKey}`,
      { origin: address, rejectUnauthorized: false },
    );
    await new Promise<void>((resolve, reject) => {
      socket.on('open', resolve);
      socket.on('error', reject);
    });
    socket.close();
  });

  it('a file that is far too large is refused in the site’s own words, and the client’s address is its own', async () => {
    const caller = { apikey: keys.serviceRoleKey, authorization: `Bearer ${keys.serviceRoleKey}` };
    const person = JSON.stringify({
      email: 'proxy@clinic.example',
      password: 'a long walk by the sea',
      email_confirm: true,
      user_metadata: { declaration_version: '2026-11-01' },
    });
    const asOperator = { ...caller, 'content-type': 'application/json' };
    const created = await send('POST', '/auth/v1/admin/users', asOperator, person);
    const profile = JSON.stringify({ username: 'proxy', full_name: 'Pro Xy' });
    await send('PATCH', `/rest/v1/profiles?id=eq.${JSON.parse(created.text).id}`, asOperator, profile);
    const signedIn = await send(
      'POST',
      '/auth/v1/token?grant_type=password',
      { apikey: keys.anonKey, 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
      person,
    );
    const { access_token: token, user } = JSON.parse(signedIn.text);
    const exported = await send('POST', '/rest/v1/rpc/export_account', {
      apikey: keys.anonKey,
      authorization: `Bearer ${token}`,
    });
    expect(JSON.parse(exported.text).sessions).toMatchObject([{ ip: '127.0.0.1' }]);

    const head = `--x\r\ncontent-disposition: form-data; name="userId"\r\n\r\n${user.id}\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="x.mp4"\r\ncontent-type: video/mp4\r\n\r\n`;
    const upload = Buffer.concat([
      Buffer.from(head),
      Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'),
      Buffer.alloc(60 * 1024 * 1024),
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const refused = await send(
      'POST',
      '/functions/v1/process-media-upload',
      {
        apikey: keys.anonKey,
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
      upload,
    );
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      413,
      { error: expect.any(String), message: expect.stringMatching(/50/) },
    ]);
  });

  const NO_STAFF = 'The site has neither a moderator nor an administrator';
  const UNTRUSTED = 'Browsers do not trust the certificate of localhost';
  it.each([
    [undefined, []],
    ['limited', ['The proxy refuses uploads that the site would take.']],
    ['buffered', ['The proxy keeps an upload until it has all of it']],
    [
      'bare',
      [
        'The proxy names the site limb_commons instead of localhost',
        'Any client can claim any address',
        'the proxy lets no websocket through',
      ],
    ],
  ])('the doctor finds what the setting of the proxy lacks: %s', async (name, sentences) => {
    const doctor = run('doctor', {
      DATA_DIR: dataDir,
      SITE_URL: amiss[name ?? ''] ?? address,
      TRUST_PROXY: 'true',
    });
    expect((await doctor.exited).code).toBe(2);
    const found = [...doctor.output().matchAll(/^PROBLEM {2}(.*)$/gm)].map(([, text]) => text);
    expect(found).toEqual([UNTRUSTED, ...sentences, NO_STAFF].map((text) => expect.stringContaining(text)));
  });
});
