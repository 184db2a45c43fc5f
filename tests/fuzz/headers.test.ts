// @module-tag whole

import { globSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADA, openStorage, type StorageFixture } from '../conformance/storage/fixtures.ts';

/** What a request may cost in processor time; the pathological take seconds. */
const MOST_MS = 150;
/** Just below what Node.js takes of all headers together. */
const LENGTH = 15_000;

/** Every header that the services and the site read by name. */
const names = [
  ...new Set(
    globSync('{backend,server,media}/**/*.ts')
      .map((path) => readFileSync(path, 'utf8'))
      .flatMap((text) => [
        ...text.matchAll(/(?:headers\.get|header)\('([a-z][a-z-]*)'\)|headers\['([a-z-]+)'\]/g),
      ])
      .map(([, called = '', indexed = '']) => called || indexed),
  ),
  'cookie',
  'x-forwarded-proto',
].filter((name) => !['content-length', 'host', 'connection', 'transfer-encoding'].includes(name));

const UNITS = [
  ' ',
  '\t',
  ',',
  ', ',
  ' ,',
  ';',
  '; ',
  '"',
  '" ',
  'a',
  'a ',
  'a,',
  'a;',
  '=',
  'a=',
  '.',
  '1',
  '1-',
  '%',
  'W/"',
];
const values = UNITS.map((unit): [string, string] => [
  unit,
  `"a"${unit.repeat(Math.floor(LENGTH / unit.length))}"b"`,
]);

let shelf: StorageFixture;

beforeAll(async () => {
  shelf = await openStorage();
  await shelf.service.storage.from('open').upload(`${ADA}/a.txt`, 'hello', { contentType: 'text/plain' });
});
afterAll(() => shelf.stop());

/** The processor time of an answer; the services run in this process. */
function costOf(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const before = process.cpuUsage();
  return new Promise((resolve, reject) => {
    const sent = request(shelf.backend.url + path, { method, headers, agent: false }, (answer) => {
      answer.resume().once('end', () => {
        const { user, system } = process.cpuUsage(before);
        resolve((user + system) / 1000);
      });
    });
    sent.once('error', reject).end(method === 'POST' ? '{}' : undefined);
  });
}

it.each([
  ['GET', `/storage/v1/object/public/open/${ADA}/a.txt`],
  ['GET', '/rest/v1/solutions?select=id'],
  ['POST', '/rest/v1/solutions'],
  ['GET', '/auth/v1/user'],
  ['POST', '/functions/v1/process-media'],
  ['POST', '/storage/v1/upload/resumable'],
])('%s %s costs as little whatever a header holds', async (method, path) => {
  expect(names.length).toBeGreaterThan(20);
  const slow: string[] = [];
  for (const name of names)
    for (const [unit, value] of values) {
      const cost = () => costOf(method, path, { [name]: value });
      if ((await cost()) > MOST_MS && (await cost()) > MOST_MS && (await cost()) > MOST_MS)
        slow.push(`${name}: ${JSON.stringify(unit)}`);
    }
  expect(slow).toEqual([]);
});
