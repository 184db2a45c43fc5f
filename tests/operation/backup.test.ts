import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { verify } from '@node-rs/bcrypt';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres } from '#backend/database/postgres.ts';
import { DiskFiles } from '#backend/files/disk-files.ts';
import { verifyArchive, writeArchive } from '#server/backup/archive.ts';
import { restoreBackup } from '#server/backup/restore.ts';
import { makeSupabaseProject } from '../portability/cluster.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { BACKGROUND_TIMEOUT_MS } from '../timeouts.ts';
import { startedOnce } from './first-start.ts';
import { freePort, type Run, run, start } from './site.ts';

const directory = temporaryFolder('backup');
const shelf = join(directory, 'backups');
const first = join(shelf, 'by-hand.tar.age');
const PASSWORD = 'limb-commons-demo';
const sites: Run[] = [];
let settings: Record<string, string>;
let secretKey: string;
let source: Site;
let erased: string;
let hidden: string;
let pictures: number;
let again: Record<string, string>;
let restored: Site;
let countsBefore: Record<string, number>;

interface Site {
  url: string;
  service: SupabaseClient;
  visitor: SupabaseClient;
  databaseUrl: string;
}

const keysOf = (env: Record<string, string>) =>
  JSON.parse(readFileSync(join(env.DATA_DIR ?? '', 'instance.json'), 'utf8'));

async function open(env: Record<string, string>): Promise<Site> {
  sites.push(await start(env));
  const instance = keysOf(env);
  const client = (key: string) => createClient(instance.apiUrl, key, { auth: { persistSession: false } });
  return {
    url: instance.apiUrl,
    service: client(instance.serviceRoleKey),
    visitor: client(instance.anonKey),
    databaseUrl: instance.databaseUrl,
  };
}

async function stopSites() {
  for (const site of sites.splice(0)) {
    site.process.kill('SIGINT');
    await site.exited;
  }
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const results = await client.query<Row>(sql).finally(() => client.end());
  return [results].flat().at(-1)?.rows ?? [];
}

/** Rows of each table that nothing changes by itself. */
async function counts(url: string): Promise<Record<string, number>> {
  const tables = await query<{ name: string }>(
    url,
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and (n.nspname in ('public', 'private') or c.relname in ('users', 'identities', 'buckets'))
       and c.relname not in ('media_jobs', 'mail_jobs', 'uptime')`,
  );
  const [row] = await query<{ all: Record<string, number> }>(
    url,
    `select json_object_agg(name, rows) as all from (
       ${tables.map(({ name }) => `select '${name}' as name, count(*)::int as rows from ${name}`).join(' union all ')}
     ) counted`,
  );
  return row?.all ?? {};
}

/** As a patient requests it and a moderator does it with one click. */
async function hidePictures(): Promise<void> {
  const { data: visibleMedia } = await source.visitor
    .from('solution_media')
    .select('solution_id')
    .limit(1)
    .single();
  hidden = visibleMedia?.solution_id;
  const removalRequest = await source.visitor.rpc('request_removal', {
    tracking: randomUUID(),
    solution: hidden,
    asker: 'patient',
  });
  expect(removalRequest.error).toBeNull();
  await source.visitor.auth.signInWithPassword({ email: 'moderator@example.org', password: PASSWORD });
  const { data, error } = await source.visitor
    .from('removal_requests')
    .update({ status: 'hidden' })
    .eq('status', 'received')
    .select('media_ids');
  expect([error, data?.length]).toEqual([null, 1]);
  pictures = data?.[0]?.media_ids.length ?? 0;
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const contentOf = (name: string) => Buffer.from(`${name} `.repeat(20_000));
/** The hashes of all stored objects, by bucket and name. */
async function hashes(url: string, dataDir: string): Promise<Map<string, string>> {
  const objects = await query<{ place: string; version: string }>(
    url,
    "select bucket_id || '/' || name as place, version from storage.objects",
  );
  return new Map(
    objects.map(({ place, version }) => [
      place,
      sha256(readFileSync(join(dataDir, 'files', version.slice(0, 2), version))),
    ]),
  );
}

beforeAll(async () => {
  secretKey = await generateIdentity();
  settings = {
    DATA_DIR: join(directory, 'data'),
    PORT: await freePort(),
    BACKUP_DIR: shelf,
    BACKUP_KEY: await identityToRecipient(secretKey),
  };
  again = { ...settings, DATA_DIR: join(directory, 'again'), BACKUP_DIR: '', BACKUP_KEY: secretKey };
  await startedOnce(settings.DATA_DIR ?? '', true);
  source = await open(settings);
  const { data } = await source.service.auth.admin.createUser({
    email: 'gone@clinic.example',
    password: PASSWORD,
  });
  erased = data.user?.id ?? '';
});
afterAll(async () => {
  await stopSites();
});

describe('a backup', () => {
  it('is made by the site itself where a folder is set', async () => {
    const backups = () => readdirSync(shelf).filter((name) => /^limb-commons-.+\.tar\.age$/.test(name));
    await expect.poll(backups, { timeout: BACKGROUND_TIMEOUT_MS }).toHaveLength(1);
    expect(readFileSync(join(shelf, backups()[0] ?? ''), 'latin1').slice(0, 21)).toBe(
      'age-encryption.org/v1',
    );
  });

  it('is taken while members upload and remove files', async () => {
    const avatars = source.service.storage.from('avatars');
    const backup = run('backup', settings, [first]);
    let running = true;
    backup.exited.then(() => {
      running = false;
    });
    for (let at = 0; running; at++) {
      const name = `drill/${at}.webp`;
      const { error } = await avatars.upload(name, contentOf(name), { contentType: 'image/webp' });
      expect(error).toBeNull();
      if (at % 2) await avatars.remove([`drill/${at - 1}.webp`]);
    }
    expect(backup.output()).toMatch(/by-hand\.tar\.age: \d+ rows and \d+ files, .+ encrypted/);
    expect(await backup.exited).toMatchObject({ code: 0 });
    countsBefore = await counts(source.databaseUrl);
    expect(existsSync(join(settings.DATA_DIR ?? '', 'backing-up'))).toBe(false);
  });

  it('remembers beside it whose account was deleted since, and which pictures were hidden', async () => {
    const { error } = await source.service.auth.admin.deleteUser(erased);
    expect(error).toBeNull();
    await hidePictures();
    await stopSites();
    expect(readFileSync(join(shelf, 'erased.jsonl'), 'utf8')).toContain(erased);
  });
});

describe('a restore', () => {
  const nowhere = join(directory, 'nowhere');
  const refused = async (file: string, key: string | undefined, dataDir = nowhere) => {
    const driver = new DiskFiles(dataDir);
    const target = { root: resolve('.'), dataDir, driver, databaseUrl: undefined };
    const error = await restoreBackup(file, key, target, [], () => undefined).catch(
      (problem: Error) => problem,
    );
    expect(error).toBeInstanceOf(Error);
    expect(existsSync(nowhere) ? readdirSync(nowhere) : []).toEqual([]);
    return error instanceof Error ? error.message : '';
  };
  const spoilt = (change: (bytes: Buffer) => Buffer) => {
    const file = join(directory, 'spoilt.tar.age');
    writeFileSync(file, change(readFileSync(first)));
    return file;
  };

  it('refuses what is damaged, not whole or locked, and a folder in use, and changes nothing', async () => {
    const flipped = spoilt((bytes) => {
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      return bytes;
    });
    expect(await refused(flipped, secretKey)).toMatch(
      /is damaged or not whole, at files\/[0-9a-f]{2}\/.+\.$/,
    );
    const half = spoilt((bytes) => bytes.subarray(0, bytes.length >> 1));
    expect(await refused(half, secretKey)).toMatch(/is damaged or not whole, at files\/.+\.$/);
    expect(await refused(first, undefined)).toMatch(/is encrypted; set BACKUP_KEY/);
    expect(await refused(first, await generateIdentity())).toMatch(/^BACKUP_KEY does not open/);
    expect(await refused(first, secretKey, settings.DATA_DIR)).toMatch(/^The data folder .+ is not empty/);
  });

  it('believes no archive: what it names is looked for in the schema, and where a key is set it must be made with it', async () => {
    const entries = await verifyArchive(first, secretKey, ['manifest.json', 'secrets.json']);
    const real = JSON.parse(entries.get('manifest.json')?.toString() ?? '');
    const forged = join(directory, 'forged.tar');
    const forge = (changes: object) =>
      writeArchive(forged, undefined, async (add) => {
        await add('secrets.json', entries.get('secrets.json') ?? Buffer.from(''));
        await add(
          'manifest.json',
          Buffer.from(JSON.stringify({ ...real, tables: [], sequences: [], ...changes })),
        );
      });
    const table = { name: 'public.badges', columns: ['id'], rows: 0 };
    const program = "public.badges; copy public.badges from program 'id'; --";
    for (const [changes, message] of [
      [
        { tables: [{ ...table, name: program }] },
        /^The backup names public\.badges; copy .+ does not have\.$/,
      ],
      [
        { tables: [{ ...table, columns: ['id', 'id) from program'] }] },
        /^The backup names public\.badges id\)/,
      ],
      [{ sequences: [{ name: 'pg_class', value: '1' }] }, /^The backup names sequence pg_class/],
      [{ tables: 'all' }, /is not a backup that this version can read/],
    ] as const) {
      await forge(changes);
      expect(await refused(forged, undefined)).toMatch(message);
    }
    expect(await refused(forged, secretKey)).toMatch(
      /is not encrypted, so anyone may have made or changed it/,
    );
  });

  it('leaves the database of someone else as it was where what was removed since cannot be repeated', {
    tags: 'whole',
  }, async () => {
    const folder = join(directory, 'elsewhere');
    mkdirSync(folder);
    const elsewhere = await startPostgres(folder, PASSWORD);
    try {
      const target = {
        root: resolve('.'),
        dataDir: nowhere,
        driver: new DiskFiles(nowhere),
        databaseUrl: elsewhere.url,
      };
      const list = [{ at: new Date().toISOString(), kind: 'account', id: 'no id' }];
      await expect(restoreBackup(first, secretKey, target, list, () => undefined)).rejects.toThrow('uuid');
      expect(await query(elsewhere.url, 'select count(*)::int as people from auth.users')).toEqual([
        { people: 0 },
      ]);
    } finally {
      await elsewhere.stop();
    }
  });

  it('makes the same site, from which what was deleted since is deleted again', async () => {
    const restore = run('restore', again, [first]);
    expect(await restore.exited).toMatchObject({ code: 0 });
    expect(restore.output()).toContain(`Deleted or hidden again: ${1 + pictures}.`);

    restored = await open(again);
    const now = await counts(restored.databaseUrl);
    const changed = { 'auth.users': -1, 'auth.identities': -1, 'public.profiles': -1 };
    const added = { 'public.audit_events': 1, 'private.retained_records': 1 };
    for (const [table, by] of Object.entries({ ...changed, ...added }))
      countsBefore[table] = (countsBefore[table] ?? 0) + by;
    expect(now).toEqual(countsBefore);

    const files = await hashes(restored.databaseUrl, again.DATA_DIR ?? '');
    const drilled = [...files].filter(([path]) => path.startsWith('avatars/drill/'));
    expect(drilled.length).toBeGreaterThan(0);
    for (const [path, hash] of drilled) expect(hash).toBe(sha256(contentOf(path.replace('avatars/', ''))));
    expect([...files.keys()].filter((path) => path.startsWith('pending-media/')).length).toBeGreaterThan(0);

    const { data: visible } = await restored.visitor
      .from('solution_media')
      .select('id')
      .eq('solution_id', hidden);
    expect(visible).toEqual([]);

    const { error } = await restored.visitor.auth.signInWithPassword({
      email: 'member@example.org',
      password: PASSWORD,
    });
    expect(error).toBeNull();
    await restored.visitor.auth.signOut();
    const home = await (await fetch(`${restored.url}/browse`)).text();
    const picture = /\/storage\/v1\/object\/public\/[^"]+\.webp/.exec(home)?.[0] ?? '';
    expect((await fetch(restored.url + picture)).status).toBe(200);
    const { count } = await restored.service
      .from('profiles')
      .select('*', { count: 'exact', head: true })
      .eq('id', erased);
    expect(count).toBe(0);
  });
});

/** Texts that end lines, statements and quotes where they should not. */
const AWKWARD = {
  aud: "one;\ntwo';\r\n\\three\\\\\t\v\bfour\u2028five;\n",
  raw_user_meta_data: JSON.stringify({ said: 'a;\n\\N\u2029"b"', nothing: null }),
};

describe('an export', { tags: 'whole' }, () => {
  const folder = join(directory, 'export');
  let project: Awaited<ReturnType<typeof startPostgres>>;
  let owner: string;

  beforeAll(async () => {
    const projectDir = join(directory, 'project');
    mkdirSync(projectDir);
    const password = 'of-the-project';
    await query(
      restored.databaseUrl,
      `set session_replication_role = replica; ${Object.entries(AWKWARD)
        .map(([column, value]) => `update auth.users set ${column} = ${pg.escapeLiteral(value)}`)
        .join('; ')}`,
    );
    [project] = await Promise.all([
      startPostgres(projectDir, password),
      run('export', again, [folder]).exited.then(({ code }) => expect(code).toBe(0)),
    ]);
    owner = await makeSupabaseProject(project.url, password);
  });
  afterAll(() => project?.stop());

  it('has the rows as SQL that the owner of an empty Supabase project can run, once', async () => {
    const sql = readFileSync(join(folder, 'data.sql'), 'utf8');
    await query(owner, sql);
    // Its size is that of what was written, not of what follows from it.
    expect(sql.length).toBeLessThan(1_000_000);
    expect(sql).not.toContain('insert into private.word_sets');
    const [here, there] = [await counts(restored.databaseUrl), await counts(project.url)];
    delete here['storage.buckets'];
    // Made again, it also has the pairs of values that no solution has.
    delete here['private.facet_counts'];
    expect(there).toMatchObject(here);
    expect(await query(project.url, `select distinct ${Object.keys(AWKWARD)} from auth.users`)).toEqual([
      { aud: AWKWARD.aud, raw_user_meta_data: JSON.parse(AWKWARD.raw_user_meta_data) },
    ]);
    await expect(query(owner, sql)).rejects.toThrow('This project has accounts already');
  });

  it('keeps every reference, the passwords and what each person may see', async () => {
    const references = await query<{ orphans: string }>(
      project.url,
      `select format('select %L as reference from %s c where c.%I is not null and not exists (select from %s p where p.%I = c.%I)',
         k.conname, k.conrelid::regclass, a.attname, k.confrelid::regclass, f.attname, a.attname) as orphans
       from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
       join pg_attribute f on f.attrelid = k.confrelid and f.attnum = k.confkey[1]
       where k.contype = 'f' and cardinality(k.conkey) = 1 and k.connamespace in ('public'::regnamespace, 'private'::regnamespace, 'auth'::regnamespace)`,
    );
    expect(references.length).toBeGreaterThan(30);
    expect(await query(project.url, references.map(({ orphans }) => orphans).join(' union all '))).toEqual(
      [],
    );

    const [member] = await query<{ id: string; encrypted_password: string }>(
      project.url,
      "select id, encrypted_password from auth.users where email = 'member@example.org'",
    );
    expect(await verify(PASSWORD, member?.encrypted_password ?? '')).toBe(true);
    const seen = async (url: string, role: string) =>
      query(
        url,
        `begin; select set_config('request.jwt.claims', '{"role": "${role}", "sub": "${member?.id}", "aal": "aal1"}', true);
         set local role ${role}; select status, count(*) from public.solutions group by 1 order by 1`,
      );
    for (const role of ['anon', 'authenticated']) {
      const visible = await seen(project.url, role);
      expect(visible).toEqual(await seen(restored.databaseUrl, role));
      expect(visible.length === 1).toBe(role === 'anon');
    }
  });

  it('is brought to a project by one command, and checked there', async () => {
    // A site of its own without content, in the place of the project's services.
    const [port, target] = [await freePort(), { DATA_DIR: join(directory, 'target') }];
    const address = `http://127.0.0.1:${port}`;
    await startedOnce(target.DATA_DIR, false);
    const services = await open({
      ...target,
      PORT: port,
      NODE_ENV: 'production',
      SITE_URL: address,
      SMTP_URL: 'smtp://127.0.0.1:9',
    });
    const { anonKey, serviceRoleKey } = keysOf(target);
    const command = async (option: string, siteUrl = address) => {
      const moved = run(
        'export',
        {
          SITE_URL: siteUrl,
          SUPABASE_URL: services.url,
          SUPABASE_ANON_KEY: anonKey,
          SUPABASE_SERVICE_ROLE_KEY: serviceRoleKey,
          SUPABASE_DB_URL: services.databaseUrl,
        },
        [folder, option],
      );
      return { ...(await moved.exited), output: moved.output() };
    };

    const early = await command('--check');
    expect([early.code, early.output]).toEqual([1, expect.stringMatching(/rows instead of \d+\.\n$/)]);

    const loaded = await command('--load');
    expect(loaded, loaded.output).toMatchObject({ code: 0 });
    expect(loaded.output).toMatch(/^The rows are there\.\n\d+ files are there\.\n/);
    expect(loaded.output).toContain(
      'A member was signed in by a link, which leads to this site, and out again.',
    );
    expect(await hashes(services.databaseUrl, target.DATA_DIR)).toEqual(
      await hashes(restored.databaseUrl, again.DATA_DIR ?? ''),
    );
    // What follows from other rows is as it was: both find the same, whose pictures may be on their way in the meantime.
    const found = async ({ visitor }: Site, search: string) => {
      const { data } = await visitor.rpc('browse_solutions', { search, page_size: 5 });
      return { ...data, items: data.items.map(({ id }: { id: string }) => id) };
    };
    for (const search of ['', 'liner', 'so']) {
      const here = await found(restored, search);
      expect(here.items.length, search).toBeGreaterThan(0);
      expect(await found(services, search), search).toEqual(here);
    }

    const repeated = await command('--load');
    expect([repeated.code, repeated.output]).toEqual([
      0,
      expect.stringMatching(/^The rows are there already\./),
    ]);

    const elsewhere = await command('--check', 'https://limbs.example.org');
    expect([elsewhere.code, elsewhere.output]).toEqual([
      1,
      expect.stringContaining(
        `instead of https://limbs.example.org. Run "supabase config push" with SITE_URL set.`,
      ),
    ]);

    await services.service.storage.emptyBucket('solution-media');
    const incomplete = await command('--check');
    expect([incomplete.code, incomplete.output]).toEqual([
      1,
      expect.stringMatching(/The file .* is missing\.\n$/),
    ]);

    await query(services.databaseUrl, 'delete from private.mail_jobs; delete from public.likes');
    const fewer = await command('--check');
    expect([fewer.code, fewer.output]).toEqual([
      1,
      expect.stringMatching(/public\.likes has 0 rows instead of \d+\.\n$/),
    ]);
  });

  it('is refused by a project that has accounts of its own', async () => {
    const { anonKey, serviceRoleKey } = keysOf(again);
    await restored.service.auth.admin.createUser({ email: 'one-more@example.org' });
    const refused = run(
      'export',
      {
        SUPABASE_URL: restored.url,
        SUPABASE_ANON_KEY: anonKey,
        SUPABASE_SERVICE_ROLE_KEY: serviceRoleKey,
        SUPABASE_DB_URL: restored.databaseUrl,
      },
      [folder, '--load'],
    );
    expect((await refused.exited).code).toBe(1);
    expect(refused.output()).toContain('This project has accounts already; import into a new one.');
  });
});
