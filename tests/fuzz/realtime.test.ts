// @module-tag whole

import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestBackend, type TestBackend } from '../backend.ts';
import { visitor } from '../conformance/auth/fixtures.ts';
import { createSampleTables, subscribeTo, until } from '../conformance/realtime/sample-schema.ts';
import { TIMEOUT_MS } from '../timeouts.ts';
import { each, json, nasty, nothingLeaks } from './harness.ts';

let backend: TestBackend;
let database: pg.Client;

beforeAll(async () => {
  backend = await startTestBackend();
  database = await createSampleTables(backend);
});
afterAll(async () => {
  await database.end();
  await backend.stop();
});

/** A value of another type than expected, for example an object that is neither text nor number. */
const odd = fc.oneof(
  fc.constantFrom({ toString: null, valueOf: null }, [[]], 0, true),
  fc.jsonValue({ maxDepth: 1 }),
);
const filter = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom('number', 'colour', 'area', 'id', 'none'),
        fc.constantFrom('', 'not.'),
        fc.constantFrom('eq', 'neq', 'lt', 'in', 'is', 'like', 'match', 'imatch', 'isdistinct', 'fts'),
        fc.oneof(nasty, fc.constantFrom('1', '(1,2)', 'null', 'red', '"', '(', '[a')),
      )
      .map(([column, not, how, what]) => `${column}=${not}${how}.${what}`),
  },
  { weight: 1, arbitrary: nasty },
);
const binding = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        event: fc.oneof(fc.constantFrom('*', 'INSERT', 'nonsense'), odd),
        schema: fc.constantFrom('public', 'auth', '*', 'none'),
        table: fc.oneof(fc.constantFrom('places', 'notes', '*', 'none'), nasty),
        filter,
        select: fc.oneof(fc.constant(['number']), fc.jsonValue({ maxDepth: 1 })),
      },
      { requiredKeys: ['event'] },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const payload = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        config: fc.oneof(
          fc.record(
            {
              postgres_changes: fc.array(binding, { maxLength: 3 }),
              private: fc.boolean(),
              postgres_changes_options: fc.oneof(
                fc.record({ wait: fc.boolean(), timeout: odd }),
                fc.jsonValue({ maxDepth: 1 }),
              ),
            },
            { requiredKeys: [] },
          ),
          fc.jsonValue({ maxDepth: 2 }),
        ),
        access_token: fc.oneof(nasty, fc.jsonValue({ maxDepth: 1 })),
      },
      { requiredKeys: ['config'] },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const frame = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        fc.constantFrom('1', '2', null),
        fc.constantFrom('1', '2', null),
        fc.oneof(fc.constantFrom('realtime:a', 'realtime:b', 'phoenix', 'realtime:'), nasty),
        fc.oneof(
          fc.constantFrom(
            'phx_join',
            'phx_join',
            'phx_leave',
            'heartbeat',
            'access_token',
            'broadcast',
            'presence',
            'postgres_changes',
            'system',
          ),
          nasty,
        ),
        payload,
      )
      .map((parts) => JSON.stringify(parts)),
  },
  { weight: 1, arbitrary: json },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
);
const conversation = fc.record({
  version: fc.constantFrom('2.0.0', '2.0.0', '1.0.0'),
  frames: fc.array(frame, { minLength: 10, maxLength: 10 }),
});

/** Sends all frames, then a heartbeat: the server answers, or has closed the connection with a reason. */
function converse({ version, frames }: { version: string; frames: (string | Buffer)[] }): Promise<void> {
  const url = new URL('/realtime/v1/websocket', backend.url.replace('http', 'ws'));
  url.search = new URLSearchParams({ apikey: backend.anonKey, vsn: version }).toString();
  const socket = new WebSocket(url);
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => reject(new Error('no sign of life')), TIMEOUT_MS);
    const done = (problem?: Error) => {
      clearTimeout(patience);
      socket.terminate();
      if (problem) reject(problem);
      else resolve();
    };
    socket.on('open', () => {
      for (const frame of frames) socket.send(frame);
      socket.send(
        version === '2.0.0'
          ? '[null,"alive","phoenix","heartbeat",{}]'
          : '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"alive","join_ref":null}',
      );
    });
    socket.on('message', (data) => {
      if (data.toString().includes('Unknown Error on Channel')) done(new Error(data.toString()));
      if (data.toString().includes('"alive"')) done();
    });
    socket.on('close', (code) =>
      done([1002, 1007, 1008, 1009].includes(code) ? undefined : new Error(`closed with ${code}`)),
    );
    socket.on('error', () => undefined);
  });
}

it('realtime bears every frame, and changes still reach those who listen', async () => {
  const client = visitor(backend);
  const subscriber = await subscribeTo(client, { table: 'places', event: 'DELETE' });
  // A conversation is ten frames.
  await each(conversation, 0.01, converse);
  await nothingLeaks(database, 60);
  const { rows } = await database.query('select count(*)::int as places from public.places');
  expect(rows[0].places).toBe(0);
  await database.query("insert into public.places values ('still', 1, 'here'); delete from public.places");
  await until(() => subscriber.changes.length === 1);
  await client.realtime.disconnect();
});
