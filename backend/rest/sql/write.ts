import type { Body } from '../body.ts';
import { RestError, unknownColumn } from '../errors.ts';
import type { Condition } from '../parse/filter.ts';
import type { Query } from '../parse/query.ts';
import { embedsOf, type ReadNode } from '../plan-read.ts';
import type { Preferences } from '../preferences.ts';
import type { Column, Relation } from '../schema/relation.ts';
import { conditionSql } from './conditions.ts';
import { identifier, literal, qualified, type Statement } from './sql.ts';

/** The inputs of a write in addition to its statement. */
export interface Write {
  relation: Relation;
  query: Query;
  preferences: Preferences;
  /** The columns that are read back afterwards; undefined when none are. */
  representation: ReadNode | undefined;
}

const neverPresent = () => 'FALSE';

/** @throws RestError PGRST204 */
export function insertSql(write: Write, body: Body, statement: Statement): string {
  const { relation, query, preferences } = write;
  const columns = resolveColumns(relation, body.keys);
  const resolution = preferences.resolution;
  const target = query.onConflict ?? relation.primaryKey;
  const conflict =
    resolution === undefined || target.length === 0
      ? undefined
      : { target, update: resolution === 'merge-duplicates' && columns.length > 0 };
  return insertion(write, columns, body, conflict, [], statement);
}

/**
 * PUT: one row, whose key is in the query string.
 *
 * @throws RestError PGRST105 unless the filters are exactly the primary key's columns with `eq`
 */
export function putSql(write: Write, body: Body, statement: Statement): string {
  const { relation, query } = write;
  const filters = query.conditions
    .filter((condition) => condition.path.length === 0)
    .map((condition) => condition.value);
  const keyed = filters.flatMap((filter) => (isKeyFilter(filter) ? [filter.field.name] : []));
  const key = relation.primaryKey;
  if (
    key.length === 0 ||
    keyed.length !== filters.length ||
    keyed.toSorted().join('\0') !== key.toSorted().join('\0')
  ) {
    throw new RestError(
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    );
  }
  if (query.limits.length > 0 || query.offsets.length > 0) {
    throw new RestError(400, 'PGRST114', 'limit/offset querystring parameters are not allowed for PUT');
  }
  const columns = resolveColumns(relation, body.keys);
  const rows = { alias: 'pgrst_body', relation };
  const tests = filters.map((filter) => conditionSql(filter, rows, statement, neverPresent));
  return insertion(write, columns, body, { target: key, update: true }, tests, statement);
}

/** @throws RestError PGRST204 */
export function updateSql(write: Write, body: Body, statement: Statement): string {
  const { relation } = write;
  const columns = resolveColumns(relation, body.keys);
  const alias = identifier(relation.name);
  if (columns.length === 0 || body.count === 0) {
    return `SELECT ${returning(write)} FROM ${qualified(relation)} AS ${alias} WHERE FALSE`;
  }
  const sets = columns.map(
    (column) => `${identifier(column.name)} = "pgrst_body".${identifier(column.name)}`,
  );
  const source = bodyRows(body, columns, write.preferences.missing === 'default', statement);
  return `UPDATE ${qualified(relation)} AS ${alias} SET ${sets.join(', ')} FROM (SELECT * FROM ${source} LIMIT 1) AS "pgrst_body" ${where(write, 'UPDATE', statement)} RETURNING ${returning(write)}`;
}

/** The statement that deletes the selected rows, and returns what the client wants to see of them. */
export function deleteSql(write: Write, statement: Statement): string {
  const { relation } = write;
  return `DELETE FROM ${qualified(relation)} AS ${identifier(relation.name)} ${where(write, 'DELETE', statement)} RETURNING ${returning(write)}`;
}

function isKeyFilter(condition: Condition): condition is Extract<Condition, { kind: 'filter' }> {
  if (condition.kind !== 'filter' || condition.negated || condition.field.path.length > 0) return false;
  const { operation } = condition;
  return operation.kind === 'compare' && operation.operator === '=' && operation.quantifier === undefined;
}

function resolveColumns(relation: Relation, names: string[]): Column[] {
  return names.map((name) => {
    const column = relation.columns.get(name);
    if (!column) throw unknownColumn(relation.name, name);
    return column;
  });
}

function insertion(
  write: Write,
  columns: Column[],
  body: Body,
  conflict: { target: string[]; update: boolean } | undefined,
  tests: string[],
  statement: Statement,
): string {
  const { relation, preferences } = write;
  const names = columns.map((column) => identifier(column.name));
  const source = bodyRows(body, columns, preferences.missing === 'default', statement);
  // Counts up for each row and down again for each that turns out to exist, so that 201 and 200 can be
  // distinguished without any right to read the table.
  const counted = conflict?.update ? [`${count('+')} <> '0'`, ...tests] : tests;
  return [
    `INSERT INTO ${qualified(relation)} AS ${identifier(relation.name)}${names.length > 0 ? `(${names.join(', ')})` : ''}`,
    `SELECT ${names.map((name) => `"pgrst_body".${name}`).join(', ')} FROM ${source} AS "pgrst_body"`,
    counted.length > 0 ? `WHERE ${counted.join(' AND ')}` : '',
    conflict ? `ON CONFLICT (${conflict.target.map(identifier).join(', ')})` : '',
    conflict?.update
      ? `DO UPDATE SET ${names.map((name) => `${name} = EXCLUDED.${name}`).join(', ')} WHERE ${count('-')} <> '-1'`
      : '',
    conflict && !conflict.update ? 'DO NOTHING' : '',
    `RETURNING ${returning(write)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

export const INSERTED = `nullif(current_setting('pgrst.inserted', true), '')::int`;
const count = (sign: '+' | '-') =>
  `set_config('pgrst.inserted', (coalesce(${INSERTED}, 0) ${sign} 1)::text, true)`;

/**
 * The body as rows of the columns' types; a missing value is null, or the column's default when the request
 * prefers it.
 */
function bodyRows(body: Body, columns: Column[], withDefaults: boolean, statement: Statement): string {
  const typed = columns.map((column) => `${identifier(column.name)} ${column.type}`).join(', ');
  if (columns.length === 0) return `(SELECT FROM json_array_elements(${statement.bind(body.rows)}::json))`;
  if (!withDefaults)
    return `(SELECT * FROM json_to_recordset(${statement.bind(body.rows)}::json) AS _(${typed}))`;
  const defaults = columns.flatMap((column) =>
    column.default === undefined ? [] : [`${literal(column.name)}, ${column.default}`],
  );
  const filled = `(SELECT jsonb_agg(jsonb_build_object(${defaults.join(', ')}) || element) FROM jsonb_array_elements(${statement.bind(body.rows)}::jsonb) AS element)`;
  return `(SELECT * FROM jsonb_to_recordset(${filled}) AS _(${typed}))`;
}

function where(write: Write, verb: string, statement: Statement): string {
  const tests = write.query.conditions
    .filter((condition) => condition.path.length === 0)
    .map((condition) =>
      conditionSql(
        condition.value,
        { alias: write.relation.name, relation: write.relation },
        statement,
        neverPresent,
      ),
    );
  // As on Supabase, where the extension safeupdate guards the API's roles.
  if (tests.length === 0) throw new RestError(400, '21000', `${verb} requires a WHERE clause`);
  return `WHERE ${tests.join(' AND ')}`;
}

/** The columns the answer needs of the written rows; reading more would need the right to them. */
function returning(write: Write): string {
  const alias = identifier(write.relation.name);
  const names = new Set<string>();
  if (write.preferences.return === 'headers-only')
    for (const name of write.relation.primaryKey) names.add(name);
  if (write.representation) for (const name of neededColumns(write.representation)) names.add(name);
  if (names.has('*')) for (const name of write.relation.columns.keys()) names.delete(name);
  if (names.size === 0) return '1 AS "pgrst_written"';
  return [...names].map((name) => (name === '*' ? `${alias}.*` : `${alias}.${identifier(name)}`)).join(', ');
}

/** Every column of the root that its select list, order and embeds refer to. */
export function neededColumns(node: ReadNode): string[] {
  const embeds = embedsOf(node);
  const fields = node.items.flatMap((item) => (item.kind === 'field' ? [item.field.name] : []));
  const joined = embeds.flatMap(({ relationship }) =>
    relationship.kind === 'computed' ? ['*'] : relationship.columns.map(([column]) => column),
  );
  const ordered = node.order.flatMap(({ term, embed }) => (embed ? [] : [term.field.name]));
  return [...fields, ...joined, ...ordered];
}
