import { type Database, DatabaseError } from '../database/database.ts';
import type { Change, Tuple } from './replication.ts';
import { quoted, type Table } from './tables.ts';

export interface Databases {
  /** Assumes the subscribers' roles. */
  database: Database;
  /** Reads past every policy. */
  reader: Database;
}

/** The parts of changed rows that a caller may read. */
export interface RlsResult {
  /** Columns the role may read. */
  columns: Set<string>;
  /** Whether each row may be read, in the order of the request. */
  visible: boolean[];
}

/** Error codes for a caller who may not query the table: no right to it, or a role that does not exist. */
const NO_RIGHT = new Set(['42501', '22023', '42704']);

/**
 * Asks the database, as the caller, which of these rows it may read now, and which deleted rows it could read
 * now if they still existed.
 *
 * @param secured whether policies guard the table
 * @returns undefined when it may not read the table
 */
export async function checkAccess(
  databases: Databases,
  table: Table,
  claims: Record<string, unknown>,
  changes: Change[],
  secured: boolean,
): Promise<RlsResult | undefined> {
  const rows = changes.map(({ row, before }) => row ?? before ?? {});
  const access = await checkPresentRow(databases, table, claims, rows);
  if (!access || !secured) return access && { ...access, visible: rows.map(() => true) };
  const deleted = rows.filter((_, index) => !changes[index]?.row);
  const alike = Map.groupBy(deleted, (row) =>
    table.columns.map(({ name }) => row[name] !== undefined).join(),
  );
  const readable = new Set<Tuple>();
  for (const some of alike.values())
    for (const row of await checkDeletedRow(databases, table, claims, some)) readable.add(row);
  return {
    ...access,
    visible: rows.map((row, index) =>
      changes[index]?.row ? access.visible[index] === true : readable.has(row),
    ),
  };
}

async function checkPresentRow(
  { database }: Databases,
  table: Table,
  claims: Record<string, unknown>,
  rows: Tuple[],
): Promise<RlsResult | undefined> {
  const keys = table.columns.filter(({ key }) => key);
  const casts = keys.map(({ sqlType }, index) => `(v.value ->> ${index})::${sqlType} as k${index}`);
  const same = keys.map(({ name }, index) => `t.${quoted(name)} = keys.k${index}`);
  // The keys are made before the table is read: under row-level security only a bare comparison may use an
  // index.
  const sql = `with keys as materialized (
      select v.ordinality, ${casts.join(', ')} from json_array_elements($1::json) with ordinality as v(value, ordinality)
    )
    select
      (select json_agg(attname) from pg_attribute
       where attrelid = $2::text::oid and attnum > 0 and not attisdropped
         and has_column_privilege(attrelid, attnum, 'select')) as columns,
      (select json_agg(keys.ordinality) from keys
       where exists (select from ${quoted(table.schema)}.${quoted(table.name)} as t where ${same.join(' and ')})) as visible`;
  try {
    const { rows: answer } = await database.as<{ columns: string[] | null; visible: number[] | null }>(
      { role: String(claims.role), claims, readOnly: true },
      sql,
      [JSON.stringify(rows.map((row) => keys.map(({ name }) => row[name] ?? null))), String(table.oid)],
    );
    const { columns, visible } = answer[0] ?? { columns: null, visible: null };
    const visiblePositions = new Set(visible);
    return {
      columns: new Set(columns),
      visible: rows.map((_, index) => visiblePositions.has(index + 1)),
    };
  } catch (error) {
    if (error instanceof DatabaseError && NO_RIGHT.has(error.code ?? '')) return undefined;
    throw error;
  }
}

/**
 * Applies the policies for reading to the logged values of deleted rows. A policy that refers to a column
 * missing from the log grants nothing, and denies everything if it is a restrictive one; `replica identity`
 * determines the logged columns.
 *
 * @param rows of which the log has the same columns
 * @returns those that may be reported
 */
async function checkDeletedRow(
  { database, reader }: Databases,
  table: Table,
  claims: Record<string, unknown>,
  rows: Tuple[],
): Promise<Tuple[]> {
  const loggedColumns = table.columns.filter(({ name }) => rows[0]?.[name] !== undefined);
  const { rows: policies } = await reader.query<{
    permissive: boolean;
    condition: string;
    answerable: boolean;
  }>(
    `select p.polpermissive as permissive, pg_get_expr(p.polqual, p.polrelid) as condition,
       not exists (
         -- A column by its number; the row as a whole by none.
         select from pg_depend d where d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.deptype = 'n'
           and d.refclassid = 'pg_class'::regclass and d.refobjid = p.polrelid
           and not coalesce((select a.attname::text = any ($3::text[]) from pg_attribute a
             where a.attrelid = p.polrelid and a.attnum = nullif(d.refobjsubid, 0)), false)
       ) as answerable
     from pg_policy p
     where p.polrelid = $1::oid and p.polcmd in ('r', '*') and p.polqual is not null
       and exists (select from unnest(p.polroles) r (oid) where r.oid = 0 or pg_has_role($2::name, r.oid, 'usage'))`,
    [table.oid, claims.role, loggedColumns.map(({ name }) => name)],
  );
  const conditions = (permissive: boolean) =>
    policies
      .filter((policy) => policy.permissive === permissive)
      .map(({ condition, answerable }) => (answerable ? `(${condition})` : 'false'));
  const open = [`(${['false', ...conditions(true)].join(' or ')})`, ...conditions(false)].join(' and ');
  const casts = loggedColumns.map(
    ({ name, sqlType }, index) => `(v.value ->> ${index})::${sqlType} as ${quoted(name)}`,
  );
  try {
    const { rows: answer } = await database.as<{ visible: number[] | null }>(
      { role: String(claims.role), claims, readOnly: true },
      // A policy's scope holds only the row, and it names the columns with or without their table.
      `select json_agg(v.ordinality) as visible
       from json_array_elements($1::json) with ordinality as v(value, ordinality)
       where not row_security_active($2::text::oid)
         or exists (select from (select ${casts.join(', ')}) as ${quoted(table.name)} where ${open})`,
      [
        JSON.stringify(rows.map((row) => loggedColumns.map(({ name }) => row[name] ?? null))),
        String(table.oid),
      ],
    );
    const visiblePositions = new Set(answer[0]?.visible);
    return rows.filter((_, index) => visiblePositions.has(index + 1));
  } catch (error) {
    if (error instanceof DatabaseError && /^(22|42)/.test(error.code ?? '')) return [];
    throw error;
  }
}
