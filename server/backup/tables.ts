import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { openConnection } from '#backend/database/open-connection.ts';

/** A table's rows in PostgreSQL's COPY text, a whole number of rows in each piece. */
const PIECE = 8 * 1024 * 1024;

export interface Table {
  /** Quoted where necessary, for example `public.solutions`. */
  name: string;
  /** Without generated columns. */
  columns: string[];
}

export interface RowCount {
  name: string;
  rows: number;
}

export interface Sequence {
  name: string;
  value: string;
}

/** A connection whose values read the same wherever they are loaded. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'limb-commons backup' });
  // A connection lost between two statements: the next one reports it.
  client.on('error', () => undefined);
  await openConnection(client);
  await client.query("set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC'");
  return client;
}

/**
 * Every table of the site except those of PostgreSQL and its extensions, those that do not outlive a restart,
 * the record of migrations, which applying them writes, uploads that are still arriving, whose bytes are
 * not kept, and a count of what is there, which each start makes.
 */
export async function tables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relpersistence = 'p'
       and n.nspname <> 'information_schema' and n.nspname !~ '^pg_' and n.nspname <> 'supabase_migrations'
       and (n.nspname <> 'storage' or c.relname not in ('resumable_uploads', 'stored_bytes'))
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by 1`,
  );
  return rows;
}

/** The number of rows of each table. */
export async function rowCounts(client: pg.Client): Promise<RowCount[]> {
  const counted: RowCount[] = [];
  for (const { name } of await tables(client)) {
    const { rows } = await client.query<{ rows: string }>(`select count(*) as rows from ${name}`);
    counted.push({ name, rows: Number(rows[0]?.rows) });
  }
  return counted;
}

/** The present values of the sequences; ahead of the rows read before it, never behind. */
export async function sequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
     from pg_sequences where last_value is not null order by 1`,
  );
  return rows;
}

/** The columns by name, since those of the database that is restored may have another order. */
export const columnList = ({ columns }: Table) =>
  columns.map((column) => pg.escapeIdentifier(column)).join(', ');

/** A table's rows as COPY text; each piece ends with a whole row. */
export async function* rowsOf(client: pg.Client, table: Table): AsyncGenerator<Buffer> {
  const stream = client.query(to(`copy ${table.name} (${columnList(table)}) to stdout`));
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    pieces.push(chunk);
    size += chunk.length;
    if (size < PIECE) continue;
    const all = Buffer.concat(pieces);
    const end = all.lastIndexOf(10) + 1;
    if (end > 0) yield all.subarray(0, end);
    pieces = [all.subarray(end)];
    size = all.length - end;
  }
  if (size > 0) yield Buffer.concat(pieces);
}

/** @returns the number of rows */
export async function loadRows(client: pg.Client, table: Table, text: Readable): Promise<number> {
  const stream = client.query(from(`copy ${table.name} (${columnList(table)}) from stdin`));
  await pipeline(text, stream);
  return stream.rowCount;
}

/** The number of rows in a piece of COPY text: a newline within a value is written as two characters. */
export function countRows(text: Buffer): number {
  let rows = 0;
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) rows += 1;
  return rows;
}
