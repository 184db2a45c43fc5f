/** One condition on a column of a changed row. */
export interface Condition {
  column: string;
  operator: Operator;
  /** The value as PostgreSQL reads it; for `in` an array literal. */
  value: string;
  negate: boolean;
}

const OPERATORS = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  in: '= any',
  like: '~~',
  ilike: '~~*',
  is: 'is',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
} as const;

type Operator = keyof typeof OPERATORS;

export class MalformedFilter extends Error {}

/**
 * Reads `column=operator.value` conditions joined by commas, all of which must hold.
 *
 * @throws MalformedFilter in the official service's words
 */
export function parseFilter(filter: string): Condition[] {
  return filter.trim() === '' ? [] : segments(filter).map(parseCondition);
}

/**
 * The condition as SQL over a row named `r`.
 *
 * @param value SQL that yields the condition's value as text
 */
export function conditionSql(condition: Condition, column: string, type: string, value: string): string {
  const { operator } = condition;
  if (operator === 'is') return `${column} is ${condition.negate ? 'not ' : ''}${condition.value}`;
  const right = operator === 'in' ? `(${value}::${type}[])` : `(${value})::${type}`;
  const sql = `${column} ${OPERATORS[operator]} ${right}`;
  return condition.negate ? `not (${sql})` : sql;
}

/** Splits at commas that are neither in quotes nor in parentheses. */
function segments(filter: string): string[] {
  const found: string[] = [];
  let [start, depth, quoted] = [0, 0, false];
  for (let at = 0; at < filter.length; at++) {
    const character = filter[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (character === ',' && depth === 0) {
      found.push(filter.slice(start, at));
      start = at + 1;
    }
  }
  found.push(filter.slice(start));
  return found.map((segment) => segment.trim());
}

function parseCondition(segment: string): Condition {
  if (segment === '')
    throw new MalformedFilter('filter must not contain empty segments (check for extra commas)');
  const equals = segment.indexOf('=');
  if (equals < 1) throw new MalformedFilter(list([segment]));
  const column = segment.slice(0, equals);
  const negate = segment.startsWith('not.', equals + 1);
  const rest = segment.slice(equals + 1 + (negate ? 4 : 0));
  const dot = rest.indexOf('.');
  const name = dot < 0 ? rest : rest.slice(0, dot);
  const operator = Object.keys(OPERATORS).find((candidate): candidate is Operator => candidate === name);
  if (!operator || dot < 0) throw new MalformedFilter(list(dot < 0 ? [rest] : [name, rest.slice(dot + 1)]));
  const value = rest.slice(dot + 1);
  if (operator === 'in') {
    if (!/^\(.*\)$/s.test(value))
      throw new MalformedFilter('`in` filter value must be wrapped by parentheses');
    return { column, operator, value: `{${value.slice(1, -1)}}`, negate };
  }
  if (operator === 'is' && !['null', 'true', 'false', 'unknown'].includes(value))
    throw new MalformedFilter('invalid value for is filter: must be null, true, false, or unknown');
  return { column, operator, value: unquoted(value), negate };
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  if (value.length < 2 || !value.endsWith('"'))
    throw new MalformedFilter('unmatched double-quote in filter value');
  return value.slice(1, -1).replace(/\\(["\\])/g, '$1');
}

const list = (parts: string[]) => `[${parts.map((part) => JSON.stringify(part)).join(', ')}]`;
