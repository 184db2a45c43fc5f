// @module-tag whole

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startEmptyCluster } from '../../cluster.ts';
import { COMPLETE_PROFILES } from '../../completed-profiles.ts';
import { startMailServer } from '../../mail-server.ts';
import { type S3Store, startS3Store } from '../../s3-store.ts';
import { shareSolution } from '../../solution.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { BACKGROUND_TIMEOUT_MS, TIMEOUT_MS } from '../../timeouts.ts';
import { withoutDemo } from '../first-start.ts';
import { freePort, type Run, run, signal, start } from '../site.ts';

const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;
const why = spawnSync('nginx', ['-v'], { env: { PATH } }).error
  ? ' (left out: this machine has no nginx)'
  : '';
const PASSWORD = 'a long walk by the sea';
const MB = 1024 ** 2;

interface Process {
  dataDir: string;
  url: string;
  run: Run;
  /** The server's own process, not that of its launcher. */
  pid: number;
}

describe.skipIf(why !== '')(`two processes of a site behind nginx, as docs/operations.md says${why}`, () => {
  const directory = temporaryFolder('several');
  const office = startMailServer();
  let cluster: Awaited<ReturnType<typeof startEmptyCluster>>;
  let store: S3Store;
  let database: pg.Client;
  let proxy: ChildProcess;
  let address: string;
  let settings: Record<string, string>;
  let first: Process;
  let second: Process;
  let keys: { anonKey: string; serviceRoleKey: string };
  let service: SupabaseClient;

  async function startProcess(dataDir: string, port: string): Promise<Process> {
    const site = await start({ ...settings, DATA_DIR: dataDir, PORT: port });
    const instance = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));
    keys = instance;
    return { dataDir, url: `http://127.0.0.1:${port}`, run: site, pid: instance.pid };
  }
  const clientAt = ({ url }: Process) => createClient(url, keys.anonKey, { auth: { persistSession: false } });

  /** A member, signed in through one process. */
  async function member(through: Process, name: string) {
    const email = `${randomUUID().slice(0, 8)}@clinic.example`;
    const { data } = await service.auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    const id = data.user?.id ?? '';
    await database.query(COMPLETE_PROFILES);
    await database.query(
      'update public.profiles set full_name = $2, email_notifications = true where id = $1',
      [id, name],
    );
    const client = clientAt(through);
    const { data: signedIn } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    return { id, email, client, token: signedIn.session?.access_token ?? '' };
  }

  /** Kills the first process while it is in the middle of something that the second had no part in. */
  async function killFirstDuring(begin: () => Promise<unknown>, isInTheMiddle: () => boolean) {
    signal(second.pid, 'SIGSTOP');
    try {
      await begin();
      await vi.waitUntil(isInTheMiddle, { timeout: TIMEOUT_MS });
      signal(first.pid, 'SIGKILL');
    } finally {
      signal(second.pid, 'SIGCONT');
    }
    await first.run.exited;
  }
  const startFirstAgain = async () => {
    first = await startProcess(first.dataDir, new URL(first.url).port);
  };

  beforeAll(async () => {
    await office.open();
    [cluster, store] = await Promise.all([startEmptyCluster(), startS3Store()]);
    const [ports, proxyPort] = [[await freePort(), await freePort()], await freePort()];
    address = `http://127.0.0.1:${proxyPort}`;
    settings = {
      ...store.settings,
      DATABASE_URL: cluster.url,
      SITE_URL: address,
      SMTP_URL: office.address(),
      TRUST_PROXY: 'true',
    };
    database = new pg.Client({ connectionString: cluster.url });
    await database.connect();
    first = await startProcess(withoutDemo(join(directory, 'first')), ports[0] ?? '');
    service = createClient(address, keys.serviceRoleKey, { auth: { persistSession: false } });

    const other = { ...settings, DATA_DIR: withoutDemo(join(directory, 'second')), PORT: ports[1] ?? '' };
    const copy = (name: string) => copyFileSync(join(first.dataDir, name), join(other.DATA_DIR, name));
    copy('files.json');
    const refused = run('start', other);
    expect([(await refused.exited).code, refused.output()]).toEqual([
      1,
      expect.stringContaining('copy secrets.json, and with a bucket files.json, from its data folder'),
    ]);
    copy('secrets.json');
    second = await startProcess(other.DATA_DIR, ports[1] ?? '');

    const samples = readFileSync('docs/operations.md', 'utf8').matchAll(/```nginx\n([\s\S]*?)```/g);
    const [proxied = '', upstream = ''] = [...samples].map(([, sample]) => sample ?? '');
    const served = proxied
      .replace(/upstream limb_commons \{[\s\S]*?\n\}/, upstream)
      .replace('192.0.2.1:3000', `127.0.0.1:${ports[0]}`)
      .replace('192.0.2.2:3000', `127.0.0.1:${ports[1]}`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${proxyPort}`)
      .replaceAll(/^ *ssl_.*$/gm, '');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => {
      mkdirSync(join(directory, kind));
      return `${kind}_temp_path ${join(directory, kind)};`;
    });
    const configuration = join(directory, 'nginx.conf');
    writeFileSync(
      configuration,
      `daemon off; pid ${join(directory, 'pid')}; error_log stderr crit; events {} http { access_log off; ${temporary.join(' ')} ${served} }`,
    );
    proxy = spawn('nginx', ['-e', 'stderr', '-c', configuration], { env: { PATH }, stdio: 'inherit' });
    await vi.waitUntil(
      async () => (await fetch(`${address}/healthz`).catch(() => undefined))?.status === 200,
      { timeout: TIMEOUT_MS },
    );
  });
  afterAll(async () => {
    proxy?.kill('SIGTERM');
    for (const one of [first, second]) one?.run.process.kill('SIGTERM');
    for (const one of [first, second]) await one?.run.exited;
    await database?.end();
    await cluster?.stop();
    await store?.stop();
    await office.shut();
  });

  it('who signs in through one is known at the other, until the session ends at either', async () => {
    const ada = await member(first, 'Ada');
    const there = () =>
      fetch(`${second.url}/rest/v1/profiles?select=id&id=eq.${ada.id}`, {
        headers: { apikey: keys.anonKey, authorization: `Bearer ${ada.token}` },
      });
    expect(await (await there()).json()).toEqual([{ id: ada.id }]);
    await ada.client.auth.signOut({ scope: 'global' });
    await expect.poll(async () => (await there()).status).toBe(401);
  });

  it('what is written through one comes on the kept pages of the other, and arrives there live', async () => {
    const ada = await member(first, 'Ada');
    const solution = await shareSolution(service, { user_id: ada.id, status: 'approved' });
    const page = async () => (await fetch(`${second.url}/solution/${solution}`)).text();
    await expect.poll(page).toContain('Printed socket for a violin bow');
    const heard: unknown[] = [];
    const ben = await member(second, 'Ben');
    await new Promise<void>((subscribed) =>
      ben.client
        .channel('comments')
        .on('system', {}, () => subscribed())
        .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'comments' }, (change) =>
          heard.push(change.new.content),
        )
        .subscribe(),
    );
    const content = 'The wrist follows well.';
    await ada.client
      .from('comments')
      .insert({ solution_id: solution, user_id: ada.id, content })
      .throwOnError();
    await expect.poll(() => heard).toEqual([content]);
    await expect.poll(page).toContain(content);
    await ben.client.realtime.disconnect();
  });

  it('a limit counts over both', async () => {
    const { email } = await member(first, 'Ada');
    const asked = [await clientAt(first), await clientAt(second)].map(
      (client) => () => client.auth.resetPasswordForEmail(email),
    );
    expect((await asked[0]?.())?.error).toBeNull();
    expect((await asked[1]?.())?.error?.code).toBe('over_email_send_rate_limit');
  });

  it('nginx leads an address to one of them, and to the other once that has been killed in an upload, which begins again', async () => {
    const ada = await member(first, 'Ada');
    const bytes = randomBytes(3 * MB);
    const name = `${ada.id}/${randomUUID()}/full.webp`;
    /** Sends it through nginx from this address; resolves with the address of the upload once this many bytes have come. */
    const send = (until: number, uploadUrl?: string) =>
      new Promise<string>((resolve, reject) => {
        const upload: Upload = new Upload(bytes, {
          endpoint: `${address}/storage/v1/upload/resumable`,
          ...(uploadUrl && { uploadUrl }),
          headers: { authorization: `Bearer ${keys.serviceRoleKey}` },
          metadata: { bucketName: 'pending-media', objectName: name, contentType: 'image/webp' },
          chunkSize: MB,
          retryDelays: [0, 1000, 2000],
          onChunkComplete: (_size, accepted) => {
            if (accepted >= until && until < bytes.length)
              upload.abort().then(() => resolve(upload.url ?? ''), reject);
          },
          onSuccess: () => resolve(upload.url ?? ''),
          onError: reject,
        });
        upload.start();
      });
    const begun = await send(MB);
    const has = ({ dataDir }: Process) =>
      spawnSync('ls', [join(dataDir, 'files/resumable')], { encoding: 'utf8' }).stdout.trim() !== '';
    expect([first, second].filter(has)).toHaveLength(1);
    if (has(second)) [first, second] = [second, first];
    signal(first.pid, 'SIGKILL');
    await first.run.exited;
    await send(bytes.length, begun);
    const { rows } = await database.query('select version from storage.objects where name = $1', [name]);
    expect(rows).toHaveLength(1);
    const stored = [...store.objects].filter(([key]) => key.endsWith(rows[0].version));
    expect(stored.map(([, object]) => object.bytes.equals(bytes))).toEqual([true]);
    await startFirstAgain();
  });

  it('an email that was being sent when its process was killed is sent once, by the other', async () => {
    const [ada, ben] = [await member(second, 'Ada'), await member(second, 'Ben')];
    const subject = 'A strap for the rower';
    office.isSilent = true;
    await killFirstDuring(
      () =>
        database.query(
          'insert into public.messages (sender_id, recipient_id, subject, content) values ($1, $2, $3, $4)',
          [ada.id, ben.id, subject, 'Shall we?'],
        ),
      () => office.unanswered > 0,
    );
    office.isSilent = false;
    const waiting = async () =>
      (await database.query('select from private.mail_jobs where not digest')).rowCount;
    expect(await waiting()).toBe(1);
    // It would be tried again in a minute.
    await database.query('update private.mail_jobs set due_at = now()');
    await expect.poll(waiting, { timeout: BACKGROUND_TIMEOUT_MS }).toBe(0);
    expect(office.received.filter((letter) => letter.includes(subject))).toHaveLength(1);
    await startFirstAgain();
  });

  it('an approval whose files were being moved when its process was killed is ended once, by the other', async () => {
    const ada = await member(second, 'Ada');
    const file = `${ada.id}/${randomUUID()}/full.webp`;
    const bytes = randomBytes(1000);
    await service.storage.from('pending-media').upload(file, bytes, { contentType: 'image/webp' });
    const solution = await shareSolution(service, { user_id: ada.id });
    const url = `/storage/v1/object/authenticated/pending-media/${file}`;
    await database.query(
      "insert into public.solution_media (solution_id, media_url, compressed_url, thumbnail_url, media_type, width, height) values ($1, $2, $2, $2, 'image', 8, 8)",
      [solution, url],
    );
    await database.query('delete from public.media_jobs');
    let copies = 0;
    store.delay = async ({ method, key }) => {
      if (method === 'PUT' && key.includes('files/')) {
        copies += 1;
        await new Promise(() => undefined);
      }
    };
    await killFirstDuring(
      () => database.query("update public.solutions set status = 'approved' where id = $1", [solution]),
      () => copies > 0,
    );
    store.delay = async () => undefined;
    // It would be taken for dead in two minutes.
    await database.query("update public.media_jobs set claimed_at = now() - interval '3 minutes'");
    const jobs = async () => (await database.query('select from public.media_jobs')).rowCount;
    await expect.poll(jobs, { timeout: BACKGROUND_TIMEOUT_MS }).toBe(0);
    const shown = await fetch(`${second.url}/storage/v1/object/public/solution-media/${file}`);
    expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true);
    const left = async () =>
      [...store.objects.values()].filter((object) => object.bytes.equals(bytes)).length;
    await expect.poll(left).toBe(1);
    const { rows } = await database.query(
      "select count(*)::int as told from public.notifications where user_id = $1 and solution_id = $2 and type = 'solution_approved'",
      [ada.id, solution],
    );
    expect(rows).toEqual([{ told: 1 }]);
  });
});
