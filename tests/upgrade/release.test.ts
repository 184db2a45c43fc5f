// @module-tag whole

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { VERSION } from '#server/version.mjs';
import type { Component } from '../../scripts/package/stage.ts';
import { officePdf } from '../media/build-files.ts';
import { phoneFilm, phonePicture } from '../media/files.ts';
import { binaryCube, cube3mf, dxf, dxfLine, stepCube, svg } from '../media/models.ts';
import { childrenOf, freePort, isAlive } from '../operation/site.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { BACKGROUND_TIMEOUT_MS, TEST_TIMEOUT_MS } from '../timeouts.ts';
import { GAP, releaseIn, replaceFile, root, siteOf, versionOf } from './release-site.ts';

const directory = temporaryFolder('release');
const release = join(directory, 'release');
const home = join(directory, 'site');
const programs = join(directory, 'bin');
const backups = join(directory, 'backups');
let components: Component[];
let settings: Record<string, string>;
let site: ReturnType<typeof siteOf>;

/** What a command of the release says where a machine has neither Node nor npm, in the folder of the site's data. */
const answer = (...words: string[]) =>
  execFileSync(join(release, 'limb-commons'), words, { cwd: home, env: settings, encoding: 'utf8' });
const files = () =>
  readdirSync(release, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.includes('node_modules/.cache'),
  );
let before: string[];
beforeAll(async () => {
  components = await releaseIn(release);
  for (const folder of [home, programs]) mkdirSync(folder);
  chmodSync(home, 0o711);
  for (const name of ['sh', 'dirname', 'readlink', 'test', 'id']) {
    const program = execFileSync('sh', ['-c', `command -v -p ${name}`], { encoding: 'utf8' }).trim();
    symlinkSync(program.startsWith('/') ? program : `/usr/bin/${name}`, join(programs, name));
  }
  settings = { PATH: programs, HOME: directory, PORT: await freePort(), BACKUP_DIR: backups };
  writeFileSync(
    join(home, 'settings.toml'),
    '[auth.external.clinic]\nenabled = true\nname = "City Clinic"\nclient_id = "x"\nurl = "https://127.0.0.1:1"',
  );
  before = files();
  site = siteOf(release, home, settings);
  await site.start();
  // Its first backup comes after the base copy with which the archive begins.
  const isBackedUp = () => existsSync(backups) && readdirSync(backups).some((name) => name.endsWith('.tar'));
  await vi.waitUntil(isBackedUp, { timeout: BACKGROUND_TIMEOUT_MS });
}, TEST_TIMEOUT_MS);

afterAll(async () => {
  await site?.stop();
});

describe('a release, on a machine without Node and npm', () => {
  it('serves pages and their title cards', async () => {
    const page = await (await fetch(`${site.address}/browse`)).text();
    expect(page).toContain('Browse');
    const card = await fetch(
      new URL(/property="og:image" content="([^"]+)"/.exec(page)?.[1] ?? '', site.address),
    );
    expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('reads and writes again every kind of file that a member may send', async () => {
    const key = answer('status').match(/^ANON_KEY=(.*)$/m)?.[1] ?? '';
    const member = createClient(site.address, key, { auth: { persistSession: false } });
    const { data } = await member.auth.signInWithPassword({
      email: 'member@example.org',
      password: 'limb-commons-demo',
    });
    const userId = data.user?.id ?? '';
    const send = async (
      to: string,
      name: string,
      content: string | Uint8Array,
      type = 'application/octet-stream',
    ) => {
      const body = new FormData();
      body.set('userId', userId);
      body.set(
        'file',
        new File([typeof content === 'string' ? content : new Uint8Array(content)], name, { type }),
      );
      const { error } = await member.functions.invoke(to, { body });
      return error ? `${name}: ${error.context ? await error.context.text() : error}` : undefined;
    };
    const refusals = [
      await send('process-media-upload', 'socket.jpg', await phonePicture('jpeg'), 'image/jpeg'),
      await send('process-media-upload', 'socket.mp4', await phoneFilm({}), 'video/mp4'),
      await send('process-file-upload', 'plan.pdf', await officePdf()),
      await send('process-file-upload', 'socket.stl', binaryCube()),
      await send('process-file-upload', 'socket.3mf', cube3mf()),
      await send('process-file-upload', 'socket.step', stepCube()),
      await send('process-file-upload', 'template.dxf', dxf(dxfLine)),
      await send('process-file-upload', 'template.svg', svg('<text x="10" y="20">Cut here</text>')),
    ];
    expect(refusals.filter((refusal) => refusal !== undefined)).toEqual([]);
  });

  it('says its version wherever it is asked', async () => {
    expect(answer('--version').trim()).toBe(VERSION);
    expect(answer('status')).toContain(`VERSION=${VERSION}\n`);
    expect(await (await fetch(`${site.address}/healthz`)).text()).toBe(`ok ${VERSION}\n`);
    expect(await (await fetch(`${site.address}/metrics`)).text()).toContain(
      `limb_version{version="${VERSION}"} 1`,
    );
    const page = await (await fetch(`${site.address}/status`)).text();
    expect(/The site runs version ([^ ]*) /.exec(page)?.[1]).toBe(VERSION);
  });

  it('makes backups and gives roles beside the running site', () => {
    answer('backup', 'site.tar');
    const manifest = execFileSync('tar', ['xOf', 'site.tar', 'manifest.json'], {
      cwd: home,
      encoding: 'utf8',
    });
    expect(JSON.parse(manifest)).toMatchObject({ version: VERSION });
    expect(answer('grant', 'member@example.org', 'moderator')).toContain('has the role moderator now');
  });

  it('keeps its data where it was started, and writes nothing beside its programs', () => {
    expect(existsSync(join(home, 'data/files'))).toBe(true);
    expect(files()).toEqual(before);
  });

  it('holds no package that only a clone uses, and the licence of each that it holds', () => {
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['pg', 'sharp', 'satori']));
    for (const name of ['vite', 'typescript', 'lucide-react', 'react-dom', 'playwright-core', 'lightningcss'])
      expect(names).not.toContain(name);
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(names.filter((name) => name in devDependencies)).toEqual([]);
  });
});

/** Mounts a disk of this size; false where the machine does not permit it. */
function mountDisk(place: string, size: string): boolean {
  mkdirSync(place, { recursive: true });
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=711`, 'tmpfs', place]).status === 0;
}
function unmountDisk(place: string): void {
  spawnSync('umount', [place]);
  rmdirSync(place);
}
const trial = join(directory, 'disk');
const mayMount = mountDisk(trial, '1m');
unmountDisk(trial);

describe('a newer release, rehearsed', () => {
  const next = join(directory, 'next');
  const solutions = 'select count(*)::int as count from public.solutions';
  const migration = join(next, 'supabase/migrations/20990101000000_next.sql');
  const named = (name: string, version: string) =>
    replaceFile(
      join(next, 'package.json'),
      JSON.stringify({ ...JSON.parse(readFileSync(join(release, 'package.json'), 'utf8')), name, version }),
    );
  let more: Record<string, string> = {};
  const rehearse = (archive = next, ...words: string[]) =>
    spawnSync(join(release, 'limb-commons'), ['upgrade', archive, '--rehearse', ...GAP, ...words], {
      cwd: home,
      env: { ...settings, PATH: process.env.PATH, ...more },
      encoding: 'utf8',
    });
  const live = async (sql: string) => {
    const client = new pg.Client({ connectionString: answer('status').match(/^DB_URL=(.*)$/m)?.[1] });
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rows;
  };
  let before: unknown;

  beforeAll(async () => {
    versionOf(release, next, '99.0.0');
    before = await live(solutions);
  });
  afterEach(async () => {
    more = {};
    expect(existsSync(join(home, 'data-rehearsal'))).toBe(false);
    expect(await live(solutions)).toEqual(before);
  });

  it('is a go when it starts with the last minute of the archive and shows the same', async () => {
    replaceFile(
      migration,
      `alter table public.solutions add column rehearsed boolean;
       insert into private.mail_jobs (user_id, notice, digest, due_at)
         select id, '{"type": "rehearsed"}', false, now() from public.profiles;`,
    );
    let connections = 0;
    const elsewhere = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
    const { port } = elsewhere.address() as AddressInfo;
    more = { SMTP_URL: `smtp://127.0.0.1:${port}`, SMS_GATEWAY_URL: `http://127.0.0.1:${port}` };
    const { status, stdout, stderr } = rehearse();
    const steps = stderr.trim().split('\n');
    expect([status, steps.filter((line) => !/ … \d+\.\d s$/.test(line))]).toEqual([0, []]);
    expect(stderr).toContain('Restoring the continuous archive … ');
    expect(stdout).toMatch(
      /^Go: version 99\.0\.0 starts .* \(\d+ tables, 20 pages and 10 searches\)\. Expect a gap of \d+ s\.\n$/,
    );
    expect(await live("select from information_schema.columns where column_name = 'rehearsed'")).toEqual([]);
    expect(existsSync(join(backups, 'last-restore.json'))).toBe(true);
    await new Promise((done) => elsewhere.close(done));
    expect(connections).toBe(0);
  });

  it.each([
    ['broken', 'select 1 / 0;', [], [/20990101000000_next\.sql could not be applied: division by zero/]],
    [
      'slow and wrong',
      'select pg_sleep(2); delete from public.comments;',
      ['--gap', '1'],
      [
        /takes \d+ seconds, and no longer gap than 1 was asked for/,
        /The table public\.comments has \d+ rows instead of \d+/,
      ],
    ],
  ])('is a no-go with a migration that is %s', (_, sql, words, reasons) => {
    replaceFile(migration, sql);
    // Also where the archive cannot be read.
    more = { BACKUP_DIR: '' };
    const { status, stdout, stderr } = rehearse(next, ...words);
    expect(stderr).toContain('Making a backup, since there is no continuous archive … ');
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/^No-go: version 99\.0\.0 was tried on a copy/),
    ]);
    for (const reason of reasons) expect(stdout).toMatch(reason);
  });

  it.runIf(mayMount)('ends before the disk is full', () => {
    const place = join(home, 'data-rehearsal');
    const onDiskOf = (size: string) => {
      try {
        mountDisk(place, size);
        const { status, stderr } = rehearse();
        return { status, said: stderr.trim().split('\n').at(-1), left: readdirSync(place) };
      } finally {
        unmountDisk(place);
      }
    };
    replaceFile(
      migration,
      'create table filling as select repeat(md5(n::text), 60) from generate_series(1, 3e6) n;',
    );
    expect(onDiskOf('100m')).toEqual({
      status: 1,
      said: expect.stringMatching(
        /^A copy of the site needs 400 MB on the disk of \S+, and \d+ MB are free; /,
      ),
      left: [],
    });
    expect(onDiskOf('800m')).toEqual({
      status: 1,
      said: expect.stringMatching(/^Only \d+ MB are left on the disk of \S+, which the site may need; /),
      left: [],
    });
  });

  it('is refused in one sentence when it is something else', () => {
    const said = (archive: string) => rehearse(archive).stderr.trim().split('\n').at(-1);
    named('other', '99.0.0');
    expect(said(next)).toBe(`${next} is no release of this site.`);
    named('limb-commons', '0.9.0');
    expect(said(next)).toContain('is version 0.9.0, older than this one');
    expect(said(release)).toContain(`is version ${VERSION}, which this is already`);
    named('limb-commons', '99.0.0');
    const archive = join(directory, 'next.tar');
    execFileSync('tar', ['cf', archive, '-C', next, 'package.json']);
    expect(said(archive)).toContain('next.tar.sha256 is missing');
    const { stdout } = spawnSync('sha256sum', [archive], { encoding: 'utf8' });
    writeFileSync(`${archive}.sha256`, stdout);
    expect(said(archive)).toBe(`${archive} is no release of this site.`);
    appendFileSync(archive, 'more');
    expect(said(archive)).toContain('is not what its checksum says');
    expect(said(join(directory, 'none.tar'))).toBe(`There is no archive ${join(directory, 'none.tar')}.`);
  });

  it('is tried by one at a time, and leaves nothing running when it is killed', async () => {
    replaceFile(migration, 'select pg_sleep(600);');
    const first = spawn(join(release, 'limb-commons'), ['upgrade', next, '--rehearse'], {
      cwd: home,
      env: { ...settings, PATH: process.env.PATH },
    });
    const rehearsed = join(home, 'data-rehearsal/data/instance.json');
    const started = join(home, 'data-rehearsal/data/postgres/postmaster.pid');
    await vi.waitUntil(() => existsSync(started), { timeout: BACKGROUND_TIMEOUT_MS });
    expect(rehearse().stderr).toContain('Another upgrade is being tried');
    const postgres = Number(readFileSync(started, 'utf8').split('\n')[0]);
    for (const { pid } of childrenOf(first.pid ?? 0)) process.kill(pid, 'SIGKILL');
    await once(first, 'exit');
    await expect.poll(() => isAlive(postgres), { timeout: BACKGROUND_TIMEOUT_MS }).toBe(false);
    expect(existsSync(rehearsed)).toBe(false);
    // The next one takes away what it left.
    expect(rehearse(release).stderr).toContain('which this is already');
  });
});

describe('a newer release, installed', () => {
  const later = join(directory, 'later');

  /**
   * The status of a page for a reader of another address than the writers: who writes is shown no page from before their own
   * write, so that none of those that the site keeps is for them while it hands over. It is asked for over a connection of its own,
   * as writers write: where the site closes one that is idle, a browser asks again by itself.
   */
  async function statusFromElsewhere(url: string): Promise<number | undefined> {
    const [answer] = await once(request(url, { localAddress: '127.0.0.2', agent: false }).end(), 'response');
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode;
  }

  /** What four readers and four writers are told until it ends; each asks again a moment after the answer. */
  function load(member: SupabaseClient, solution: string) {
    const pages = new Set<string>();
    const writes = new Set<string>();
    let written = 0;
    let isOver = false;
    const read = async () => {
      const page = statusFromElsewhere(`${site.address}/browse`);
      pages.add(await page.then(String, (error) => `${error.code ?? error}`));
    };
    const write = async () => {
      const { error, status } = await member
        .from('likes')
        .upsert({ solution_id: solution }, { onConflict: 'user_id,solution_id', ignoreDuplicates: true });
      if (!error) written += 1;
      writes.add(String(status || error?.message));
    };
    const people = Array.from({ length: 8 }, async (_, number) => {
      for (; !isOver; await wait(100)) await (number % 2 ? read() : write());
    });
    return async () => {
      isOver = true;
      await Promise.all(people);
      return { pages: [...pages], writes: [...writes], written };
    };
  }

  it('takes over while people read and write, starts again by itself, and gives back to the one before', async () => {
    versionOf(release, later, '99.0.0');
    const key = answer('status').match(/^ANON_KEY=(.*)$/m)?.[1] ?? '';
    const member = createClient(site.address, key, {
      auth: { persistSession: false },
      global: { headers: { connection: 'close' } },
    });
    const { data: signedIn } = await member.auth.signInWithPassword({
      email: 'member@example.org',
      password: 'limb-commons-demo',
    });
    const { data } = await member.from('solutions').select('id').eq('status', 'approved').limit(1).single();
    await fetch(`${site.address}/browse`);
    const stopLoad = load(member, data?.id);
    const installed = await site.upgrade(later);
    const told = await stopLoad();
    expect(installed).toMatchObject({
      status: 0,
      said: expect.stringMatching(/Version 99\.0\.0 is installed\. For [\d.]+ s /),
    });
    expect(await site.running()).toBe('ok 99.0.0');
    const providers = await (await fetch(`${site.address}/sign-in-providers.json`)).text();
    expect(providers).toContain('City Clinic');
    expect(told.pages).toEqual(['200']);
    // As a list, so that a failure says which line it was. A probe gives its part less than a second, which a busy machine exceeds.
    const faults = site.output().match(/^.*"level":[56]0.*$/gm) ?? [];
    expect(faults.filter((line) => !line.includes(' does not answer"'))).toEqual([]);
    expect(told.writes.filter((status) => !['200', '201', '204', '503'].includes(status))).toEqual([]);
    expect(told.written).toBeGreaterThan(0);
    expect(answer('status')).toContain('VERSION=99.0.0\n');
    await site.stop();
    await site.start();
    expect(await site.running()).toBe('ok 99.0.0');

    const back = await site.upgrade('--back');
    expect(back).toMatchObject({
      status: 0,
      said: expect.stringMatching(/^Version \S+ runs again\. For [\d.]+ s /),
    });
    expect(await site.running()).toBe(`ok ${VERSION}`);
    const { data: likes } = await member
      .from('likes')
      .select('solution_id')
      .match({ solution_id: data?.id, user_id: signedIn.user?.id });
    expect(likes).toHaveLength(1);
  });

  it('gives way to the one before when it does not start', async () => {
    const broken = join(directory, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'package.json'), JSON.stringify({ name: 'limb-commons', version: '98.0.0' }));
    writeFileSync(join(broken, 'limb-commons'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    symlinkSync(broken, join(home, 'release'));
    const { pid } = site.instance();
    process.kill(pid, 'SIGUSR2');
    await expect.poll(() => isAlive(pid), { timeout: BACKGROUND_TIMEOUT_MS }).toBe(false);
    expect([await site.running(), existsSync(join(home, 'release'))]).toEqual([`ok ${VERSION}`, false]);
    expect(site.launched()?.exitCode).toBe(null);
  });
});
