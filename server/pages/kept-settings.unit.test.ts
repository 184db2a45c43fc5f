import { expect, it } from 'vitest';
import { keepSettings } from './kept-settings.ts';

const SETTINGS = 'http://localhost/rest/v1/site_settings?select=site_name';

/** An API whose answers are numbered, and the ways in which it tells of changes. */
async function openApi() {
  let asked = 0;
  let status = 200;
  const tell = { database: () => {}, api: (_path: string) => {} };
  const ask = await keepSettings({
    fetch: async () => new Response(String(++asked), { status }),
    listen: async (_channel, heard) => {
      tell.database = () => heard('');
    },
    onWrite: (heard) => {
      tell.api = (path) => heard(path, undefined);
    },
  });
  return {
    tell,
    fail: (failing: boolean) => {
      status = failing ? 503 : 200;
    },
    read: async (url = SETTINGS, init?: RequestInit) => (await ask(url, init)).text(),
  };
}

it('the settings are read once, until the database or the table API tells of a change', async () => {
  const { read, tell } = await openApi();
  expect(await Promise.all([read(), read()])).toEqual(['1', '1']);
  tell.database();
  expect([await read(), await read()]).toEqual(['2', '2']);
  tell.api('/comments');
  expect(await read()).toBe('2');
  tell.api('/site_settings');
  expect(await read()).toBe('3');
});

it('what was being read when they changed is given to no one later', async () => {
  const { read, tell } = await openApi();
  const early = read();
  tell.database();
  expect([await early, await read(), await read()]).toEqual(['1', '2', '2']);
});

it('an error is not kept, and nothing else is', async () => {
  const { read, fail } = await openApi();
  fail(true);
  expect([await read(), await read()]).toEqual(['1', '2']);
  fail(false);
  expect([await read(), await read()]).toEqual(['3', '3']);
  const other = 'http://localhost/rest/v1/comments?select=id';
  expect([await read(other), await read(other), await read(SETTINGS, { method: 'PATCH' })]).toEqual([
    '4',
    '5',
    '6',
  ]);
});
