import type { Database } from '../database/database.ts';

export interface Column {
  name: string;
  /** Name in `pg_type`, by which the client converts values. */
  type: string;
  /** The type's name in SQL. */
  sqlType: string;
  key: boolean;
}

export interface Table {
  oid: number;
  schema: string;
  name: string;
  columns: Column[];
}

export const PUBLICATION = 'supabase_realtime';

const COLUMNS = `select c.oid::int8 as oid, n.nspname as schema, c.relname as name,
    json_agg(json_build_object('name', a.attname, 'type', t.typname, 'sqlType', format_type(a.atttypid, a.atttypmod),
      'key', coalesce(a.attnum = any(i.indkey), false)) order by a.attnum) as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_index i on i.indrelid = c.oid and i.indisprimary`;

const asTable = (row: Table): Table => ({ ...row, oid: Number(row.oid) });

/** Published tables of a name; `*` stands for any. */
export async function publishedTables(database: Database, schema: string, name: string): Promise<Table[]> {
  const { rows } = await database.query<Table>(
    `${COLUMNS}
     join pg_publication_tables p on p.pubname = $1 and p.schemaname = n.nspname and p.tablename = c.relname
     where $2::text in ('*', p.schemaname) and $3::text in ('*', p.tablename)
     group by c.oid, n.nspname, c.relname`,
    [PUBLICATION, schema, name],
  );
  return rows.map(asTable);
}

/** Undefined when it was dropped in the meantime. */
export async function tableOf(database: Database, oid: number): Promise<Table | undefined> {
  const { rows } = await database.query<Table>(
    `${COLUMNS} where c.oid = $1 group by c.oid, n.nspname, c.relname`,
    [oid],
  );
  return rows.map(asTable)[0];
}

/** A name as SQL takes it, whatever its letters. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
