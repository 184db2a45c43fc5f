import type { IncomingRequest, RestRequest } from './request.ts';
import { Statement } from './sql/sql.ts';

/** The rows to count inside the statement itself, when the client wants a count that needs them counted. */
export function countRows({ preferences, config }: RestRequest, sql: () => string): string | undefined {
  if (preferences.count === 'exact') return sql();
  // The count above which an estimate is used for `estimated`.
  if (preferences.count === 'estimated') return `${sql()} LIMIT ${config.api.max_rows + 1}`;
  return undefined;
}

/**
 * The total to report: counted, or PostgreSQL's guess for `planned` and for an `estimated` count of many
 * rows.
 */
export async function totalOf(
  { database, caller, preferences, config }: IncomingRequest & Pick<RestRequest, 'preferences'>,
  counted: string | null,
  sql: ((statement: Statement) => string) | undefined,
): Promise<number | undefined> {
  const total = counted === null ? undefined : Number(counted);
  const isPlanned = preferences.count === 'planned';
  const isMany = preferences.count === 'estimated' && total !== undefined && total > config.api.max_rows;
  if (!sql || (!isPlanned && !isMany)) return total;
  const statement = new Statement();
  const { rows } = await database.as<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
    { ...caller, readOnly: true },
    `EXPLAIN (FORMAT JSON) ${sql(statement)}`,
    statement.values,
  );
  return Math.max(rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0, total ?? 0);
}
