import { createWriteStream, existsSync, openAsBlob, readdirSync } from 'node:fs';
import { constants, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import type pg from 'pg';
import { BackupError } from './encryption.ts';
import { README } from './export-readme.ts';
import { objects, type StoredObject } from './files.ts';
import { withSnapshot } from './snapshot.ts';
import { columnList, rowsOf, sequences, type Table, tables } from './tables.ts';

const ROWS_OF_A_STATEMENT = 200;
/**
 * The columns in which Supabase's service keeps a person's pending e-mails; it wants text there, and the
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

/** One line of objects.jsonl. */
type ExportedObject = Pick<StoredObject, 'bucket' | 'name' | 'metadata'>;

/**
 * Writes the files from which a hosted Supabase project can continue this site: rows as SQL, files, and
 * instructions.
 *
 * @param url superuser connection
 * @throws BackupError when the folder is in use
 */
export async function exportSite(
  url: string,
  dataDir: string,
  folder: string,
): Promise<{ rows: number; files: number; missing: number }> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new BackupError(`The folder ${folder} is not empty; name a new one.`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return withSnapshot(url, dataDir, async ({ client, filesDir, missing }) => {
    const counted = { rows: 0, files: 0, missing: missing.size };
    await pipeline(
      Readable.from(statements(client, counted)),
      createWriteStream(join(folder, 'data.sql'), { mode: 0o600 }),
    );
    const list = createWriteStream(join(folder, 'objects.jsonl'), { mode: 0o600 });
    for await (const { bucket, name, version, metadata } of objects(client)) {
      if (missing.has(version)) continue;
      const target = inside(folder, bucket, name);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(join(filesDir, version), target, constants.COPYFILE_FICLONE);
      list.write(`${JSON.stringify({ bucket, name, metadata } satisfies ExportedObject)}\n`);
      counted.files += 1;
    }
    await pipeline(Readable.from([]), list);
    await writeFile(join(folder, 'README.txt'), README);
    return counted;
  });
}

/**
 * Uploads the files of an export to a project's storage; existing ones are replaced, so it may be repeated.
 *
 * @param service connected with the project's service key
 * @returns how many
 */
export async function uploadExport(folder: string, service: SupabaseClient): Promise<number> {
  const lines = (await readFile(join(folder, 'objects.jsonl'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '');
  for (const line of lines) {
    const { bucket, name, metadata }: ExportedObject = JSON.parse(line);
    const file = await openAsBlob(inside(folder, bucket, name), { type: metadata.mimetype });
    const { error } = await service.storage.from(bucket).upload(name, file, {
      upsert: true,
      cacheControl: /max-age=(\d+)/.exec(metadata.cacheControl ?? '')?.[1],
    });
    if (error) throw new BackupError(`${bucket}/${name} could not be uploaded: ${error.message}`);
  }
  return lines.length;
}

function inside(folder: string, bucket: string, name: string): string {
  const target = join(folder, 'storage', bucket, name);
  if (relative(join(folder, 'storage'), target).startsWith('..'))
    throw new BackupError(`${bucket}/${name} is no name for a file.`);
  return target;
}

/**
 * Accounts with their passwords, and all tables of the product; those of Supabase's services are left out.
 */
async function* statements(client: pg.Client, counted: { rows: number }): AsyncGenerator<string> {
  const all = await tables(client);
  const ours = all.filter(({ name }) => /^(public|private)\./.test(name));
  const accounts = all.filter(({ name }) => name === 'auth.users' || name === 'auth.identities');
  yield `begin;
set local standard_conforming_strings = on;
do $$ begin
  if exists (select from auth.users) then
    raise exception 'This project has accounts already; import into a new one.';
  end if;
end $$;
-- The rows already include the triggers' effects; triggers would repeat them.
set local session_replication_role = replica;
truncate ${ours.map(({ name }) => name).join(', ')};
`;
  for (const table of [...accounts, ...ours])
    for await (const text of rowsOf(client, table)) {
      const rows = text.toString().split('\n').slice(0, -1);
      counted.rows += rows.length;
      for (let at = 0; at < rows.length; at += ROWS_OF_A_STATEMENT)
        yield insert(table, rows.slice(at, at + ROWS_OF_A_STATEMENT));
    }
  for (const { name, value } of await sequences(client))
    if (/^(public|private)\./.test(name)) yield `select setval('${name}', ${value});\n`;
  yield 'commit;\n';
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

const ESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A field of COPY text as an SQL literal. */
function literal(field: string): string {
  if (field === '\\N') return 'null';
  const value = field.replace(/\\(.)/g, (_all, character: string) => ESCAPED[character] ?? character);
  return `'${value.replaceAll("'", "''")}'`;
}
