import { createWriteStream, existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { BackupError } from './encryption.ts';
import { README } from './export-readme.ts';
import { objects, type SiteFiles, type StoredObject } from './files.ts';
import { withSnapshot } from './snapshot.ts';
import { columnList, rowsOf, sequences, type Table, tables } from './tables.ts';

const ROWS_OF_A_STATEMENT = 200;
/**
 * The columns in which Supabase's service keeps a person's pending emails; it wants text there, and the
 * links would lead to this site.
 */
const TOKENS = new Set([
  'confirmation_token',
  'recovery_token',
  'email_change_token_new',
  'email_change_token_current',
  'email_change',
  'phone_change',
  'phone_change_token',
  'reauthentication_token',
]);

/**
 * The tables that follow from others, which makes most of a database, and the statement that makes them again from those.
 * They are left out.
 */
const DERIVED = {
  tables: ['private.word_sets', 'private.facet_sets', 'private.facet_counts', 'private.search_words'],
  remake: `select private.reindex_solutions(chunk)
from generate_series(0, (select coalesce(max(number), 0) / 32000 from public.solutions)) as chunk`,
};

/** One line of objects.jsonl. */
export type ExportedObject = Pick<StoredObject, 'bucket' | 'name' | 'metadata'>;

/** What an export holds, as contents.json says it. */
export interface ExportContents {
  /** By table. */
  rows: Record<string, number>;
  files: number;
}

/**
 * Writes the files from which a hosted Supabase project can continue this site: rows as SQL, files, and
 * instructions.
 *
 * @param url superuser connection
 * @throws BackupError when the folder is in use
 */
export async function exportSite(
  url: string,
  site: SiteFiles,
  folder: string,
): Promise<ExportContents & { missing: number }> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new BackupError(`The folder ${folder} is not empty; name a new one.`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return withSnapshot(url, site, async ({ client, files: { missing, open } }) => {
    const counted: ExportContents = { rows: {}, files: 0 };
    await pipeline(
      Readable.from(statements(client, counted)),
      createWriteStream(join(folder, 'data.sql'), { mode: 0o600 }),
    );
    const list = createWriteStream(join(folder, 'objects.jsonl'), { mode: 0o600 });
    for await (const { bucket, name, version, metadata } of objects(client)) {
      if (missing.has(version)) continue;
      const target = exportedFile(folder, bucket, name);
      await mkdir(dirname(target), { recursive: true });
      await pipeline((await open(version)).body, createWriteStream(target, { mode: 0o600 }));
      list.write(`${JSON.stringify({ bucket, name, metadata } satisfies ExportedObject)}\n`);
      counted.files += 1;
    }
    await pipeline(Readable.from([]), list);
    await writeFile(join(folder, 'contents.json'), `${JSON.stringify(counted, null, 2)}\n`);
    await writeFile(join(folder, 'README.txt'), README);
    return { ...counted, missing: missing.size };
  });
}

/** Where an export holds an object's bytes. @throws BackupError for a name that leads out of the folder */
export function exportedFile(folder: string, bucket: string, name: string): string {
  const target = join(folder, 'storage', bucket, name);
  if (relative(join(folder, 'storage'), target).startsWith('..'))
    throw new BackupError(`${bucket}/${name} is no name for a file.`);
  return target;
}

/**
 * Accounts with their passwords, and all tables of the product; those of Supabase's services are left out. Each statement
 * ends with a line that ends with a semicolon, and no other line does.
 */
async function* statements(client: pg.Client, counted: ExportContents): AsyncGenerator<string> {
  const all = await tables(client);
  const ours = all.filter(({ name }) => /^(public|private)\./.test(name));
  const accounts = all.filter(({ name }) => name === 'auth.users' || name === 'auth.identities');
  const refusal = 'This project has accounts already; import into a new one.';
  yield `begin;
do $$ begin if exists (select from auth.users) then raise exception '${refusal}'; end if; end $$;
-- The rows already include the triggers' effects, so that triggers would repeat them
set local session_replication_role = replica;
truncate ${ours.map(({ name }) => name).join(', ')};
`;
  for (const table of [...accounts, ...ours.filter(({ name }) => !DERIVED.tables.includes(name))]) {
    let count = 0;
    for await (const text of rowsOf(client, table)) {
      const rows = text.toString().split('\n').slice(0, -1);
      count += rows.length;
      for (let at = 0; at < rows.length; at += ROWS_OF_A_STATEMENT)
        yield insert(table, rows.slice(at, at + ROWS_OF_A_STATEMENT));
    }
    counted.rows[table.name] = count;
  }
  for (const { name, value } of await sequences(client))
    if (/^(public|private)\./.test(name)) yield `select setval('${name}', ${value});\n`;
  yield `${DERIVED.remake};\ncommit;\n`;
}

function insert(table: Table, rows: string[]): string {
  const { name, columns } = table;
  const values = rows.map((row) => {
    const fields = row.split('\t').map((field, index) => {
      if (name !== 'auth.users') return literal(field);
      const column = columns[index] ?? '';
      if (TOKENS.has(column)) return "''";
      return column === 'instance_id' ? "'00000000-0000-0000-0000-000000000000'" : literal(field);
    });
    return `(${fields.join(', ')})`;
  });
  return `insert into ${name} (${columnList(table)}) overriding system value values\n${values.join(',\n')};\n`;
}

/** A field of COPY text as an SQL literal, on one line as there. */
function literal(field: string): string {
  if (field === '\\N') return 'null';
  const quoted = field.replaceAll("'", "''");
  // Both write the same escapes, but for the vertical tab.
  return field.includes('\\')
    ? `E'${quoted.replace(/\\(.)/g, (all, character) => (character === 'v' ? '\\x0b' : all))}'`
    : `'${quoted}'`;
}
