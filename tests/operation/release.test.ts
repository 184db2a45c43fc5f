import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildSite } from '#server/build.ts';
import { VERSION } from '#server/version.mjs';
import { type Component, stageRelease } from '../../scripts/package/stage.ts';
import { officePdf } from '../media/build-files.ts';
import { phoneFilm, phonePicture } from '../media/files.ts';
import { binaryCube, cube3mf, dxf, dxfLine, stepCube, svg } from '../media/models.ts';
import { BACKGROUND_TIMEOUT_MS, TEST_TIMEOUT_MS } from '../timeouts.ts';
import { freePort } from './site.ts';

const root = resolve(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'limb-commons-release-'));
// PostgreSQL's own account enters it when the tests run as root.
chmodSync(directory, 0o711);
const release = join(directory, 'release');
const home = join(directory, 'site');
const programs = join(directory, 'bin');
let components: Component[];
let settings: Record<string, string>;
let output = '';
let site: ReturnType<typeof command>;

/** The command of the release, where a machine has neither Node nor npm, in the folder of the site's data. */
const command = (...words: string[]) =>
  spawn(join(release, 'limb-commons'), words, { cwd: home, env: settings });
const answer = (...words: string[]) =>
  execFileSync(join(release, 'limb-commons'), words, { cwd: home, env: settings, encoding: 'utf8' });
const files = () =>
  readdirSync(release, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.includes('node_modules/.cache'),
  );
let before: string[];

beforeAll(async () => {
  await buildSite(() => undefined);
  components = await stageRelease(root, root, release);
  for (const folder of [home, programs]) mkdirSync(folder);
  chmodSync(home, 0o711);
  for (const name of ['sh', 'dirname', 'readlink', 'test', 'id']) {
    const program = execFileSync('sh', ['-c', `command -v -p ${name}`], { encoding: 'utf8' }).trim();
    symlinkSync(program.startsWith('/') ? program : `/usr/bin/${name}`, join(programs, name));
  }
  settings = { PATH: programs, HOME: directory, PORT: await freePort() };
  before = files();
  site = command('start');
  for (const stream of [site.stdout, site.stderr])
    stream.on('data', (text: Buffer) => {
      output += text;
    });
  await vi.waitUntil(() => output.includes('is ready') || site.exitCode !== null, {
    timeout: BACKGROUND_TIMEOUT_MS,
  });
  expect(output).toContain('Limb Commons is ready');
}, TEST_TIMEOUT_MS);

afterAll(async () => {
  const ended = new Promise((done) => site?.once('exit', done));
  if (site?.kill('SIGTERM')) await ended;
  rmSync(directory, { recursive: true, force: true });
});

describe('a release, on a machine without Node and npm', () => {
  const address = () => `http://127.0.0.1:${settings.PORT}`;

  it('serves pages and their title cards', async () => {
    const page = await (await fetch(`${address()}/browse`)).text();
    expect(page).toContain('Browse');
    const card = await fetch(
      new URL(/property="og:image" content="([^"]+)"/.exec(page)?.[1] ?? '', address()),
    );
    expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('reads and writes again every kind of file that a member may send', async () => {
    const key = answer('status').match(/^ANON_KEY=(.*)$/m)?.[1] ?? '';
    const member = createClient(address(), key, { auth: { persistSession: false } });
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
    expect(await (await fetch(`${address()}/healthz`)).text()).toBe(`ok ${VERSION}\n`);
    expect(await (await fetch(`${address()}/metrics`)).text()).toContain(
      `limb_version{version="${VERSION}"} 1`,
    );
    const page = await (await fetch(`${address()}/status`)).text();
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
