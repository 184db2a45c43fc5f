import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Words that plain UK English does not use, each with the one to write instead. */
const PLAIN_WORDS: [RegExp, string][] = [
  [/\b(some|any|every|no)body\b/i, 'someone, anyone, everyone, no one'],
  [/\b(who|what|which)(so)?ever\b/i, 'anyone who, anything that, any'],
  [/\bwhom\b/i, 'who'],
  [/\bmeanwhile\b/i, 'for now, since then'],
  [/\b(mend|mends|mended|mending)\b/i, 'fix'],
  [/\bat once\b/i, 'immediately, straight away'],
  [/\banew\b/i, 'again'],
  [/\bin any case\b/i, 'anyway'],
  [/\ball the same\b/i, 'still'],
  [/\bfor instance\b/i, 'for example'],
  [/\btake (it|them|this) out\b/i, 'remove'],
  [/\bis to be had\b|\bhold off\b|\bby which\b|\bbeforehand told\b/i, 'a plain verb'],
  [/\b(is|are|was|were) told\b/i, 'is notified, gets a message'],
  [/\bgone over\b|\bgone through\b/i, 'review'],
];

/** Of these, the ones that documentation, comments and test titles avoid too. */
const PLAIN_WRITING: [RegExp, string][] = [
  [/\b(some|any|every|no)body\b/i, 'someone, anyone, everyone, no one'],
  [/\bmeanwhile\b/i, 'in the meantime, since then'],
  [/\banew\b/i, 'again'],
  [/\b(in any case|all the same)\b/i, 'anyway, still'],
  [/\bfor instance\b/i, 'for example'],
  [/\be[-‑]mails?\b/i, 'email'],
  // A comment that says what something is.
  [/^\*\s+(Of|How) /, 'a sentence that begins with its subject'],
  [/\b(TODO|FIXME|XXX)\b/, 'what is to be done is done, or an issue'],
];

/** Every term has one spelling; what is left is the spelling to use. */
const TERMS: [RegExp, string][] = [
  [/\be[-‑ ]mails?\b/i, 'email'],
  [/(?<!\/)\bmails?\b/i, 'email'],
  [/(?<![-\w])pictures?(?![-\w]| absolute)/i, 'image'],
  [/\b(films?|clips?|movies?)\b/i, 'video'],
  [/\btakedowns?\b/i, 'removal request'],
  [/\blog(ged)? ?in\b/i, 'sign in'],
  [/\buser ?name or password\b/i, 'email or password'],
  [/\b(anonymize|recognize)/i, 'British spelling'],
];

/** A glyph that the site's font lacks, which a browser would take from another one. */
const MISSING_GLYPH = /[\u2011←-⇿■-⟿]/;

/** A node of a parsed file; its fields depend on its type. */
// biome-ignore lint/suspicious/noExplicitAny: the tree is walked by the names of its fields
type Node = any;

/** Attributes whose value is not read by a person. */
const UNREAD = new Set([
  'className',
  'class',
  'id',
  'name',
  'type',
  'to',
  'href',
  'src',
  'key',
  'rel',
  'icon',
  'media',
  'allow',
]);

/** Text a person may read: it has a space between words, or stands between tags. */
function textsOf(path: string): { text: string; line: number }[] {
  const source = readFileSync(resolve(root, path), 'utf8');
  const found: { text: string; line: number }[] = [];
  const add = (text: string, start: number) =>
    found.push({ text, line: source.slice(0, start).split('\n').length });
  const visit = (node: Node): void => {
    if (node.type === 'ImportDeclaration' || node.type === 'TSLiteralType') return;
    if (node.type === 'JSXAttribute' && UNREAD.has(node.name.name)) return;
    if (node.type === 'CallExpression' && /^(console|log)$/.test(node.callee.object?.name ?? '')) return;
    if (node.type === 'JSXText') add(node.value, node.start);
    if (node.type === 'Literal' && typeof node.value === 'string' && /\S\s+\S|^[A-Z]/.test(node.value))
      add(node.value, node.start);
    if (node.type === 'TemplateElement' && /\s/.test(node.value.cooked ?? ''))
      add(node.value.cooked, node.start);
    for (const value of Object.values(node).flat() as Node[])
      if (typeof value?.type === 'string') visit(value);
  };
  visit(parseSync(path, source).program);
  return found;
}

/** The sentences in SQL that a member may read: those of raised errors, and constraint names of several words. */
function sqlTextsOf(path: string): { text: string; line: number }[] {
  const source = readFileSync(resolve(root, path), 'utf8');
  return [...source.matchAll(/message = '([^']+)'|constraint "([^"]+ [^"]+)"|reason := '([^']+)'/g)].map(
    (match) => ({
      text: match[1] ?? match[2] ?? match[3] ?? '',
      line: source.slice(0, match.index).split('\n').length,
    }),
  );
}

/** The comments of a source file, and the titles of its tests. */
function writingOf(path: string): { text: string; line: number }[] {
  const source = readFileSync(resolve(root, path), 'utf8');
  const found = path.endsWith('.sql')
    ? [...source.matchAll(/--.*|\/\*[\s\S]*?\*\//g)].map((match) => ({ text: match[0], start: match.index }))
    : parseSync(path, source).comments.map(({ value, start }) => ({ text: value, start }));
  const titles = /\.test\.tsx?$/.test(path)
    ? source.matchAll(/^\s*(?:it|test|describe)(?:\.\w+\(.*?\))?\((['`])(.*?)\1/gm)
    : [];
  for (const match of titles) found.push({ text: match[2] ?? '', start: match.index });
  return found.map(({ text, start }) => ({
    text: withoutCode(text),
    line: source.slice(0, start).split('\n').length,
  }));
}

/** Text without what it quotes from code. */
const withoutCode = (text: string) => text.replace(/```[\s\S]*?```|`[^`]*`/g, '');

const find = (pattern: string, without = /\.test\.|database\.types|\.d\.ts/) =>
  globSync(pattern, { cwd: root }).filter((path) => !without.test(path));

const screens = [
  ...find('app/**/*.{ts,tsx}').flatMap((path) => textsOf(path).map((found) => ({ path, ...found }))),
  ...find('supabase/{emails,functions}/**/*.{ts,tsx}').flatMap((path) =>
    textsOf(path).map((found) => ({ path, ...found })),
  ),
  ...find('supabase/migrations/*.sql').flatMap((path) =>
    sqlTextsOf(path).map((found) => ({ path, ...found })),
  ),
];

const writing = [
  ...['*.md', 'docs/**/*.md', 'bench/*.md']
    .flatMap((pattern) => find(pattern))
    .flatMap((path) =>
      readFileSync(resolve(root, path), 'utf8')
        .split('\n')
        .map((text, index) => ({ path, text: withoutCode(text), line: index + 1 })),
    ),
  ...find(
    '{app,backend,server,media,supabase,texts,scripts,bench,tests}/**/*.{ts,tsx,mjs,sql}',
    /\.d\.ts|database\.types|words\.unit/,
  ).flatMap((path) => writingOf(path).map((found) => ({ path, ...found }))),
];

/** Exact texts of the specification, which stay as they are. */
const SPECIFIED = ['Please log in to submit a solution'];

function offences(rules: [RegExp, string][], texts = screens): string[] {
  return texts.flatMap(({ path, text, line }) =>
    SPECIFIED.includes(text.trim())
      ? []
      : rules.flatMap(([word, better]) => {
          const hit = word.exec(text);
          return hit ? [`${path}:${line} "${hit[0]}" (${better}): ${text.trim().slice(0, 90)}`] : [];
        }),
  );
}

it('finds the sentences of screens, emails and refusals', () => {
  expect(screens.length).toBeGreaterThan(1500);
});

it('every sentence uses plain words', () => {
  expect(offences(PLAIN_WORDS)).toEqual([]);
});

it('documentation, comments and test titles use plain words', () => {
  expect(writing.length).toBeGreaterThan(5000);
  expect(offences(PLAIN_WRITING, writing)).toEqual([]);
});

it('every term has one spelling', () => {
  expect(offences(TERMS)).toEqual([]);
});

it('no sentence has a glyph that the font lacks', () => {
  expect(offences([[MISSING_GLYPH, 'an icon, or a plain hyphen']])).toEqual([]);
});
