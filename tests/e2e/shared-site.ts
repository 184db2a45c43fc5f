import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject, vi } from 'vitest';
import { firstStartOf, startedOnce } from '../operation/first-start.ts';
import { freePort, start } from '../operation/site.ts';
import { removeFolder } from '../temporary-folder.ts';
import { TIMEOUT_MS } from '../timeouts.ts';

/** A running site's own connection details. */
export interface Instance {
  apiUrl: string;
  databaseUrl: string;
  anonKey: string;
  serviceRoleKey: string;
}

interface RunningSite {
  instance: Instance;
  dataDir: string;
  hasDemo: boolean;
  output(): string;
  hasEnded(): boolean;
  /** Ends it, and starts what is in another folder in its place. */
  replace(folder: string): Promise<void>;
  stop(): Promise<unknown>;
}

async function startSite(parent: string, hasDemo: boolean, settings: Record<string, string>, cwd?: string) {
  const directory = mkdtempSync(join(parent, 'limb-commons-e2e-'));
  chmodSync(directory, 0o711);
  const dataDir = join(directory, 'data');
  await startedOnce(dataDir, hasDemo);
  const environment = { DATA_DIR: dataDir, PORT: await freePort(), ...settings };
  let site = await start(environment, { ...(cwd && { cwd }) });
  const end = () => {
    site.process.kill('SIGTERM');
    return site.exited;
  };
  const instance: Instance = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));
  return {
    instance,
    dataDir,
    hasDemo,
    output: () => site.output(),
    hasEnded: () => site.process.exitCode !== null,
    async replace(folder: string) {
      await end();
      site = await start(environment, { cwd: folder });
    },
    async stop() {
      await end();
      await removeFolder(directory);
    },
  };
}

/** A site for one file, whose settings no other file has, from the sources in a folder when one is named. */
export const openOwnSite = (
  hasDemo: boolean,
  settings: Record<string, string>,
  folder?: string,
): Promise<RunningSite> => startSite(tmpdir(), hasDemo, settings, folder);

/**
 * The two sites of the files that one process runs, by whether they have demo content: a start costs as much as
 * most of their tests, and a server that has rendered before is quicker.
 */
const shared = new Map<boolean, RunningSite>();

/**
 * The process's site, as it is after its first start whatever earlier files did on it. It ends with this process,
 * whose end its starter notices as it notices npm's, and the end of the run removes its folder.
 */
export async function openSharedSite(hasDemo: boolean): Promise<RunningSite> {
  const before = shared.get(hasDemo);
  if (before && !before.hasEnded()) {
    await asAfterFirstStart(before);
    return before;
  }
  const site = await startSite(inject('madeOnce'), hasDemo, { npm_lifecycle_event: 'start' });
  await inDatabase(site, keepRows);
  shared.set(hasDemo, site);
  return site;
}

async function inDatabase(site: RunningSite, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: site.instance.databaseUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

interface Table {
  name: string;
  /** The table of its rows after the first start. */
  kept: string;
  columns: string;
}

async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.oid::regclass::text as name, format('first_start.%I', n.nspname || '_' || c.relname) as kept,
      (select string_agg(quote_ident(attname), ', ') from pg_attribute
       where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth', 'storage') order by 1`);
  return rows;
}

/** Keeps a copy of all rows, and of where the sequences are, beside them. */
async function keepRows(client: pg.Client): Promise<void> {
  const tables = await tablesOf(client);
  await client.query(
    [
      'create schema first_start',
      ...tables.map(({ name, kept }) => `create table ${kept} as table ${name}`),
      `create table first_start.sequences as select format('%I.%I', schemaname, sequencename) as name, last_value
       from pg_sequences where last_value is not null`,
    ].join(';\n'),
  );
}

async function bringBackRows(client: pg.Client): Promise<void> {
  const tables = await tablesOf(client);
  const statements = [
    'begin',
    // Neither triggers nor foreign keys take part: the rows were right when they were kept.
    'set local session_replication_role = replica',
    `truncate ${tables.map(({ name }) => name).join(', ')} restart identity`,
    ...tables.map(
      ({ name, kept, columns }) =>
        `insert into ${name} (${columns}) overriding system value select ${columns} from ${kept}`,
    ),
    'select setval(name, last_value) from first_start.sequences',
    'commit',
  ];
  await client.query(statements.join(';\n'));
}

async function asAfterFirstStart(site: RunningSite): Promise<void> {
  const { apiUrl, serviceRoleKey } = site.instance;
  // Answers once what the requests of the last file have left to do is done.
  await fetch(`${apiUrl}/mail/messages.json`);
  // A task of the site that runs at that moment may hold a table for which this waits, and the other way round.
  await inDatabase(site, (client) =>
    vi.waitFor(
      () =>
        bringBackRows(client).catch((error) => client.query('rollback').then(() => Promise.reject(error))),
      { timeout: TIMEOUT_MS },
    ),
  );
  rmSync(join(site.dataDir, 'mail'), { recursive: true, force: true });
  // A file's name holds its version, so one that is still there is the same.
  cpSync(join(await firstStartOf(site.hasDemo), 'data/files'), join(site.dataDir, 'files'), {
    recursive: true,
    force: false,
  });
  // Pages that the site keeps are looked at again after any write through it.
  await fetch(`${apiUrl}/rest/v1/profiles?id=is.null`, {
    method: 'PATCH',
    headers: {
      apikey: serviceRoleKey,
      authorization: `Bearer ${serviceRoleKey}`,
      'content-type': 'application/json',
    },
    body: '{"bio": null}',
  });
}
