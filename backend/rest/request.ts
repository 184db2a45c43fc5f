import type { Config } from '../config.ts';
import type { Caller, Database } from '../database/database.ts';
import { RestError, rangeNotSatisfiable, tooLarge } from './errors.ts';
import type { Format } from './media-type.ts';
import type { Query } from './parse/query.ts';
import type { ReadNode } from './plan-read.ts';
import type { Preferences } from './preferences.ts';
import type { Schema } from './schema/schema-cache.ts';
import { type ResultParts, type ResultRow, resultSql } from './sql/result.ts';
import { qualified, type Statement } from './sql/sql.ts';

/** The most rows of an answer to a caller without an account. */
const MAX_VISITOR_CHARACTERS = 8 * 1024 * 1024;

/** A request that is understood as far as possible without knowing its target. */
export interface RestRequest {
  request: Request;
  method: string;
  database: Database;
  config: Config;
  schema: Schema;
  /** The exposed schema that the request addresses. */
  schemaName: string;
  caller: Caller;
  search: URLSearchParams;
  query: Query;
  preferences: Preferences;
  format: Format;
  /** Called once a write has been committed. */
  notifyWrite(): void;
}

/** The schema the profile headers name, or the first exposed one. */
export function profileOf(request: Request, exposed: readonly string[]): string {
  const writing = ['POST', 'PATCH', 'PUT', 'DELETE'].includes(request.method);
  const requested = request.headers.get(writing ? 'content-profile' : 'accept-profile');
  const name = requested ?? exposed[0] ?? '';
  if (!exposed.includes(name)) {
    throw new RestError(406, 'PGRST106', `Invalid schema: ${name}`, {
      hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
    });
  }
  return name;
}

/** Headers that describe the kind of body. */
export function contentHeaders({
  format,
  config,
  schemaName,
}: RestRequest): Record<string, string | undefined> {
  return {
    'content-type': format.contentType,
    'content-profile': config.api.schemas.length > 1 ? schemaName : undefined,
  };
}

/** Narrows the root's window by the `Range` header of a GET. */
export function applyRange(root: ReadNode, { request, config }: RestRequest): void {
  const match =
    request.method === 'GET' ? /^(\d{1,15})-(\d{0,15})$/.exec(request.headers.get('range') ?? '') : null;
  if (!match) return;
  const first = Number(match[1]);
  const last = match[2] ? Number(match[2]) : Number.POSITIVE_INFINITY;
  if (last < first) {
    throw rangeNotSatisfiable(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    );
  }
  const end = Math.min(last + 1, root.offset + (root.limit ?? Number.POSITIVE_INFINITY));
  root.offset = Math.max(first, root.offset);
  root.limit = Math.min(Math.max(0, end - root.offset), config.api.max_rows);
}

/** Runs the request's statement as the caller, and undoes it when the transaction is to be rolled back. */
export async function run(
  { database, caller, preferences, schema, notifyWrite }: RestRequest,
  statement: Statement,
  parts: ResultParts,
  readOnly: boolean,
): Promise<ResultRow> {
  const sql = resultSql(parts);
  const { timezone, tx } = preferences;
  const rollback = tx === undefined ? schema.transactions.rollback : tx === 'rollback';
  const who = { ...caller, readOnly, rollback };
  const { preRequest } = schema;
  const { rows } =
    timezone === undefined && !rollback && !preRequest
      ? await database.as<ResultRow>(who, sql, statement.values)
      : await database.transactionAs(who, async (query) => {
          if (timezone !== undefined) await query(`select set_config('timezone', $1, true)`, [timezone]);
          if (preRequest) await query(`select ${qualified(preRequest)}()`);
          const result = await query<ResultRow>(sql, statement.values);
          // What a commit would have refused must be refused here too.
          if (rollback) await query('set constraints all immediate');
          return result;
        });
  if (!readOnly && !rollback) notifyWrite();
  const [row] = rows;
  if (!row) throw new Error('The statement returned no row.');
  if (caller.role === 'anon' && row.body.length > MAX_VISITOR_CHARACTERS)
    throw tooLarge('The answer is too large; ask for fewer rows or columns');
  return row;
}
