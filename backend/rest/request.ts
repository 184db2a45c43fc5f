import type { Config } from '../config.ts';
import type { Caller, Database } from '../database/database.ts';
import { RestError, rangeNotSatisfiable } from './errors.ts';
import { type Format, negotiate } from './media-type.ts';
import { parseQuery, type Query } from './parse/query.ts';
import type { ReadNode } from './plan-read.ts';
import { type Preferences, parsePreferences } from './preferences.ts';
import type { Schema } from './schema/schema-cache.ts';
import type { ResultRow } from './sql/result.ts';
import { qualified } from './sql/sql.ts';

/** A request by a known caller on a known schema. */
export interface IncomingRequest {
  request: Request;
  method: string;
  database: Database;
  config: Config;
  schema: Schema;
  /** The exposed schema that the request addresses. */
  schemaName: string;
  caller: Caller;
  /** The query string, without its question mark. */
  search: string;
  /** As it came; empty for a request that has none. */
  body: Buffer;
  /** Called once a write has been committed. */
  notifyWrite(): void;
}

/** A request that is understood as far as possible without knowing its target. */
export interface RestRequest extends IncomingRequest {
  query: Query;
  preferences: Preferences;
  format: Format;
}

/**
 * @param isCall whether the target is a function
 * @throws RestError
 */
export function understand(incoming: IncomingRequest, isCall: boolean): RestRequest {
  const { request, method, schema, caller } = incoming;
  return {
    ...incoming,
    query: parseQuery(
      new URLSearchParams(incoming.search),
      isCall && method !== 'POST',
      caller.role === 'anon',
    ),
    preferences: parsePreferences(request.headers.get('prefer'), schema.transactions.mayChoose),
    format: negotiate(method === 'OPTIONS' ? null : request.headers.get('accept')),
  };
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
}: Pick<RestRequest, 'format' | 'config' | 'schemaName'>): Record<string, string | undefined> {
  return {
    'content-type': format.contentType,
    'content-profile': config.api.schemas.length > 1 ? schemaName : undefined,
  };
}

/** Narrows the root's window by the `Range` header of a GET. */
export function applyRange(root: ReadNode, { request, config }: IncomingRequest): void {
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
  { database, caller, preferences, schema, notifyWrite }: IncomingRequest & Pick<RestRequest, 'preferences'>,
  sql: string,
  values: (string | Buffer)[],
  readOnly: boolean,
): Promise<ResultRow> {
  const { timezone, tx } = preferences;
  const rollback = tx === undefined ? schema.transactions.rollback : tx === 'rollback';
  const who = { ...caller, readOnly, rollback };
  const { preRequest } = schema;
  const { rows } =
    timezone === undefined && !rollback && !preRequest
      ? await database.as<ResultRow>(who, sql, values)
      : await database.transactionAs(who, async (query) => {
          if (timezone !== undefined) await query(`select set_config('timezone', $1, true)`, [timezone]);
          if (preRequest) await query(`select ${qualified(preRequest)}()`);
          const result = await query<ResultRow>(sql, values);
          // What a commit would have refused must be refused here too.
          if (rollback) await query('set constraints all immediate');
          return result;
        });
  if (!readOnly && !rollback) notifyWrite();
  const [row] = rows;
  if (!row) throw new Error('The statement returned no row.');
  return row;
}
