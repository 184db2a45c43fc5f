import { regularExpressionProblem } from '../../database/regular-expression.ts';
import { badQuery } from '../errors.ts';
import { Scanner } from './scanner.ts';
import { type Field, parsePath, parseTreePath } from './select.ts';

export type FilterOperation =
  | { kind: 'compare'; operator: string; value: string; quantifier: 'ANY' | 'ALL' | undefined }
  | { kind: 'is'; value: string }
  | { kind: 'in'; values: string[] }
  | { kind: 'search'; function: string; language: string | undefined; value: string };

export type Condition =
  | { kind: 'filter'; field: Field; negated: boolean; operation: FilterOperation }
  | { kind: 'and' | 'or'; negated: boolean; terms: Condition[] };

/** A condition, order or range and the embedded relation it is about; an empty path is the root. */
export interface Located<T> {
  path: string[];
  value: T;
}

/** The operators that also come as `eq(any).{1,2}`. */
const QUANTIFIABLE: Record<string, string> = {
  eq: '=',
  gte: '>=',
  gt: '>',
  lte: '<=',
  lt: '<',
  like: 'LIKE',
  ilike: 'ILIKE',
  match: '~',
  imatch: '~*',
};
const OPERATORS: Record<string, string> = {
  ...QUANTIFIABLE,
  neq: '<>',
  isdistinct: 'IS DISTINCT FROM',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
};
const SEARCHES: Record<string, string> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
};
const IS_VALUES: Record<string, string> = {
  null: 'NULL',
  not_null: 'NOT NULL',
  true: 'TRUE',
  false: 'FALSE',
  unknown: 'UNKNOWN',
};

/**
 * Whether a parameter's value looks like a filter, which distinguishes filters from arguments in `GET
 * /rpc/f`.
 */
export function looksLikeFilter(value: string): boolean {
  const word = /^(?:not\.)?([a-z]+)(?:\([^)]*\))?\./.exec(value)?.[1];
  return (
    word !== undefined &&
    (word === 'is' || word === 'in' || Object.hasOwn(OPERATORS, word) || Object.hasOwn(SEARCHES, word))
  );
}

/** @throws RestError PGRST100 */
export function parseFilter(key: string, text: string): Located<Condition> {
  const { path, field } = parseTreePath(key);
  const reader = new Scanner(text, `failed to parse filter (${text})`);
  const negated = reader.accept('not.');
  // PostgREST ignores what stands behind a list.
  const operation = parseOperation(reader, () => reader.remaining());
  return { path, value: { kind: 'filter', field, negated, operation } };
}

/**
 * `or=(…)`, `rel.not.and=(…)` and similar trees.
 *
 * @throws RestError PGRST100
 */
export function parseLogic(key: string, text: string): Located<Condition> {
  const words = key.split('.');
  const operator = words.pop() ?? '';
  const negated = words.includes('not');
  const reader = new Scanner(`${operator}${text}`, `failed to parse logic tree (${text})`);
  // PostgREST ignores what stands behind a tree, for example a surplus parenthesis.
  const tree = parseTree(reader, 0);
  const path = words.filter((word) => word !== 'not').join('.');
  return {
    path: path === '' ? [] : [...parseTreePath(`${path}._`).path],
    value: negated && tree.kind !== 'filter' ? { ...tree, negated: !tree.negated } : tree,
  };
}

function parseTree(reader: Scanner, depth: number): Condition {
  if (depth > 20) reader.fail('fewer levels of nesting');
  reader.spaces();
  const start = reader.position;
  const negated = reader.accept('not.');
  const operator = reader.match(/(?:and|or)(?=[ \t]*\()/y);
  if (operator === 'and' || operator === 'or') {
    reader.spaces();
    reader.expect('(');
    const terms = [];
    do {
      terms.push(parseTree(reader, depth + 1));
      reader.spaces();
    } while (reader.accept(','));
    reader.expect(')');
    reader.spaces();
    return { kind: operator, negated, terms };
  }
  reader.position = start;
  if (!reader.startsName())
    reader.fail('field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)');
  return parseTerm(reader);
}

function parseTerm(reader: Scanner): Condition {
  const field = { name: reader.name(), path: parsePath(reader) };
  reader.expect('.');
  const negated = reader.accept('not.');
  return { kind: 'filter', field, negated, operation: parseOperation(reader, () => parseInnerValue(reader)) };
}

function parseOperation(reader: Scanner, value: () => string): FilterOperation {
  const start = reader.position;
  const word = reader.match(/[a-z]+/y) ?? '';
  if (word === 'is' && reader.accept('.')) {
    const value = reader.match(/(?:null|not_null|true|false|unknown)(?![A-Za-z_])/iy)?.toLowerCase() ?? '';
    return Object.hasOwn(IS_VALUES, value)
      ? { kind: 'is', value: IS_VALUES[value] ?? '' }
      : reader.fail('isVal: (null, not_null, true, false, unknown)');
  }
  if (word === 'in' && reader.accept('.')) return { kind: 'in', values: parseList(reader) };

  const search = Object.hasOwn(SEARCHES, word) ? SEARCHES[word] : undefined;
  if (search) {
    const language = reader.match(/\([\p{L}\p{N}_]+\)/uy)?.slice(1, -1);
    if (reader.accept('.')) return { kind: 'search', function: search, language, value: value() };
  }
  const operator = Object.hasOwn(OPERATORS, word) ? OPERATORS[word] : undefined;
  if (operator) {
    const quantifier = Object.hasOwn(QUANTIFIABLE, word) ? reader.match(/\((?:any|all)\)/y) : undefined;
    if (reader.accept('.')) {
      const operand = value();
      const problem = word.endsWith('match') ? regularExpressionProblem(operand) : undefined;
      if (problem) throw badQuery(problem);
      return {
        kind: 'compare',
        operator,
        quantifier: quantifier === '(any)' ? 'ANY' : quantifier ? 'ALL' : undefined,
        value: operand,
      };
    }
  }
  reader.position = start;
  return reader.fail('"not" or operator (eq, gt, ...)');
}

function parseList(reader: Scanner): string[] {
  reader.spaces();
  reader.expect('(');
  reader.spaces();
  const values = [];
  do values.push(parseElement(reader));
  while (reader.accept(','));
  reader.expect(')');
  reader.spaces();
  return values.length === 1 && values[0] === '' ? [] : values;
}

function parseElement(reader: Scanner): string {
  const start = reader.position;
  const text = reader.tryQuoted();
  if (text !== undefined && (reader.startsWith(',') || reader.startsWith(')'))) return text;
  // Quotes without an end, or with more text behind them, are part of the value.
  reader.position = start;
  return reader.match(/[^,)]*/y) ?? '';
}

/** Inside a tree, `,` and `)` end a value unless it is quoted or an array literal. */
function parseInnerValue(reader: Scanner): string {
  return reader.match(/\{[^{}]*\}(?=[,)])/y) ?? parseElement(reader);
}
