import { isStatus, RestError, rangeNotSatisfiable } from './errors.ts';
import type { Relation } from './schema/relation.ts';
import type { ResultRow } from './sql/result.ts';

/** An answer before the database's settings for it are applied. */
export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  body: string | null;
}

/**
 * Turns an answer into a response; `response.status` and `response.headers`, set by a function or trigger, win.
 *
 * @throws RestError PGRST111, PGRST112
 */
export function toResponse(answer: Answer, row: Pick<ResultRow, 'headers' | 'status'>): Response {
  const status = row.status === null ? answer.status : Number(row.status);
  if (!isStatus(status))
    throw new RestError(500, 'PGRST112', 'response.status guc must be a valid status code');
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) plain[name] = value;
  if (status === 201 && answer.body === null) plain['content-length'] = '0';
  const headers = row.headers === null ? plain : withOwn(plain, customHeaders(row.headers));
  return new Response(bodyFor(status, answer.body), { status, headers });
}

function withOwn(plain: Record<string, string>, custom: [string, string][]): Headers {
  const headers = new Headers(plain);
  const own = new Headers();
  for (const [name, value] of custom) own.append(name, value);
  for (const name of new Set(own.keys())) headers.delete(name);
  for (const [name, value] of own) headers.append(name, value);
  return headers;
}

/** Without a body where HTTP allows none, whoever chose the status. */
const bodyFor = (status: number, body: string | null) => ([204, 205, 304].includes(status) ? null : body);

function customHeaders(text: string): [string, string][] {
  try {
    return (JSON.parse(text) as unknown[]).map((item) => {
      const [pair, ...others] = Object.entries(item as Record<string, unknown>);
      if (!pair || others.length > 0 || typeof pair[1] !== 'string') throw new Error('not a single header');
      // Rejects a response that cannot be sent before any part of it is.
      new Headers([[pair[0], pair[1]]]);
      return [pair[0], pair[1]];
    });
  } catch (cause) {
    throw new RestError(
      500,
      'PGRST111',
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
      { cause },
    );
  }
}

/**
 * The value of `Content-Range`, for example `0-24/100`; `*` stands for no rows, and for a total that was not counted.
 */
export function contentRange(first: number, rows: number, total: number | undefined): string {
  const range = rows > 0 && total !== 0 ? `${first}-${first + rows - 1}` : '*';
  return `${range}/${total ?? '*'}`;
}

/** Clients take 16 KiB of headers; a longer address is left out. */
const MAX_LOCATION = 8 * 1024;

/**
 * `Content-Location`: the address in its one spelling, its parameters in order.
 *
 * @param name of the table or view
 */
export function contentLocation(name: string, search: string): string | undefined {
  if (search.length > MAX_LOCATION) return undefined;
  const values = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(search))
    values.set(key, [...(values.get(key) ?? []), value]);
  const query = [...values]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, texts]) => `${encoded(key)}=${texts.map(encoded).join(',')}`);
  return `/${encodeURIComponent(name)}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** Leaves only letters, digits and `-._~` as they are. */
const encoded = (text: string) =>
  /^[\w.~-]*$/.test(text)
    ? text
    : encodeURIComponent(text).replaceAll(
        /[!'()*]/g,
        (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
      );

/** @throws RestError PGRST103 when the page starts after the last row */
export function rangeStatus(offset: number, rows: number, total: number | undefined): number {
  if (total === undefined) return 200;
  if (offset > total)
    throw rangeNotSatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`, {
      'content-range': `*/${total}`,
    });
  return rows < total ? 206 : 200;
}

/** A refusal as PostgREST answers it: the fields in the body, and the code in `Proxy-Status` too (RFC 9209). */
export function errorResponse(error: RestError): Response {
  const { code, details, hint, message } = error;
  return new Response(bodyFor(error.status, JSON.stringify({ code, details, hint, message })), {
    status: error.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'proxy-status': `PostgREST; error=${code}`,
      ...error.headers,
    },
  });
}

/** What `OPTIONS` answers: the methods that a resource has at all, whoever asks. */
export function allowResponse(methods: string[]): Response {
  return new Response(null, {
    headers: { allow: ['OPTIONS', ...methods].join(',') },
  });
}

/** The methods of a table or view. */
export function methodsOf({ primaryKey, writes }: Relation): string[] {
  const canPut = writes.includes('POST') && writes.includes('PATCH') && primaryKey.length > 0;
  const order = ['POST', ...(canPut ? ['PUT'] : []), 'PATCH', 'DELETE'];
  return [
    'GET',
    'HEAD',
    ...order.filter((method) => method === 'PUT' || writes.some((one) => one === method)),
  ];
}
