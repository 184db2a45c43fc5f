import { type Database, DatabaseError } from '../database.ts';
import type { Tuple } from './replication.ts';
import { quoted, type Table } from './tables.ts';

/** What a caller may know of changed rows. */
export interface Access {
  /** Columns the role may read. */
  columns: Set<string>;
  /** Whether each row may be read, in the order they were asked for. */
  visible: boolean[];
}

/** Codes of a caller who may not ask at all: no right to the table, or a role that does not exist. */
const NO_RIGHT = new Set(['42501', '22023', '42704']);

/**
 * Asks the database, as the caller, which of these rows it may read now.
 *
 * @returns undefined when it may not read the table
 */
export async function accessTo(
  database: Database,
  table: Table,
  claims: Record<string, unknown>,
  rows: Tuple[],
): Promise<Access | undefined> {
  const keys = table.columns.filter(({ key }) => key);
  const casts = keys.map(({ sqlType }, place) => `(v.value ->> ${place})::${sqlType} as k${place}`);
  const same = keys.map(({ name }, place) => `t.${quoted(name)} = keys.k${place}`);
  // The keys are made before the table is looked at: under row-level security only a bare comparison may use an index.
  const sql = `with keys as materialized (
      select v.place, ${casts.join(', ')} from json_array_elements($1::json) with ordinality as v(value, place)
    )
    select
      (select json_agg(attname) from pg_attribute
       where attrelid = $2::text::oid and attnum > 0 and not attisdropped
         and has_column_privilege(attrelid, attnum, 'select')) as columns,
      (select json_agg(keys.place) from keys
       where exists (select from ${quoted(table.schema)}.${quoted(table.name)} as t where ${same.join(' and ')})) as visible`;
  try {
    const { rows: answer } = await database.as<{
      columns: string[] | null;
      visible: number[] | null;
    }>({ role: String(claims.role), claims, readOnly: true }, sql, [
      JSON.stringify(rows.map((row) => keys.map(({ name }) => row[name] ?? null))),
      String(table.oid),
    ]);
    const { columns, visible } = answer[0] ?? { columns: null, visible: null };
    const seen = new Set(visible);
    return {
      columns: new Set(columns),
      visible: rows.map((_, index) => seen.has(index + 1)),
    };
  } catch (error) {
    if (error instanceof DatabaseError && NO_RIGHT.has(error.code ?? '')) return undefined;
    throw error;
  }
}
