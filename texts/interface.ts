import { globSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { parseSync } from 'vite';
import { compile, type Language } from './compile.ts';
import { ENGLISH } from './language.ts';
import { childrenOf, isString, type Node } from './nodes.ts';
import type { Message, Translate } from './sentence.ts';

const root = resolve(import.meta.dirname, '..');

/** Modules whose constant lists of strings, or of objects with a `name`, are of values that are stored or compared. */
const VALUE_MODULES = [
  'account/own-profile/rules.ts',
  'community/resources/categories.ts',
  'people/collections/data.ts',
  'finding/field-pack/format.ts',
  'moderation/storage-usage/storage-figures.ts',
  'solution/build-files/kinds.ts',
  'solution/build-files/text-licences.ts',
  'solution/outcomes/measure.ts',
  'solution/solutions/value-lists.ts',
];

/** The module that says in the interface's language what the database gives in English. */
const KNOWN_TEXT_MODULE = 'ui/languages/known-text.ts';

/** Modules whose texts are read by machines, are names, or are members' content as an example. */
const WITHOUT_TEXTS = new Set([
  'finding/evidence/download.ts',
  'finding/home/samples.ts',
  'frame/page/security-headers.ts',
  'frame/layout/og-image.tsx',
  'moderation/audit-log/audit-csv.ts',
  'frame/patient-identifiers/patient-identifiers.ts',
  'site-pages/sitemap/robots.ts',
  'site-pages/static-pages/api-examples.ts',
  'site.ts',
  'solution/citing/record.ts',
  'solution/outcomes/abbreviations.ts',
  'solution/outcomes/measures.ts',
  'ui/languages/guess-language.ts',
  'ui/texts/links.ts',
]);

/** A page with legal force in the words that a lawyer has read, which it says. */
const LEGAL = /<ArticlePage\s+legal\b/;

/** The name of the catalogue with what the database gives. */
const KNOWN_CATALOGUE = 'known';

/** Whether a file under `app` has texts of the interface. */
const hasTexts = (file: string, source: string): boolean =>
  /\.tsx?$/.test(file) &&
  !WITHOUT_TEXTS.has(file) &&
  !/\.unit\.test\.|\.d\.ts$|^database\.types\.ts$/.test(file) &&
  !LEGAL.test(source);

/** The catalogue with the texts of a file under `app`: that of its noun, and so of its routes. */
function catalogueOf(file: string): string {
  const folders = file.split('/').slice(0, -1).slice(0, 2);
  return folders.length > 0 ? folders.join('/') : 'site';
}

/** The file under `app` that a path leads to, with slashes on every system; undefined outside of it. */
export function fileInApp(path: string): string | undefined {
  const folder = join(root, 'app') + sep;
  return path.startsWith(folder) ? path.slice(folder.length).split(sep).join('/') : undefined;
}

/** A value in a list: a string, or the `name` of an object. */
const valueIn = (node: Node): Node =>
  node.properties?.find(({ key }: Node) => key?.name === 'name')?.value ?? node;

/** The values in the lists of a node; of what is not constant no one compares the values. */
const valuesIn = (node: Node, isConstant: boolean): string[] =>
  isConstant && node.type === 'ArrayExpression' && node.elements.map(valueIn).every(isString)
    ? node.elements.map((element: Node) => valueIn(element).value)
    : [...childrenOf(node)].flatMap(([, child]) =>
        valuesIn(
          child,
          isConstant || (node.type === 'TSAsExpression' && node.typeAnnotation.typeName?.name === 'const'),
        ),
      );

/** The values of the lists that the code and the database know, which are the same in every language. */
export const knownValues = (): Set<string> =>
  new Set(
    VALUE_MODULES.flatMap((name) => {
      const { program } = parseSync(name, readFileSync(join(root, 'app', name), 'utf8'), { astType: 'ts' });
      return valuesIn(program as unknown as Node, false);
    }),
  );

/**
 * The sentences with which the database refuses: the names of its constraints, and what its functions raise without a
 * value in it. docs/decisions/008-rules-as-constraint-names.md
 */
function databaseRefusals(): Set<string> {
  const sentences = new Set<string>();
  for (const name of globSync('supabase/migrations/*.sql', { cwd: root }).sort()) {
    const sql = readFileSync(join(root, name), 'utf8');
    for (const [, constraint, raised] of sql.matchAll(
      /constraint "([A-Z][^"]* [^"]*)"|message = '([A-Z](?:[^'%]|'')*)'(?!\s*\|\|)/g,
    ))
      sentences.add((constraint ?? raised ?? '').replaceAll("''", "'"));
  }
  return sentences;
}

/** All messages of the interface, by their catalogues. */
export function allMessages(): Map<string, Message[]> {
  const catalogues = new Map<string, Map<string, Message>>();
  const keep = (catalogue: string, message: Message) => {
    const messages = catalogues.get(catalogue) ?? new Map<string, Message>();
    catalogues.set(catalogue, messages.set(keyOf(message), message));
    return [message.text, ...(message.plural === undefined ? [] : [message.plural])];
  };
  const values = knownValues();
  const files = globSync('**/*.{ts,tsx}', { cwd: join(root, 'app') }).map((name) =>
    name.split(sep).join('/'),
  );
  const missing = [...WITHOUT_TEXTS].filter((name) => !files.includes(name));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: named in texts/interface.ts and missing`);
  for (const file of files.sort()) {
    const source = readFileSync(join(root, 'app', file), 'utf8');
    if (!hasTexts(file, source)) continue;
    const translate: Translate = (message) => keep(catalogueOf(file), message);
    compile(source, file, { tag: ENGLISH, values, translate });
  }
  for (const text of [...values, ...databaseRefusals()]) keep(KNOWN_CATALOGUE, { text, places: [] });
  return new Map([...catalogues].map(([name, messages]) => [name, [...messages.values()]]));
}

/** What tells one message from another in a catalogue. */
export const keyOf = ({ text, plural }: Omit<Message, 'places'>): string =>
  plural === undefined ? text : `${text}\0${plural}`;

/**
 * The source of a file under `app` with its texts in another language.
 *
 * @param translator what translates the messages of a catalogue
 */
export function inLanguage(
  source: string,
  file: string,
  { tag, values, translator }: Omit<Language, 'translate'> & { translator: (catalogue: string) => Translate },
): string {
  if (!hasTexts(file, source)) return source;
  const code = compile(source, file, { tag, values, translate: translator(catalogueOf(file)) });
  if (file !== KNOWN_TEXT_MODULE) return code;
  const translate = translator(KNOWN_CATALOGUE);
  const texts = [...values, ...databaseRefusals()].map((text) => [
    text,
    translate({ text, places: [] })?.[0] ?? text,
  ]);
  return code.replace('{}', () => JSON.stringify(Object.fromEntries(texts)));
}
