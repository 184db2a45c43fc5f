import { Agent, request } from 'node:http';
import fc from 'fast-check';
import type pg from 'pg';
import { expect } from 'vitest';
import { TIMEOUT_MS } from '../timeouts.ts';

/** One request as it goes out on the wire. */
export interface Case {
  method: string;
  /** With its query; characters a URL may not hold are escaped on the way. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** All cases of a run together; `npm run fuzz` has 200,000. FUZZ_SEED chooses others. */
const CASES = Number(process.env.FUZZ_CASES ?? 10_000);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const CHUNK = 500;
const AT_ONCE = 16;

/**
 * Sends a share of all cases and requires for each a response that is no fault.
 *
 * A failure names the seed and the case; the same seed makes the same cases.
 */
export async function sendAll(
  base: string,
  cases: fc.Arbitrary<Case>,
  share: number,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  await each(cases, share, async (one) => {
    const status = await send(base, one);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 500) throw new Error(`answered ${status}`);
  });
  return statuses;
}

/** Runs `attempt` on a share of all cases, several at once. */
export async function each<T>(
  cases: fc.Arbitrary<T>,
  share: number,
  attempt: (one: T) => Promise<void>,
): Promise<void> {
  const number = Math.ceil(CASES * share);
  for (let chunk = 0; chunk * CHUNK < number; chunk++) {
    const numRuns = Math.min(CHUNK, number - chunk * CHUNK);
    const samples = fc.sample(cases, { seed: SEED + chunk, numRuns });
    const pending = samples.entries();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const [index, one] of pending)
          await attempt(one).catch((cause) => {
            throw new Error(
              `FUZZ_SEED=${SEED + chunk}, case ${index}: ${cause.message}\n${JSON.stringify(one)?.slice(0, 4000)}`,
              { cause },
            );
          });
      }),
    );
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

function send(base: string, { method, path, headers = {}, body }: Case, kept = true): Promise<number> {
  const url = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent: kept && agent,
        host: url.hostname,
        port: url.port,
        method,
        path: path.replace(/[^\x21-\x7e]/gu, (character) =>
          encodeURIComponent(character.isWellFormed() ? character : '?'),
        ),
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/gu, '?')]),
        ),
        timeout: TIMEOUT_MS,
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close a kept connection in the moment it is used again; a new one, for this request
      // alone, shows whether the request is at fault.
      if (kept && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
        send(base, { method, path, headers, body }, false).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}

/** The contents of these tables, in one text: equal before and after when no request had an effect. */
export async function contents(database: pg.Client, tables: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of tables) {
    const { rows } = await database.query(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum, count(*)::int as rows from ${table} as t`,
    );
    found.push(`${table}: ${rows[0].rows} rows, ${rows[0].sum}`);
  }
  return found;
}

/** No connection hangs in a transaction, and none was opened beyond the pools. */
export async function nothingLeaks(database: pg.Client, most = 40): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await database.query(
            `select count(*)::int as busy from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'`,
          )
        ).rows[0].busy,
    )
    .toBe(0);
  const { rows } = await database.query(
    'select count(*)::int as open from pg_stat_activity where datname = current_database()',
  );
  expect(rows[0].open).toBeLessThan(most);
}

/** Text of every unpleasant kind. */
export const nasty: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\u0000',
      '\ud800',
      "'",
      '"',
      "'; drop table books; --",
      '%00',
      '%',
      '%ff',
      '../',
      '..%2f',
      '\\',
      '{}',
      '[]',
      '()',
      'null',
      'NaN',
      'Infinity',
      '1e999',
      '-0',
      '9'.repeat(40),
      'a'.repeat(3000),
      '(('.repeat(100),
      '{"a":'.repeat(50),
      '\u202e',
      '$1',
      ':',
      '::int',
      '!inner',
      '...',
      '->',
      '->>',
      '*',
    ),
  },
);

export const json: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: nasty },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'null',
      '[]',
      '{}',
      '[[]]',
      '[{}]',
      '{',
      '"\\ud800"',
      '{"a":"\\u0000"}',
      '['.repeat(5000),
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
      `{"email":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
    ),
  },
);

/** Now and then spoils a text: a character lost, doubled, or one put in. */
export const spoiled = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      text,
      fc.nat(9),
      fc.nat(200),
      fc.constantFrom('(', ')', ',', '.', '"', ':', '!', '*', '{', '}', ' ', '=', '%', "'"),
    )
    .map(([whole, how, place, piece]) => {
      if (how > 2 || whole === '') return whole;
      const at = place % whole.length;
      if (how === 0) return whole.slice(0, at) + whole.slice(at + 1);
      if (how === 1) return whole.slice(0, at) + piece + whole.slice(at);
      return whole.slice(0, at);
    });
