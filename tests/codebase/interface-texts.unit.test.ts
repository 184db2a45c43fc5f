// @module-tag whole

import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { translatorOf } from '../../texts/catalogues.ts';
import { allMessages, inLanguage, knownValues } from '../../texts/interface.ts';
import { PSEUDO_LANGUAGE } from '../../texts/language.ts';
import { copySources } from '../operation/site.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'limb-commons-texts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const catalogues = allMessages();
const messages = [...catalogues.values()].flat();

/** The strings that a rule of the database compares with, or that one of its lists holds. */
function valuesOfDatabase(): Set<string> {
  const sql = globSync('supabase/migrations/*.sql', { cwd: root }).map((name) =>
    readFileSync(join(root, name), 'utf8'),
  );
  const lists = sql.join('\n').matchAll(/(?:\bin \(|\barray\[)((?:'(?:[^']|'')*'(?:, *|\n *)?)+)[)\]]/g);
  return new Set(
    [...lists].flatMap(([, list = '']) =>
      [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = '']) => text),
    ),
  );
}

it('finds the texts of the interface', () => {
  expect(messages.length).toBeGreaterThan(3000);
  expect(messages).toContainEqual({ text: '1 hour', plural: '{0} hours', places: ['whole'] });
});

it('takes no class, address or name of a column for a text', () => {
  const isCode = /[a-z]-\[|\/rest\/|^\w+\.\w|\}\/\w|^\S+(_|:\/\/)\S+$|^[a-z]+(-[a-z]+)+ /;
  expect(messages.map(({ text }) => text).filter((text) => isCode.test(text))).toEqual([]);
});

it('no value of the database is written in another language', () => {
  const values = valuesOfDatabase();
  expect(values.size).toBeGreaterThan(200);
  const translated = [...catalogues].filter(([name]) => name !== 'known').flatMap(([, all]) => all);
  // A single word in small letters is translated only where it is read, as between tags.
  const written = translated
    .map(({ text }) => text)
    .filter((text) => values.has(text) && /^[^a-z]| /.test(text));
  // The heading over the reports has the words of a filter.
  expect([...new Set(written)]).toEqual(['Tried by others']);
});

it('the sources fit together in another language: what one part compares is what another part gives', () => {
  const [values, translator] = [knownValues(), translatorOf(PSEUDO_LANGUAGE)];
  copySources(folder);
  for (const file of globSync('**/*.{ts,tsx}', { cwd: join(folder, 'app') })) {
    const path = join(folder, 'app', file);
    const said = inLanguage(readFileSync(path, 'utf8'), file, { tag: PSEUDO_LANGUAGE, values, translator });
    writeFileSync(path, said);
  }
  const run = (program: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).stdout;
  run('@react-router/dev/bin.cjs', 'typegen');
  writeFileSync(
    join(folder, 'tsconfig.app.json'),
    JSON.stringify({
      extends: './tsconfig.json',
      include: ['app', '.react-router/types'],
      exclude: ['app/**/*.unit.test.*'],
    }),
  );
  // Each of several checkers would work out the types of the client library's queries again.
  const alone = ['--checkers', '1'];
  expect(run('typescript/bin/tsc', '--noEmit', '--project', 'tsconfig.app.json', ...alone)).toBe('');
});
