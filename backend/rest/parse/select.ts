import { aggregatesNotAllowed, badQuery } from '../errors.ts';
import { Scanner } from './scanner.ts';

export type JsonStep = { asText: boolean } & ({ key: string } | { index: number });

/** A column, `*`, or a place inside a JSON column. */
export interface Field {
  name: string;
  path: JsonStep[];
}

export interface SelectField {
  kind: 'field';
  field: Field;
  alias: string | undefined;
  cast: string | undefined;
}

export interface SelectRelation {
  kind: 'relation';
  name: string;
  alias: string | undefined;
  hint: string | undefined;
  inner: boolean;
  spread: boolean;
  items: SelectItem[];
}

export type SelectItem = SelectField | SelectRelation;

/** The most relations that are read at once, and their depth: more cost more than any page needs. */
interface Extent {
  relations: number;
  levels: number;
}
const MAX_EXTENT: Extent = { relations: 40, levels: 7 };
const MAX_VISITOR_EXTENT: Extent = { relations: 12, levels: 4 };

/** @throws RestError PGRST100 or PGRST123 */
export function parseSelect(text: string, isVisitor: boolean): SelectItem[] {
  const reader = new Scanner(text, `failed to parse select parameter (${text})`);
  const max = isVisitor ? MAX_VISITOR_EXTENT : MAX_EXTENT;
  const budget = { max, left: max.relations };
  // PostgREST ignores a surplus parenthesis and what stands behind it.
  return parseItems(reader, 1, budget);
}

function parseItems(reader: Scanner, depth: number, budget: { max: Extent; left: number }): SelectItem[] {
  const items: SelectItem[] = [];
  reader.spaces();
  if (reader.done || reader.startsWith(')')) return items;
  do {
    reader.spaces();
    items.push(parseItem(reader, depth, budget));
    reader.spaces();
  } while (reader.accept(','));
  if (!reader.done && !reader.startsWith(')')) failBehind(items.at(-1), reader);
  return items;
}

function failBehind(item: SelectItem | undefined, reader: Scanner): never {
  const isName =
    item?.kind === 'field' &&
    item.field.name !== '*' &&
    item.field.path.length === 0 &&
    item.cast === undefined;
  reader.fail(
    `${isName ? 'letter, digit, "-", "->>", "->", "::", ".", ' : ''}")", "," or end of input`,
    `'${reader.ahead}'`,
  );
}

function parseItem(reader: Scanner, depth: number, budget: { max: Extent; left: number }): SelectItem {
  const spread = reader.accept('...');
  if (!spread && reader.accept('*')) {
    return { kind: 'field', field: { name: '*', path: [] }, alias: undefined, cast: undefined };
  }
  let alias: string | undefined;
  let name = reader.name();
  if (!spread && reader.startsWith(':') && !reader.startsWith('::')) {
    reader.accept(':');
    alias = name;
    name = reader.name();
  }
  const behindName = reader.position;
  const parameters = parseParameters(reader);
  if (spread || reader.startsWith('(')) {
    if (name === 'count' && reader.startsWith('()')) throw aggregatesNotAllowed();
    const { relations, levels } = budget.max;
    if (depth > levels || --budget.left < 0) {
      throw badQuery(
        'Too many embedded resources',
        `At most ${relations} relations and ${levels} levels of them can be read at once.`,
      );
    }
    reader.expect('(');
    const items = parseItems(reader, depth + 1, budget);
    reader.expect(')');
    return { kind: 'relation', name, alias, spread, ...parameters, items };
  }
  // A column has no parameters, so that they are what cannot be read.
  reader.position = behindName;
  const path = parsePath(reader);
  if (reader.match(/\.(?:sum|avg|max|min|count)\(\)/y)) throw aggregatesNotAllowed();
  const cast = reader.accept('::') ? parseCast(reader) : undefined;
  return { kind: 'field', field: { name, path }, alias, cast };
}

function parseParameters(reader: Scanner): { hint: string | undefined; inner: boolean } {
  let hint: string | undefined;
  let inner = false;
  while (reader.accept('!')) {
    const word = reader.name();
    if (word === 'inner') inner = true;
    else if (word !== 'left') hint ??= word;
  }
  return { hint, inner };
}

/** A type's name cannot be quoted, since PostgreSQL would no longer know `int`; so only plain words pass. */
function parseCast(reader: Scanner): string {
  const type = reader.match(/[\p{L}_][\p{L}\p{N}_ ]*(?:\[\])?/uy)?.trim();
  if (!type) reader.fail('letter or digit');
  return type;
}

/** `->a->0->>b` after a column, or nothing. */
export function parsePath(reader: Scanner): JsonStep[] {
  const path: JsonStep[] = [];
  while (reader.startsWith('->')) {
    const asText = reader.accept('->>');
    if (!asText) reader.accept('->');
    const index = reader.match(/-?\d{1,9}(?=->|::|[.,)]|$)/y);
    if (index === undefined && reader.accept('-')) reader.fail('digit');
    path.push(index === undefined ? { asText, key: reader.jsonKey() } : { asText, index: Number(index) });
  }
  return path;
}

/** `a.b.column->path` as the relations to walk and the field at the end. */
export function parseTreePath(text: string): { path: string[]; field: Field } {
  const reader = new Scanner(text, `failed to parse tree path (${text})`);
  const names = [reader.name()];
  while (reader.accept('.')) names.push(reader.name());
  const path = parsePath(reader);
  reader.end('"."');
  return { path: names.slice(0, -1), field: { name: names.at(-1) ?? '', path } };
}

/** A comma-separated list of names, as in `columns=` and `on_conflict=`. */
export function parseNames(text: string, parameter: string): string[] {
  const reader = new Scanner(text, `failed to parse ${parameter} parameter (${text})`);
  const names = [];
  do {
    reader.spaces();
    names.push(reader.name());
    reader.spaces();
  } while (reader.accept(','));
  reader.end('","');
  return [...new Set(names)];
}
