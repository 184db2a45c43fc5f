import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect, it } from 'vitest';
import routes from '#app/routes.ts';
import { isPagePath } from './kept-pages.ts';

it.each([
  ['/', true],
  ['/solutions/1.data', true],
  ['/auth', true],
  // A link of an email leads through a service to a page.
  ['/auth/v1/verify', false],
  ['/storage/v1/object/public/a.webp', false],
  ['/take-with-you', true],
  ['/field-pack/field-pack-1.zip', false],
])('%s is the path of a page: %s', (path, isPage) => {
  expect(isPagePath(path)).toBe(isPage);
});

/** The files of all pages, each with that of its frame. */
const filesOf = (entries: RouteConfigEntry[], frame: string[] = []): string[][] =>
  entries.flatMap((entry) => [[entry.file, ...frame], ...filesOf(entry.children ?? [], [entry.file])]);

it.each(filesOf(routes))(
  '%s says itself that it is closed, where a member or a token is required',
  (...files) => {
    const [page, ...frame] = files.map((file) => readFileSync(join('app', file), 'utf8'));
    const isClosed = [page, ...frame].some((source) => /^export const handle\b/m.test(source ?? ''));
    if (/\b(useRequired\w+|keepReturnPath)\b|'token'/.test(page ?? '')) expect(isClosed).toBe(true);
  },
);
