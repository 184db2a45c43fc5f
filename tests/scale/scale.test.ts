// @module-tag whole

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { QueryClient } from '@tanstack/react-query';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { conversationsQuery } from '#app/community/messages/data.ts';
import { recordQuery } from '#app/people/cpd/data.ts';
import { ownSolutionsQuery } from '#app/people/profiles/data.ts';
import type { Client } from '#app/supabase.ts';
import { startTestBackend, type TestBackend } from '../backend.ts';
import { TEST_TIMEOUT_MS } from '../timeouts.ts';
import { ASKED_OF_AUTH, calls, functions } from './calls.ts';
import { type Actor, cast, fill, fillCast } from './fill.ts';
import { type Announced, announce } from './part-notice.ts';
import { asked, type Cost, clientOf, costOf, recordStatements } from './plans.ts';

// A page costs what it shows: each call by which the site reads is made with some rows of the member concerned in each table and
// again with twenty times as many, and the pages of the database that it touches are compared; time is not.

const FEW = Number(process.env.SCALE_ROWS ?? 500);
const TIMES = 20;
const MAX_RATIO = 3;
/**
 * So many more pages are about a millisecond, whatever the ratio: a small table is read whole, of a large one the rows alone. Some 175
 * of them are for the catalogue, which is read again while other tests make databases.
 */
const FREE_BUFFERS = 600;

/** Rows that are read for each who is told: the part, the solution and its mark, the trial, the member with their rights, and what these refer to. */
const MAX_READ_EACH = 30;

const SECRET = 'signs the tokens of this file alone, whose backend has no other clients';
const app = resolve(import.meta.dirname, '../../app');

/** What a notice on a part of one solution, and one on a part of all, cost with few and with many solutions. */
const notices: { few: Announced; many: Announced }[] = [];
const costs = new Map<string, { few: Cost; many: Cost }>();
let backend: TestBackend;
let owner: pg.Client;

beforeAll(async () => {
  backend = await startTestBackend({ JWT_SECRET: SECRET });
  recordStatements();
  owner = new pg.Client({ connectionString: backend.databaseUrl });
  // The database is dropped with its remaining connections.
  owner.on('error', () => undefined);
  await owner.connect();
  await fillCast(owner);
  await fill(owner, 1, FEW);
  const few = await measure();
  const announced = [await announce(owner, false), await announce(owner, true)];
  await fill(owner, FEW + 1, TIMES * FEW);
  for (const [call, many] of await measure()) costs.set(call, { few: few.get(call) as Cost, many });
  for (const [place, one] of announced.entries())
    notices.push({ few: one, many: await announce(owner, place > 0) });
  if (process.env.SCALE_ROWS) {
    print();
    console.log(JSON.stringify(notices));
  }
}, 3 * TEST_TIMEOUT_MS);
afterAll(async () => {
  await owner.end();
  await backend.stop();
});

/** Makes every call on the list, and returns what each costs, by its name. */
async function measure(): Promise<Map<string, Cost>> {
  const measured = new Map<string, Cost>();
  const clients = new Map<Actor, Client>();
  for (const actor of ['visitor', ...(Object.keys(cast) as Actor[])] as const)
    clients.set(actor, await clientOf(backend, SECRET, actor));
  for (const [file, makers] of Object.entries(calls)) {
    const module = await import(/* @vite-ignore */ join(app, file));
    for (const [name, ways] of Object.entries(makers))
      for (const [place, [actor, ...args]] of ways.entries()) {
        const client = clients.get(actor);
        const cost = await costOf(() => {
          if (!name.endsWith('Query')) return module[name](client, ...args);
          const { queryFn, initialPageParam: pageParam } = module[name](() => client, ...args);
          return queryFn({ pageParam, signal: new AbortController().signal });
        });
        measured.set(`${file} ${name}${place > 0 ? ` ${place + 1}` : ''}, ${actor}`, cost);
      }
  }
  for (const [actor, name, args] of functions) {
    const call = async () => clients.get(actor)?.rpc(name, args).throwOnError();
    measured.set(`rpc ${name}(${Object.values(args)}), ${actor}`, await costOf(call));
  }
  return measured;
}

function print(): void {
  console.log(`\n${'pages at'.padStart(8)}${`${FEW}`.padStart(8)}${`${TIMES * FEW}`.padStart(8)}   ms`);
  for (const [call, { few, many }] of [...costs].sort(([, a], [, b]) => b.many.buffers - a.many.buffers))
    console.log(
      `${(many.buffers / few.buffers).toFixed(1).padStart(8)}${`${few.buffers}`.padStart(8)}${`${many.buffers}`.padStart(8)}${many.ms.toFixed(1).padStart(8)}  ${call}`,
    );
}

/** The files of the app that hold `pattern`, each with what it finds first in brackets. */
function foundInApp(pattern: RegExp): [file: string, found: string][] {
  return readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.unit\.test\./.test(file))
    .flatMap((file) =>
      [...readFileSync(join(app, file), 'utf8').matchAll(pattern)].map((match): [string, string] => [
        file,
        String(match[1]),
      ]),
    );
}

it('the pages of one’s own solutions, of conversations and of a CPD record reach each of them once', async () => {
  const client = await clientOf(backend, SECRET, 'busy');
  const cache = new QueryClient();
  const pages = Number.POSITIVE_INFINITY;
  const own = await cache.fetchInfiniteQuery({ ...ownSolutionsQuery(() => client, cast.busy), pages });
  const conversations = await cache.fetchInfiniteQuery({
    ...conversationsQuery(() => client, cast.busy),
    pages,
  });
  const record = await cache.fetchInfiniteQuery({ ...recordQuery(() => client, cast.busy, ''), pages });
  for (const rows of [
    own.pages.flat(),
    conversations.pages.flatMap(({ items }) => items),
    record.pages.flat(),
  ]) {
    expect(rows).toHaveLength(TIMES * FEW);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(TIMES * FEW);
  }
});

it('every query of the site is on the list', () => {
  const queries = foundInApp(/const (\w+Query) = \(/g);
  expect(queries.length).toBeGreaterThan(70);
  expect(queries.filter(([file, name]) => !calls[file]?.[name] && !ASKED_OF_AUTH.includes(name))).toEqual([]);
});

it('every function that the site calls to read is asked for', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select p.proname as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.provolatile <> 'v' and p.prorettype <> 'trigger'::regtype`,
  );
  const reading = new Set(rows.map(({ name }) => name));
  const called = foundInApp(/\.rpc\(\s*'(\w+)'/g).filter(([, name]) => reading.has(name));
  expect(called.length).toBeGreaterThan(20);
  expect(called.filter(([, name]) => !asked.has(`rpc/${name}`))).toEqual([]);
});

it('a call touches at most three times the pages at twenty times the rows', () => {
  expect(costs.size).toBeGreaterThan(100);
  const tooDear = [...costs]
    .filter(([, { few, many }]) => many.buffers > MAX_RATIO * few.buffers + FREE_BUFFERS)
    .map(([call, { few, many }]) => `${call}: ${few.buffers} pages, then ${many.buffers}`);
  expect(tooDear).toEqual([]);
});

it('a notice on a part reaches at once everyone who shared, tried or saved a solution with it, and reads what they have alone', () => {
  const [ofOne, ofAll] = notices;
  // Its author, and the member who reports a trial of it.
  expect([ofOne?.few, ofOne?.many]).toMatchObject([
    { told: 2, mails: 2 },
    { told: 2, mails: 2 },
  ]);
  expect(ofOne?.many.read).toBeLessThanOrEqual(2 * (ofOne?.few.read ?? 0));
  for (const [solutions, all] of [
    [FEW, ofAll?.few],
    [TIMES * FEW, ofAll?.many],
  ] as const) {
    expect(all).toMatchObject({ told: solutions + 1, mails: solutions + 1, left: 0 });
    expect((all?.read ?? 0) / solutions).toBeLessThanOrEqual(MAX_READ_EACH);
  }
});
