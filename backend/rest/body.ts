import { type OnFurther, parseJson, TooDeep } from '../http/json.ts';
import { readBody } from '../http/request-body.ts';
import { badBody, RestError, tooLarge } from './errors.ts';

/** A request's rows or arguments as JSON text, untouched so that no number loses digits. */
export interface Body {
  /** `[…]`, also when one object was sent. */
  rows: string;
  /** The text as it came, for a function's single unnamed parameter. */
  raw: Buffer;
  keys: string[];
  count: number;
  isArray: boolean;
}

const MAX_BYTES = 1024 * 1024;
/** PostgreSQL gives a table no more columns. */
const MAX_FIELDS = 1600;
/** A person writes a handful of rows at a time; the service's own key may write more. */
const MAX_ROWS = 100;

const tooManyRows = () => tooLarge(`At most ${MAX_ROWS} rows can be written by one request`);
const tooManyFields = () => tooLarge(`At most ${MAX_FIELDS} fields can be sent by one request`);

/** Content type without its parameters; JSON when the client names none. */
export function contentType(request: Request): string {
  return (
    (request.headers.get('content-type') ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  );
}

/** @throws RestError 413 */
export async function readBytes(request: Request): Promise<Buffer> {
  const bytes = await readBody(request, MAX_BYTES);
  if (!bytes) throw tooLarge('The request body is larger than 1 MB');
  return bytes;
}

/**
 * Understands JSON, CSV and form bodies, up to the first row or field beyond the limit.
 *
 * @param columns of the query string; rows may then differ in their keys
 * @param role of the caller; see `MAX_ROWS`
 * @param forCall a list of anything passes, for a function that takes the whole body
 * @throws RestError PGRST102
 */
export function parseBody(
  raw: Buffer,
  type: string,
  columns: string[] | undefined,
  role: string,
  forCall = false,
): Body {
  const maxRows = role === 'service_role' ? Number.POSITIVE_INFINITY : MAX_ROWS;
  switch (type) {
    case 'application/json':
      return fromJson(raw, columns, forCall ? undefined : maxRows);
    case 'text/csv':
      return fromRows(parseCsv(raw.toString(), maxRows), raw, columns);
    case 'application/x-www-form-urlencoded':
      return fromRows([Object.fromEntries(parseForm(raw))], raw, columns);
    default:
      throw badBody(`Content-Type not acceptable: ${type}`);
  }
}

/**
 * The pairs of a form in their order.
 *
 * @throws RestError 413
 */
export function parseForm(raw: Buffer): [string, string][] {
  let fields = 1;
  for (let at = raw.indexOf('&'); at >= 0; at = raw.indexOf('&', at + 1))
    if (++fields > MAX_FIELDS) throw tooManyFields();
  return [...new URLSearchParams(raw.toString())];
}

/** @param maxRows undefined for a call, which may send a list of anything */
function fromJson(raw: Buffer, columns: string[] | undefined, maxRows: number | undefined): Body {
  const text = raw.toString();
  const isOfRows = /^\s*\[/.test(text);
  const hasFields = !columns && (!isOfRows || maxRows !== undefined);
  const value = jsonOf(text, (level, isList, number) => {
    if (isList && level === 1 && maxRows !== undefined && number > maxRows) throw tooManyRows();
    if (!isList && level === (isOfRows ? 2 : 1) && hasFields && number > MAX_FIELDS) throw tooManyFields();
  });
  if (!Array.isArray(value)) {
    if (!isObject(value)) return { rows: '[]', raw, keys: columns ?? [], count: 0, isArray: true };
    return { rows: `[${text}]`, raw, keys: columns ?? keysOf(value), count: 1, isArray: false };
  }
  const keys = maxRows === undefined && !isObject(value[0]) ? [] : (columns ?? sharedKeys(value));
  return { rows: text, raw, keys, count: value.length, isArray: true };
}

function jsonOf(text: string, onFurther: OnFurther): unknown {
  try {
    return parseJson(text, onFurther);
  } catch (error) {
    if (error instanceof RestError) throw error;
    throw badBody(error instanceof TooDeep ? error.message : 'Empty or invalid json');
  }
}

function fromRows(rows: Record<string, string | null>[], raw: Buffer, columns: string[] | undefined): Body {
  return {
    rows: JSON.stringify(rows),
    raw,
    keys: columns ?? sharedKeys(rows),
    count: rows.length,
    isArray: true,
  };
}

function sharedKeys(rows: unknown[]): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const keys = isObject(first) ? keysOf(first) : undefined;
  const same = (row: unknown) =>
    keys !== undefined &&
    isObject(row) &&
    Object.keys(row).length === keys.length &&
    keys.every((key) => Object.hasOwn(row, key));
  if (!keys || !rows.every(same)) throw badBody('All object keys must match');
  return keys;
}

function keysOf(row: Record<string, unknown>): string[] {
  const keys = Object.keys(row);
  if (keys.length > MAX_FIELDS) throw tooManyFields();
  return keys;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 4180 with a header line; the bare word NULL is null. */
function parseCsv(text: string, maxRows: number): Record<string, string | null>[] {
  const lines: (string | null)[][] = [[]];
  let end = 0;
  for (const match of text.matchAll(/(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/gy)) {
    const [whole, quoted, plain = '', separator] = match;
    if (whole === '' && match.index > 0 && text.at(match.index - 1) !== ',') break;
    const line = lines.at(-1) ?? [];
    if (
      line.push(quoted === undefined ? (plain === 'NULL' ? null : plain) : quoted.replaceAll('""', '"')) >
      MAX_FIELDS
    )
      throw tooManyFields();
    end = match.index + whole.length;
    if (separator === '') break;
    if (separator === ',') continue;
    if (end === text.length) break;
    if (line.length !== lines[0]?.length) throw unequalLines();
    if (lines.push([]) > maxRows + 1) throw tooManyRows();
  }
  const [header = [], ...rows] = lines;
  if (end < text.length || rows.some((row) => row.length !== header.length)) throw unequalLines();
  return rows.map((row) =>
    Object.fromEntries(header.map((name, index) => [name ?? 'NULL', row[index] ?? null])),
  );
}

const unequalLines = () => badBody('All lines must have same number of fields');
