import { createHash } from 'node:crypto';
import { cutText } from '../../texts/cut-text.ts';
import { type Database, DatabaseError } from '../database/database.ts';
import { regularExpressionProblem } from '../database/regular-expression.ts';
import { type Condition, conditionSql, MalformedFilter, parseFilter } from './filters.ts';
import { type Column, publishedTables, type Table } from './tables.ts';

/** A condition on a column of a known type. */
export interface TableCondition extends Condition {
  type: string;
  /** The only texts that match, where a type has one text for each value; PostgreSQL compares the rest. */
  texts?: Set<string>;
}

/** One subscription of a channel. */
export interface Subscription {
  /** Equal parameters have equal ids, so that the client receives each change once. */
  id: number;
  event: '*' | 'INSERT' | 'UPDATE' | 'DELETE';
  /** Conditions by table. */
  tables: Map<number, TableCondition[]>;
  /** Only these columns and the key, if given. */
  select: string[] | undefined;
}

export class SubscriptionRefused extends Error {}

const MAX_VALUES = 100;
/** The conditions of one binding in all its tables, each of which costs the database a question. */
const MAX_CONDITIONS = 50;
/** The time for compiling a pattern; matching takes about as long. */
const CHECK_MS = 200;
const ONE_TEXT_EACH = new Set(['uuid', 'text', 'varchar', 'int2', 'int4', 'int8']);

/** The id that the join's reply gives a binding and that each of its events carries. */
export const bindingId = (binding: Record<string, unknown>): number =>
  createHash('sha256').update(JSON.stringify(binding)).digest().readUInt32BE(0) >>> 5;

/**
 * Checks a binding as the client sent it against the database.
 *
 * @param role whose columns it may name
 * @throws SubscriptionRefused in the official service's words
 */
export async function subscriptionOf(
  database: Database,
  binding: Record<string, unknown>,
  role: string,
): Promise<Subscription> {
  const { schema = 'public', table = '*', filter, select } = binding;
  const hasTarget = typeof binding.schema === 'string' || typeof binding.table === 'string';
  if (!hasTarget || typeof schema !== 'string' || typeof table !== 'string' || !isFilter(filter))
    throw new SubscriptionRefused(
      `No subscription params provided. Please provide at least a \`schema\` or \`table\` to subscribe to: ${cutText(JSON.stringify(binding), 500)}`,
    );
  const event = eventOf(binding.event);
  const columns = selection(select);
  let conditions: Condition[];
  try {
    conditions = parseFilter(filter ?? '');
  } catch (error) {
    if (!(error instanceof MalformedFilter)) throw error;
    throw new SubscriptionRefused(`Error parsing \`filter\` params: ${error.message}`, { cause: error });
  }

  const described = `event: ${event}, schema: ${schema}, table: ${table}, filters: [${conditions
    .map(({ column, operator, value, negate }) => `{${column}, ${negate ? 'not.' : ''}${operator}, ${value}}`)
    .join(', ')}], select: ${columns ? `[${columns.join(', ')}]` : 'nil'}`;
  try {
    const tables = await publishedTables(database, schema, table);
    if (tables.length === 0)
      throw new SubscriptionRefused(
        `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${described}]`,
      );
    if (conditions.length * tables.length > MAX_CONDITIONS)
      throw new UnusableFilter(`too many filters in all tables. Maximum ${MAX_CONDITIONS}`);
    const checked: Subscription['tables'] = new Map();
    for (const found of tables)
      checked.set(found.oid, await check(database, found, conditions, columns ?? [], role));
    return { id: bindingId(binding), event, select: columns, tables: checked };
  } catch (error) {
    if (!(error instanceof UnusableFilter)) throw error;
    throw new SubscriptionRefused(
      `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [${described}]. Exception: ${error.message}`,
      { cause: error },
    );
  }
}

class UnusableFilter extends Error {}

const isFilter = (filter: unknown): filter is string | undefined =>
  filter === undefined || (typeof filter === 'string' && filter.length <= 2000);

function eventOf(event: unknown): Subscription['event'] {
  const name = typeof event === 'string' ? event.toUpperCase() : '*';
  return name === 'INSERT' || name === 'UPDATE' || name === 'DELETE' ? name : '*';
}

function selection(select: unknown): string[] | undefined {
  const names = typeof select === 'string' ? select.split(',').map((name) => name.trim()) : select;
  if (!Array.isArray(names) || names.includes('*')) return undefined;
  return names.filter((name): name is string => typeof name === 'string' && name !== '').slice(0, 200);
}

async function check(
  database: Database,
  table: Table,
  conditions: Condition[],
  select: string[],
  role: string,
): Promise<TableCondition[]> {
  if (!table.columns.some((column) => column.key))
    throw new UnusableFilter(`table ${table.schema}.${table.name} has no primary key`);
  const { rows } = await database.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1 and attnum > 0 and not attisdropped
       and has_column_privilege((select oid from pg_roles where rolname = $2), attrelid, attnum, 'select')`,
    [table.oid, role],
  );
  const readable = new Set(rows.map((row) => row.name));
  const missing = select.find((name) => !readable.has(name));
  if (missing !== undefined) throw new UnusableFilter(`invalid column for select ${missing}`);
  const checked: TableCondition[] = [];
  // One after the other: of several at once, one that fails after another was refused has no listener, which would end the process.
  for (const condition of conditions) {
    const column = table.columns.find(({ name }) => name === condition.column && readable.has(name));
    if (!column) throw new UnusableFilter(`invalid column for filter ${condition.column}`);
    checked.push(await checkCondition(database, condition, column));
  }
  return checked;
}

/** Tries the condition once, so that it cannot fail when a row is written. */
async function checkCondition(
  database: Database,
  condition: Condition,
  { type, sqlType }: Column,
): Promise<TableCondition> {
  const { operator, value, negate } = condition;
  const usable = { ...condition, type: sqlType };
  try {
    if (operator === 'is') {
      if (value !== 'null' && type !== 'bool')
        throw new UnusableFilter(`is ${value} filter requires a boolean column, got ${sqlType}`);
      return usable;
    }
    const problem = patternProblem(condition);
    if (problem) throw new UnusableFilter(problem);
    const cast = operator === 'in' ? `$1::${sqlType}[]::text[]` : `array[$1::${sqlType}::text]`;
    const { rows } = await database.as<{ texts: string[] }>(
      { role: 'anon', claims: {}, readOnly: true, timeoutMs: CHECK_MS },
      `select ${cast} as texts, ${conditionSql(condition, `null::${sqlType}`, sqlType, '$1::text')}
         ${operator === 'match' || operator === 'imatch' ? ", '' ~ $1::text" : ''}`,
      [value],
    );
    const texts = rows[0]?.texts ?? [];
    if (texts.length > MAX_VALUES)
      throw new UnusableFilter(`too many values for \`in\` filter. Maximum ${MAX_VALUES}`);
    return (operator === 'eq' || operator === 'in') && !negate && ONE_TEXT_EACH.has(type)
      ? { ...usable, texts: new Set(texts) }
      : usable;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new UnusableFilter(`ERROR ${error.code} ${error.message}`, { cause: error });
  }
}

/** The reason why a pattern may fail or take very long on some text though it can be compiled. */
function patternProblem({ operator, value }: Condition): string | undefined {
  const escapes = /\\*$/.exec(value)?.[0].length ?? 0;
  if ((operator === 'like' || operator === 'ilike') && escapes % 2 === 1)
    return 'ERROR 22025 LIKE pattern must not end with escape character';
  return operator === 'match' || operator === 'imatch' ? regularExpressionProblem(value) : undefined;
}
