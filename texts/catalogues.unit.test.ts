import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** A folder with this one in it and what it reads beside it, so that catalogues are written elsewhere than in the project. */
const folder = mkdtempSync(join(tmpdir(), 'limb-commons-catalogues-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
cpSync(import.meta.dirname, join(folder, 'texts'), { recursive: true });
for (const name of ['app', 'server', 'supabase', 'node_modules', 'package.json'])
  symlinkSync(join(root, name), join(folder, name));

const { translatorOf, writeCatalogues }: typeof import('./catalogues.ts') = await import(
  join(folder, 'texts/catalogues.ts')
);
const { inLanguage, knownValues }: typeof import('./interface.ts') = await import(
  join(folder, 'texts/interface.ts')
);
const { languageRefusal }: typeof import('./language.ts') = await import(join(folder, 'texts/language.ts'));

const catalogue = (name: string) => join(folder, 'texts/catalogues/ar', `${name}.po`);

/** Translates a message as its translator does: in the lines below it. */
function translate(name: string, english: string, ...arabic: string[]) {
  const text = readFileSync(catalogue(name), 'utf8');
  const at = text.indexOf(`msgid "${english}"\n`);
  expect(at, english).toBeGreaterThan(0);
  const end = text.indexOf('\n\n', at);
  let form = 0;
  const written = text.slice(at, end).replaceAll('""', () => `"${arabic[form++] ?? ''}"`);
  writeFileSync(catalogue(name), text.slice(0, at) + written + text.slice(end));
}

/** The source of a file of the site in Arabic. */
const inArabic = (file: string) =>
  inLanguage(readFileSync(join(folder, 'app', file), 'utf8'), file, {
    tag: 'ar',
    values: knownValues(),
    translator: translatorOf('ar'),
  });

/** "1 hour" and "{0} hours" in the six forms of Arabic. */
const HOURS = ['صفر', 'ساعة', 'ساعتان', '{0} ساعات', '{0} ساعةً', '{0} ساعة'];

it('catalogues are written for translators, and again with what they have translated', () => {
  expect(languageRefusal('ar')).toContain('there are en-GB');
  const { messages, missing } = writeCatalogues('ar');
  expect(missing).toBe(messages);
  expect(languageRefusal('ar')).toBeUndefined();
  translate('finding/browse', '{0} solutions found', 'وُجد {0} من الحلول');
  translate('known', 'Myoelectric', 'كهربائي عضلي');
  translate('ui/texts', '1 hour', ...HOURS);
  expect(writeCatalogues('ar')).toEqual({ messages, missing: messages - 3 });
  expect(readFileSync(catalogue('finding/browse'), 'utf8')).toContain('msgstr "وُجد {0} من الحلول"');
});

it('a page says what is translated, and the rest in English', () => {
  const page = inArabic('finding/browse/solution-list.tsx');
  expect(page).toMatch(/`وُجد \$\{.+\} من الحلول`/);
  expect(page).toContain("'Failed to load solutions'");
});

it('a value is said in the language', () => {
  const known = inArabic('ui/languages/known-text.ts');
  expect(known).toContain('"Myoelectric":"كهربائي عضلي"');
  expect(known).toContain('"Body-Powered":"Body-Powered"');
});

it('a text with a number is said in each form of the language', () => {
  const hours = { text: '1 hour', plural: '{0} hours', places: [] };
  expect(translatorOf('ar')('ui/texts')(hours)).toEqual(HOURS);
  const text = readFileSync(catalogue('ui/texts'), 'utf8');
  writeFileSync(catalogue('ui/texts'), text.replace('"ساعتان"', '""'));
  expect(translatorOf('ar')('ui/texts')(hours), 'without one of its forms').toBeUndefined();
});
