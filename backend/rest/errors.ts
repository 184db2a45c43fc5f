import { diskProblem } from '../../media/disk.ts';
import { DatabaseError, outageOf } from '../database/database.ts';

/** A refusal in PostgREST's terms: the body's fields, with its HTTP status. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
  readonly hint: string | null;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { details?: unknown; hint?: string | null; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
    this.headers = more.headers ?? {};
  }
}

/** The query string cannot be read, or asks for too much. */
export const badQuery = (message: string, details: string | null = null) =>
  new RestError(400, 'PGRST100', message, { details });
/** The body cannot be read, or its type is not one of those that are. */
export const badBody = (message: string) => new RestError(400, 'PGRST102', message);
/** The request or its answer exceeds what this service handles at a time. */
export const tooLarge = (message: string) => new RestError(413, 'PGRST102', message);
/** There is no such page of rows: its limits contradict each other, or it starts after the last row. */
export const rangeNotSatisfiable = (details: string, headers?: Record<string, string>) =>
  new RestError(416, 'PGRST103', 'Requested range not satisfiable', { details, headers });
/** A filter, an order or a limit is about a relation that the request does not embed. */
export const notEmbedded = (name: string) =>
  new RestError(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  });
/** The client asked for a single object, and there are no rows or several. */
export const notSingular = (rows: number) =>
  new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows} rows`,
  });
/** Aggregates are not served, as in PostgREST unless its operator turns them on. */
export const aggregatesNotAllowed = () =>
  new RestError(400, 'PGRST123', 'Use of aggregate functions is not allowed');
const tooManyAffected = (rows: number) =>
  new RestError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
    details: `The query affects ${rows} rows`,
  });
/** A write names a column that the relation does not have. */
export const unknownColumn = (relation: string, column: string) =>
  new RestError(
    400,
    'PGRST204',
    `Could not find the '${column}' column of '${relation}' in the schema cache`,
  );

/**
 * The meaning of a failed statement for the client; undefined for an unforeseen fault.
 *
 * @param anonymous whether the caller could get further by signing in
 */
export function fromDatabase(error: unknown, anonymous: boolean): RestError | undefined {
  if (error instanceof RestError) return error;
  if (!(error instanceof DatabaseError)) return unavailable(error);
  const code = error.code ?? 'XX000';
  // Only the operator may learn which file could not be written.
  if (diskProblem(error))
    return new RestError(503, '53100', outageOf(error) ?? '', {
      headers: { 'retry-after': '10' },
      cause: error,
    });
  if (code === 'PGRST') return raised(error);
  const guard = code === '22P02' ? /"pgrst(\d+):(\d+)"/.exec(error.message) : null;
  if (guard) return fromGuard(guard[1] ?? '', Number(guard[2]));
  const status = statusOf(code, error, anonymous);
  return new RestError(status, code, error.message, {
    details: error.detail,
    hint: error.hint,
    headers: status === 401 ? { 'www-authenticate': 'Bearer' } : status === 503 ? { 'retry-after': '1' } : {},
    cause: error,
  });
}

function fromGuard(code: string, rows: number): RestError {
  if (code === '115')
    return new RestError(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)');
  if (code === '102') return tooLarge('The answer is too large; ask for fewer rows or columns');
  return code === '116' ? notSingular(rows) : tooManyAffected(rows);
}

function unavailable(cause: unknown): RestError | undefined {
  if (!(cause instanceof Error)) return undefined;
  if (cause.message.startsWith('timeout exceeded when trying to connect')) {
    return new RestError(504, 'PGRST003', 'Timed out acquiring connection from connection pool.', { cause });
  }
  if (!outageOf(cause)) return undefined;
  const [code = '', what] =
    'syscall' in cause && cause.syscall === 'connect' ? ['PGRST000', 'connection'] : ['PGRST001', 'client'];
  return new RestError(503, code, `Database ${what} error. Retrying the connection.`, {
    headers: { 'retry-after': '1' },
    cause,
  });
}

/**
 * As in PostgREST, except for errors that any client can cause by its input, which are not faults of the
 * server: rows that meet themselves in an upsert (21000), a view that cannot be written (55000), values too
 * complex to read (54…) outside of a function.
 */
function statusOf(code: string, { message, where }: DatabaseError, anonymous: boolean): number {
  switch (code) {
    case '23503':
    case '23505':
      return 409;
    case '25006':
      return 405;
    case '42883':
    case '42P01':
      return 404;
    case '42P17':
    case '53400':
      return 500;
    case '42501':
      return anonymous ? 401 : 403;
    case '22023':
      return /^role .* does not exist$/.test(message) ? 401 : 400;
    case '21000':
      return /requires a WHERE clause$|^ON CONFLICT DO UPDATE command cannot /.test(message) ? 400 : 500;
    case '55000':
      return / view "/.test(message) ? 405 : 500;
    case '57P01':
    case '57P02':
    case '57P03':
      return 503;
    case 'P0001':
      return 400;
  }
  // `raise sqlstate 'PT402'` names the status.
  if (code.startsWith('PT')) return isStatus(Number(code.slice(2))) ? Number(code.slice(2)) : 500;
  if (/^(0L|0P|28)/.test(code)) return 403;
  if (/^(08|53)/.test(code)) return 503;
  if (code.startsWith('54')) return /^(PL\/|SQL )/m.test(where ?? '') ? 500 : 413;
  if (/^(09|25|2D|38|39|3B|40|55|57|58|F0|HV|P0|XX)/.test(code)) return 500;
  return 400;
}

/**
 * `raise sqlstate 'PGRST'` lets a function set the whole response: its body as MESSAGE, status and headers as
 * DETAIL.
 */
function raised(error: DatabaseError): RestError {
  const { message, detail } = error;
  const body = fieldsOf(message);
  if (typeof body?.code !== 'string' || typeof body.message !== 'string')
    return unreadable(
      error,
      `Invalid JSON value for MESSAGE: '${message}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    );
  const head = fieldsOf(detail ?? '');
  if (!isStatus(head?.status) || !isHeaders(head.headers))
    return unreadable(
      error,
      detail === undefined
        ? 'DETAIL is missing in the RAISE statement'
        : `Invalid JSON value for DETAIL: '${detail}'`,
      "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
    );
  return new RestError(head.status, body.code, body.message, {
    details: body.details,
    hint: typeof body.hint === 'string' ? body.hint : null,
    headers: head.headers,
    cause: error,
  });
}

const unreadable = (cause: DatabaseError, details: string, hint: string) =>
  new RestError(500, 'PGRST121', 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error', {
    details,
    hint,
    cause,
  });

/** The fields of a JSON object; undefined for any other text. */
function fieldsOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the value names headers that can be sent. */
function isHeaders(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return Object.entries(value).every(([name, text]) => new Headers([[name, text]]).has(name));
  } catch {
    return false;
  }
}

/** Whether a value can be the status of a response, which functions of the database may choose. */
export function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
}
