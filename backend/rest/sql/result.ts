import type { Format } from '../media-type.ts';
import { identifier } from './sql.ts';
import { INSERTED } from './write.ts';

/** The result of the one statement of a request. */
export interface ResultRow {
  body: string;
  /** Rows in the body. */
  page: string;
  /** The number of rows, or null when no count was requested. */
  total: string | null;
  /** The number of rows written. */
  affected: string | null;
  inserted: number | null;
  /** JSON pairs of the new row's key. */
  location: string | null;
  headers: string | null;
  status: string | null;
}

export interface ResultParts {
  /** The write or call whose rows `rows` reads as `pgrst_source`. */
  source?: string;
  rows: string;
  /** Rows to count as the total. */
  count?: string | undefined;
  body: string;
  location?: boolean;
  guards?: string[];
}

/**
 * The most bytes of an answer, which the database counts: a text of half a gigabyte is more than this process can take.
 */
const MAX_BYTES = `CASE WHEN current_user = 'anon' THEN 8 ELSE 64 END * 1048576`;

export const PAGE = 'count(*)';
export const AFFECTED = '(SELECT count(*) FROM "pgrst_source")';

/** One statement that does the work and builds the whole answer, so that one round trip is enough. */
export function resultSql(parts: ResultParts): string {
  const expressions = [
    parts.source === undefined ? '' : `"pgrst_source" AS (${parts.source})`,
    parts.count === undefined ? '' : `"pgrst_count" AS (${parts.count})`,
  ].filter((part) => part !== '');
  const columns = [
    `${parts.body} AS body`,
    `${PAGE} AS page`,
    `${parts.count === undefined ? 'NULL::bigint' : '(SELECT count(*) FROM "pgrst_count")'} AS total`,
    `${parts.source === undefined ? 'NULL::bigint' : AFFECTED} AS affected`,
    `${INSERTED} AS inserted`,
    `${parts.location ? LOCATION : 'NULL'} AS location`,
    `nullif(current_setting('response.headers', true), '') AS headers`,
    `nullif(current_setting('response.status', true), '') AS status`,
    ...[guardSql(102, `octet_length(${parts.body}) > ${MAX_BYTES}`, PAGE), ...(parts.guards ?? [])].map(
      (guard, index) => `${guard} AS guard${index}`,
    ),
  ];
  return `${expressions.length > 0 ? `WITH ${expressions.join(', ')} ` : ''}SELECT ${columns.join(', ')} FROM (${parts.rows}) AS "pgrst_rows"`;
}

const LOCATION = `(SELECT json_agg(json_build_array("pair"."name", "pair"."value"))::text
  FROM (SELECT * FROM "pgrst_source" LIMIT 1) AS "pgrst_key", json_each_text(row_to_json("pgrst_key")) AS "pair"("name", "value"))`;

/**
 * Fails the statement, and so undoes it, when a condition on the result holds: SQL has no expression that
 * raises a custom error, but an invalid number has the same effect. `fromDatabase` reads it.
 */
export function guardSql(code: 102 | 115 | 116 | 124, condition: string, rows: string): string {
  return `CASE WHEN ${condition} THEN ('pgrst${code}:' || ${rows})::int END`;
}

/** The SQL by which the rows become the body. */
export function bodySql(format: Format, shape: 'rows' | 'row' | 'scalars' | 'scalar'): string {
  const value = shape === 'scalars' || shape === 'scalar' ? '"pgrst_rows"."pgrst_scalar"' : '"pgrst_rows"';
  if (format.kind === 'csv') return csvSql();
  const list = format.stripNulls ? `json_strip_nulls(json_agg(${value}))` : `json_agg(${value})`;
  if (format.kind === 'object' || shape === 'row' || shape === 'scalar')
    return `coalesce((${list} -> 0)::text, 'null')`;
  return `coalesce(${list}::text, '[]')`;
}

function csvSql(): string {
  const rows = identifier('pgrst_rows');
  const line = `substring(${rows}::text, 2, length(${rows}::text) - 2)`;
  const header = `(SELECT string_agg(key, ',') FROM json_object_keys((array_agg(row_to_json(${rows})))[1]) AS key)`;
  return `coalesce(${header}, '') || E'\\n' || coalesce(string_agg(${line}, E'\\n'), '')`;
}
