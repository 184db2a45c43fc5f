import { expect, it } from 'vitest';
import { createPageKeys, kindFor, requestFor } from './page-keys.ts';

/** Pages at /browse and at /forum and a number. */
function openKeys() {
  const { keyOf, learn } = createPageKeys(({ pathname }) => /^\/(?:browse|forum\/)/.exec(pathname)?.[0]);
  const at = (address: string) => new URL(address, 'https://limbs.example.org');
  return {
    keyOf: (address: string) => keyOf(at(address)),
    learn: (address: string, ...names: string[]) => learn(at(address), names),
  };
}

it('a parameter that no page of the kind looks for makes no new page, whatever its name and value', () => {
  const { keyOf, learn } = openKeys();
  learn('/browse', 'q');
  for (const query of ['', '?', '?x=1', '?x=2&y', '?=&&a=b', '?Q=1', '??q=1', '?%3Fq=1'])
    expect(keyOf(`/browse${query}`)).toBe('/browse');
});

it('a parameter that the page looks for makes one, with all its values as they came and without the others', () => {
  const { keyOf, learn } = openKeys();
  learn('/browse', 'q', 'filter', 'é', '');
  for (const [query, kept] of [
    ['?x=1&q=a%20b&y=2&q=c+d', '?q=a%20b&q=c+d'],
    ['?q=c+d&x&q=a%20b', '?q=c+d&q=a%20b'],
    ['?%71=1&x=1', '?%71=1'],
    ['?filter=a&q&filter=a', '?filter=a&q&filter=a'],
    ['?%C3%A9=1&x=é', '?%C3%A9=1'],
    ['?=1&x=2', '?=1'],
  ])
    expect(keyOf(`/browse${query}`)).toBe(`/browse${kept}`);
});

it('no page is made for a parameter behind the first two hundred', () => {
  const { keyOf, learn } = openKeys();
  learn('/browse', 'q');
  expect(keyOf(`/browse?${'x&'.repeat(199)}q=1&q=2`)).toBe('/browse?q=1');
});

it('a parameter counts from when a page first looks for it, on all pages of the kind and on no other', () => {
  const { keyOf, learn } = openKeys();
  expect(keyOf('/forum/1?post=1')).toBe('/forum/1');
  learn('/forum/1', 'post');
  expect(keyOf('/forum/1?post=1')).toBe('/forum/1?post=1');
  expect(keyOf('/forum/2?x=1&post=1')).toBe('/forum/2?post=1');
  expect(keyOf('/browse?post=1')).toBe('/browse');
  expect(keyOf('/forum/2.data?post=1')).toBe('/forum/2.data');
});

it('all addresses without a page are one, whatever was looked for there', () => {
  const { keyOf, learn } = openKeys();
  learn('/-', 'q');
  expect(keyOf('/nowhere?q=1')).toBe('/-');
  expect(keyOf('/nowhere/else.data?q=1')).toBe('/-.data');
});

it('a client that saves data, or whose connection is very slow, has pages of its own, and no other client', () => {
  const requestsOf = (hints: [unknown, unknown][]) =>
    hints.map(([saveData, connection]) =>
      requestFor(`${kindFor(saveData, connection)}/browse?q=a`, 'https://a.example'),
    );
  const sparing = requestsOf([
    ['on', undefined],
    [null, '2g'],
    ['off', 'slow-2g'],
  ]);
  expect(sparing.map(({ url, headers }) => [url, headers.get('save-data')])).toEqual(
    Array(3).fill(['https://a.example/browse?q=a', 'on']),
  );
  const others = requestsOf([
    [undefined, undefined],
    ['off', '3g'],
    [null, '4g'],
  ]);
  expect(others.map(({ headers }) => headers.get('save-data'))).toEqual([null, null, null]);
});
