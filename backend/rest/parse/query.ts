import { badQuery, rangeNotSatisfiable } from '../errors.ts';
import { type Condition, type Located, looksLikeFilter, parseFilter, parseLogic } from './filter.ts';
import { Scanner } from './scanner.ts';
import { type Field, parseNames, parsePath, parseSelect, parseTreePath, type SelectItem } from './select.ts';

export interface OrderTerm {
  /** Set when the rows are ordered by a column of a to-one embed. */
  relation: string | undefined;
  field: Field;
  direction: 'ASC' | 'DESC' | undefined;
  nulls: 'NULLS FIRST' | 'NULLS LAST' | undefined;
}

export interface Query {
  select: SelectItem[];
  conditions: Located<Condition>[];
  orders: Located<OrderTerm[]>[];
  limits: Located<number>[];
  offsets: Located<number>[];
  columns: string[] | undefined;
  onConflict: string[] | undefined;
  /** The remaining parameters, a function's arguments. */
  parameters: [string, string][];
}

const MAX_TERMS = 200;

/**
 * Reads the whole query string.
 *
 * @param call whether a function is called, so that plain `name=value` pairs are its arguments
 * @param isVisitor a caller without an account has lower limits per request
 * @throws RestError PGRST100, PGRST103 or PGRST123
 */
export function parseQuery(search: URLSearchParams, call: boolean, isVisitor: boolean): Query {
  const query: Query = {
    select: parseSelect(search.get('select') ?? '*', isVisitor),
    conditions: [],
    orders: [],
    limits: [],
    offsets: [],
    columns: optional(search.get('columns'), (text) => parseNames(text, 'columns')),
    onConflict: optional(search.get('on_conflict'), (text) => parseNames(text, 'on_conflict')),
    parameters: [],
  };
  if (query.select.length === 0) query.select = parseSelect('*', isVisitor);
  for (const [key, value] of search) {
    const last = key.slice(key.lastIndexOf('.') + 1);
    if (['select', 'columns', 'on_conflict'].includes(key)) continue;
    if (last === 'and' || last === 'or') query.conditions.push(parseLogic(key, value));
    else if (last === 'order') query.orders.push({ path: pathOf(key), value: parseOrder(value) });
    else if (last === 'limit') query.limits.push(...parseCount(key, value));
    else if (last === 'offset') query.offsets.push(...parseCount(key, value));
    else if (call && !key.includes('.') && !looksLikeFilter(value)) query.parameters.push([key, value]);
    else query.conditions.push(parseFilter(key, value));
  }
  const terms = query.conditions.reduce((sum, condition) => sum + countTerms(condition.value), 0);
  if (terms > MAX_TERMS)
    throw badQuery('Too many filters', `At most ${MAX_TERMS} conditions can be given at once.`);
  return query;
}

function countTerms(condition: Condition): number {
  return condition.kind === 'filter' ? 1 : condition.terms.reduce((sum, term) => sum + countTerms(term), 0);
}

const optional = <T>(text: string | null, parse: (text: string) => T) =>
  text === null ? undefined : parse(text);
const pathOf = (key: string) => parseTreePath(key).path;

function parseCount(key: string, text: string): Located<number>[] {
  if (!/^-?\d{1,15}$/.test(text)) return [];
  const value = Number(text);
  if (value < 0) {
    // As in PostgREST, a negative offset is none.
    if (key.endsWith('offset')) return [];
    throw rangeNotSatisfiable('Limit should be greater than or equal to zero.');
  }
  return [{ path: pathOf(key), value }];
}

function parseOrder(text: string): OrderTerm[] {
  const reader = new Scanner(text, `failed to parse order (${text})`);
  const terms: OrderTerm[] = [];
  do {
    reader.spaces();
    terms.push(parseOrderTerm(reader));
    reader.spaces();
  } while (reader.accept(','));
  reader.end('","');
  return terms;
}

function parseOrderTerm(reader: Scanner): OrderTerm {
  const name = reader.name();
  let relation: string | undefined;
  let field: Field;
  if (reader.accept('(')) {
    relation = name;
    field = { name: reader.name(), path: parsePath(reader) };
    reader.expect(')');
  } else {
    field = { name, path: parsePath(reader) };
  }
  const direction = reader.match(/\.(?:asc|desc)/y);
  const nulls = reader.match(/\.nulls(?:first|last)/y);
  if (!/^(?:[, ]|$)/.test(reader.ahead)) failAtOrder(reader, direction, nulls);
  return {
    relation,
    field,
    direction: direction === '.asc' ? 'ASC' : direction ? 'DESC' : undefined,
    nulls: nulls === '.nullsfirst' ? 'NULLS FIRST' : nulls ? 'NULLS LAST' : undefined,
  };
}

function failAtOrder(reader: Scanner, direction: string | undefined, nulls: string | undefined): never {
  const end = '"," or end of input';
  if (nulls !== undefined) reader.fail(end, `'${reader.ahead}'`);
  if (reader.accept('.'))
    reader.failAtWord([...(direction === undefined ? ['asc', 'desc'] : []), 'nullsfirst', 'nullslast']);
  const before = direction === undefined ? 'letter, digit, "-", "->>", "->", ' : '';
  reader.fail(`${before}delimiter (.), ${end}`, `'${reader.ahead}'`);
}
