import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#backend/config.ts';
import { ConfigError } from '#backend/config-project.ts';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { createLog } from '#backend/log.ts';
import { startBackend } from '#backend/start.ts';
import { connect } from '#server/backup/tables.ts';
import { startEmptyCluster } from '../cluster.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/* A database server of the operator's own, by DATABASE_URL, which may serve others too. */

const root = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder('own-database');
let cluster: Awaited<ReturnType<typeof startEmptyCluster>>;
let superuser: pg.Client;
let dataDir: string;
let count = 0;

beforeAll(async () => {
  cluster = await startEmptyCluster();
  superuser = new pg.Client({ connectionString: cluster.url });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await cluster.stop();
});
beforeEach(() => {
  count += 1;
  dataDir = join(folder, `data-${count}`);
  mkdirSync(dataDir);
});

const urlOf = (user: string, password: string, database = 'postgres') => {
  const url = new URL(cluster.url);
  [url.username, url.password, url.pathname] = [user, password, `/${database}`];
  return url.href;
};

/** Starts the services of a site and stops them again. */
async function start(databaseUrl: string | undefined, home = dataDir): Promise<void> {
  const config = readConfig(
    root,
    { DATA_DIR: home, DATABASE_URL: databaseUrl ?? '', LOG_LEVEL: 'error' },
    null,
  );
  const backend = await startBackend(
    config,
    createLog('error'),
    () => ({}),
    () => undefined,
  );
  await backend.stop();
}

/** Puts something where a site in the data folder would have put it. */
function writeFile(name: string): void {
  mkdirSync(dirname(join(dataDir, name)), { recursive: true });
  writeFileSync(join(dataDir, name), '18');
}

/** All that a start could change of a server and a database. */
async function stateOf(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`select
      (select jsonb_agg(a order by rolname) from pg_authid a) as roles,
      (select jsonb_agg(m order by oid) from pg_auth_members m) as memberships,
      (select jsonb_agg(s order by s.setdatabase, s.setrole) from pg_db_role_setting s) as settings,
      (select jsonb_agg(p order by oid) from pg_parameter_acl p) as parameters,
      (select jsonb_agg(d order by oid) from pg_database d where datname = current_database()) - '{0,datfrozenxid}'::text[] as database,
      (select jsonb_agg(n order by oid) from pg_namespace n where nspname !~ '^pg_') as schemas,
      (select jsonb_agg(e order by oid) from pg_extension e) as extensions,
      (select jsonb_agg(p order by oid) from pg_publication p) as publications,
      (select jsonb_agg(e order by oid) from pg_event_trigger e) as triggers,
      (select jsonb_agg(d order by oid) from pg_default_acl d) as defaults`);
    return rows;
  } finally {
    await client.end();
  }
}

async function expectRefused(url: string, sentence: RegExp): Promise<void> {
  const before = await stateOf(url);
  await expect(start(url)).rejects.toThrow(sentence);
  expect(await stateOf(url)).toEqual(before);
  expect(readdirSync(dataDir)).toEqual(['files']);
}

describe('a server that others use', () => {
  const theirs = 'the password of its administrators';

  it('keeps the superuser “postgres”, and its password, when the site is to sign in as it', async () => {
    await superuser.query(`create role postgres superuser login password '${theirs}'`);
    try {
      await expectRefused(
        urlOf('postgres', theirs),
        /^The server of DATABASE_URL has roles that are not this site’s: postgres\. /,
      );
      await expectRefused(cluster.url, /postgres\. /);
    } finally {
      await superuser.query('drop role postgres');
    }
  });

  it('keeps the roles of another API, with or without a password', async () => {
    await superuser.query(`create role postgres superuser login;
      create role authenticator login noinherit password '${theirs}'; create role anon; create role boss superuser login password '${theirs}'`);
    try {
      await expectRefused(urlOf('boss', theirs), /site’s: anon, authenticator, postgres\. /);
    } finally {
      await superuser.query('drop role postgres; drop role authenticator; drop role anon; drop role boss');
    }
  });

  it('keeps a database that has anything of others', async () => {
    await superuser.query('create database theirs');
    const url = urlOf('supabase_admin', cluster.password, 'theirs');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const [thing, definition] of [
        ['schema auth', ''],
        ['table patients', '(id int)'],
        ['function hello', '() returns int return 1'],
        ['type mood', "as enum ('good')"],
        ['extension pgcrypto', ''],
        ['publication supabase_realtime', ''],
      ] as const) {
        await client.query(`create ${thing} ${definition}`);
        await expectRefused(url, new RegExp(`: it has the ${thing.replace('table', 'relation')}\\. `));
        await client.query(`drop ${thing}`);
      }
    } finally {
      await client.end();
      await superuser.query('drop database theirs');
    }
  });

  it('is not used by a role that is no superuser', async () => {
    await superuser.query(`create role clerk login createrole createdb password '${theirs}'`);
    try {
      await expect(start(urlOf('clerk', theirs))).rejects.toThrow(/^DATABASE_URL must name a superuser/);
      expect(readdirSync(dataDir)).toEqual(['files']);
    } finally {
      await superuser.query('drop role clerk');
    }
  });
});

describe('a server of the site’s own', () => {
  const home = join(folder, 'home');

  beforeAll(async () => {
    mkdirSync(home);
    await start(cluster.url, home);
  });

  it('counts at each start the bytes of its files, which a restore or an earlier version has not counted', async () => {
    await superuser.query(`begin; set local session_replication_role = replica;
      insert into storage.objects (bucket_id, name, metadata) values ('avatars', 'one', '{"size": 40}'), ('avatars', 'two', '{"size": 2}'); commit`);
    await start(cluster.url, home);
    await start(cluster.url, home);
    expect((await superuser.query('select bytes::int from storage.stored_bytes')).rows).toEqual([
      { bytes: 42 },
    ]);
  });

  it('is used again with the same keys, and by a second process that has them', async () => {
    const before = await stateOf(cluster.url);
    await start(cluster.url, home);
    copyFileSync(join(home, 'secrets.json'), join(dataDir, 'secrets.json'));
    await start(cluster.url);
    expect(await stateOf(cluster.url)).toEqual(before);
  });

  it('keeps its passwords, though no process runs, when the keys are lost or are those of another site', async () => {
    await expectRefused(cluster.url, /^The database belongs to a site with other keys; copy secrets\.json/);
    await readSecrets(dataDir, undefined);
    const before = await stateOf(cluster.url);
    await expect(start(cluster.url)).rejects.toThrow(/^The database belongs to a site with other keys/);
    expect(await stateOf(cluster.url)).toEqual(before);
    await start(cluster.url, home);
  });

  it('begins a second site in another database with the same keys alone, and none over files that it would remove', async () => {
    await superuser.query('create database second');
    const url = urlOf('supabase_admin', cluster.password, 'second');
    const second = new pg.Client({ connectionString: url });
    try {
      await expectRefused(url, /site’s: anon, authenticated, .*supabase_storage_admin\. /);
      copyFileSync(join(home, 'secrets.json'), join(dataDir, 'secrets.json'));
      writeFile('files/ab/abcd');
      const before = await stateOf(url);
      await expect(start(url)).rejects.toThrow(
        /^There are files of a site in .*, and its database is missing/,
      );
      expect(await stateOf(url)).toEqual(before);
      rmSync(join(dataDir, 'files'), { recursive: true });
      await start(url);

      await second.connect();
      await second.query('alter table storage.buckets rename column name to title');
      await expect(start(url)).rejects.toThrow(/^03-storage\.sql could not be applied: /);
    } finally {
      await second.end();
      await superuser.query('drop database second');
    }
  });
});

describe('a server that cannot be used', () => {
  it.each([
    [
      'does not answer',
      () => 'postgresql://boss:secret@127.0.0.1:1/site',
      /^The database server at 127\.0\.0\.1:1 does not answer: ECONNREFUSED\. Start it,/,
    ],
    [
      'refuses the password',
      () => urlOf('supabase_admin', 'a mistake'),
      / refuses supabase_admin: password authentication failed .*\. Correct /,
    ],
    [
      'has no such database',
      () => urlOf('supabase_admin', cluster.password, 'sites'),
      / has no database sites\. Create it,/,
    ],
  ])('because it %s, is named with the reason, by the start and by a command', async (_, url, sentence) => {
    for (const run of [() => start(url()), () => connect(url())]) {
      const refusal = await run().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ConfigError);
      expect(refusal).toHaveProperty('message', expect.stringMatching(sentence));
      expect(String(refusal)).not.toMatch(/secret|a mistake/);
    }
    expect(readdirSync(dataDir)).toEqual(['files']);
  });
});

describe('a data folder that has lost a file', () => {
  it.each(['postgres/PG_VERSION', 'files.json', 'files/ab/abcd'])(
    'gets no new keys while it has %s',
    async (name) => {
      writeFile(name);
      const before = readdirSync(dataDir);
      await expect(start(undefined)).rejects.toThrow(/ has no secrets\.json, .* Put the file back: /);
      expect(readdirSync(dataDir).filter((entry) => entry !== 'files')).toEqual(
        before.filter((entry) => entry !== 'files'),
      );
    },
  );

  it('gets no new database while there are files, which that would remove', async () => {
    await readSecrets(dataDir, undefined);
    writeFile('files/ab/abcd');
    await expect(start(undefined)).rejects.toThrow(
      /^There are files of a site in .*, and its database is missing/,
    );
    expect(readdirSync(dataDir).sort()).toEqual(['files', 'secrets.json']);
  });
});
