import { parseJson, TooDeep } from '../http/json.ts';
import { readBody } from '../http/request-body.ts';
import { badBody, tooLarge } from './errors.ts';

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
 * Understands JSON, CSV and form bodies.
 *
 * @param columns of the query string; rows may then differ in their keys
 * @param forCall a list of anything passes, for a function that takes the whole body
 * @throws RestError PGRST102
 */
export function parseBody(raw: Buffer, type: string, columns: string[] | undefined, forCall = false): Body {
  switch (type) {
    case 'application/json':
      return fromJson(raw, columns, forCall);
    case 'text/csv':
      return fromRows(parseCsv(raw.toString()), raw, columns);
    case 'application/x-www-form-urlencoded':
      return fromRows([Object.fromEntries(new URLSearchParams(raw.toString()))], raw, columns);
    default:
      throw badBody(`Content-Type not acceptable: ${type}`);
  }
}

function fromJson(raw: Buffer, columns: string[] | undefined, forCall: boolean): Body {
  const text = raw.toString();
  const value = jsonOf(text);
  if (!Array.isArray(value)) {
    if (!isObject(value)) return { rows: '[]', raw, keys: columns ?? [], count: 0, isArray: true };
    return { rows: `[${text}]`, raw, keys: columns ?? Object.keys(value), count: 1, isArray: false };
  }
  const keys = forCall && !isObject(value[0]) ? [] : (columns ?? sharedKeys(value));
  return { rows: text, raw, keys, count: value.length, isArray: true };
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
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
  const keys = isObject(first) ? Object.keys(first) : undefined;
  const same = (row: unknown) =>
    keys !== undefined &&
    isObject(row) &&
    Object.keys(row).length === keys.length &&
    keys.every((key) => Object.hasOwn(row, key));
  if (!keys || !rows.every(same)) throw badBody('All object keys must match');
  return keys;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 4180 with a header line; the bare word NULL is null. */
function parseCsv(text: string): Record<string, string | null>[] {
  const lines: (string | null)[][] = [[]];
  let end = 0;
  for (const match of text.matchAll(/(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/gy)) {
    const [whole, quoted, plain = '', separator] = match;
    if (whole === '' && match.index > 0 && text.at(match.index - 1) !== ',') break;
    lines
      .at(-1)
      ?.push(quoted === undefined ? (plain === 'NULL' ? null : plain) : quoted.replaceAll('""', '"'));
    end = match.index + whole.length;
    if (separator === '') break;
    if (separator !== ',' && end < text.length) lines.push([]);
    if (separator !== ',' && end === text.length) break;
  }
  const [header = [], ...rows] = lines;
  if (end < text.length || rows.some((row) => row.length !== header.length)) {
    throw badBody('All lines must have same number of fields');
  }
  return rows.map((row) =>
    Object.fromEntries(header.map((name, index) => [name ?? 'NULL', row[index] ?? null])),
  );
}
