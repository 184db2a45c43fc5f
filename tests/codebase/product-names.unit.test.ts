import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { PRODUCT_NAME } from '#app/site.ts';
import { readConfig } from '#backend/config.ts';

const root = resolve(import.meta.dirname, '../..');

const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs|sql|css)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') }));

/** The lines of some files on which a pattern is found. */
const found = (files: ReturnType<typeof filesOf>, pattern: RegExp) =>
  files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );

it('the product’s name is spelt out in app/site.ts, as the name of a new site and, for the mail server, in supabase/embedded.toml', () => {
  const files = [
    'app',
    'backend',
    'server',
    'scripts',
    'media',
    'supabase/functions',
    'supabase/emails',
    'supabase/migrations',
    'supabase/seed',
  ];
  expect(found(files.flatMap(filesOf), new RegExp(PRODUCT_NAME))).toEqual([
    `app/site.ts: export const PRODUCT_NAME = '${PRODUCT_NAME}';`,
    `supabase/migrations/20261101000200_members.sql: site_name text not null default '${PRODUCT_NAME}'`,
  ]);
  expect(readConfig(root, {}).mailFrom).toBe(`${PRODUCT_NAME} <no-reply@localhost>`);
});

it('the backend names no product, none of its tables and no colour', () => {
  const [, tables = ''] =
    /\n {4}Tables: \{\n(.*?)\n {4}\}\n/s.exec(readFileSync(join(root, 'app/database.types.ts'), 'utf8')) ??
    [];
  const names = [...tables.matchAll(/^ {6}(\w+): \{$/gm)].map(([, name]) => name ?? '');
  expect(names).toContain('solutions');
  // Services have messages too: of errors, of sockets, to phones. And "follows" is a verb.
  const ofProduct = names.filter((name) => name !== 'messages' && name !== 'follows');
  const backend = filesOf('backend');
  expect(found(backend, new RegExp(`\\b(${ofProduct.join('|')})\\b`))).toEqual([]);
  expect(found(backend, /limb.?commons/i)).toEqual([]);
  expect(found(backend, /[:'"] ?#([\da-f]{3}|[\da-f]{6})[;'"]/i)).toEqual([]);
});
