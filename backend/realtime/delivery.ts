import type { Database } from '../database.ts';
import { type Access, accessTo } from './access.ts';
import type { Listener } from './changes.ts';
import { type CurrentRow, currentRows, visible } from './current.ts';
import { type Rendered, render } from './rendering.ts';
import type { Change, Tuple } from './replication.ts';
import type { Subscription, TableCondition } from './subscriptions.ts';
import type { Table } from './tables.ts';

/** Larger ones lose their long values, as in the official service. */
const LARGEST_RECORD = 1024 * 1024;
const SHORT_VALUE = 64;

interface Hearing {
  listener: Listener;
  subscription: Subscription;
  conditions: TableCondition[];
}

interface Written {
  change: Change;
  row?: Rendered;
  before?: Rendered;
}

export interface Databases {
  /** Takes on the subscribers' roles. */
  database: Database;
  /** Reads past every policy. */
  reader: Database;
}

/** How often a row that changes while it is looked at is looked at again; each of its changes brings a later event. */
const MOST_LOOKS = 5;

/**
 * Finds out who gets what of these changes, without sending anything yet.
 *
 * @returns sends in the order of the changes
 */
export async function deliveries(
  databases: Databases,
  changes: Change[],
  listeners: ReadonlyMap<Listener, Subscription[]>,
  describe: (table: number) => Promise<Table | undefined>,
): Promise<(() => void)[]> {
  await visible(
    databases.reader,
    changes.map(({ xid }) => xid),
  );
  const byTable = Map.groupBy(changes, (change) => change.table);
  const found = new Map<Change, (() => void)[]>();
  await Promise.all(
    [...byTable].map(async ([oid, group]) => {
      const hearings = hearingsOf(oid, listeners);
      const heard = group.filter(({ type }) =>
        hearings.some(({ subscription }) => hears(subscription, type)),
      );
      const table = heard.length > 0 ? await describe(oid) : undefined;
      if (table) await deliverTable(databases, table, heard, hearings, found);
    }),
  );
  return changes.flatMap((change) => found.get(change) ?? []);
}

function hearingsOf(table: number, listeners: ReadonlyMap<Listener, Subscription[]>): Hearing[] {
  return [...listeners].flatMap(([listener, subscriptions]) =>
    subscriptions.flatMap((subscription) => {
      const conditions = subscription.tables.get(table);
      return conditions ? [{ listener, subscription, conditions }] : [];
    }),
  );
}

const hears = ({ event }: Subscription, type: Change['type']) => event === '*' || event === type;

/**
 * Where policies guard the table, what is delivered is the row as it is now and as its reader may read it now. The log's
 * values may be those of a time when the row was hidden from a reader who has come to see it since.
 */
async function deliverTable(
  databases: Databases,
  table: Table,
  changes: Change[],
  hearings: Hearing[],
  found: Map<Change, (() => void)[]>,
): Promise<void> {
  let left = changes;
  for (let look = 0; look < MOST_LOOKS && left.length > 0; look++) {
    const { secured, rows } = await currentRows(databases.reader, table, left.map(keyRow));
    const seen = left.flatMap((change, index) => asNow(change, rows[index], secured));
    const sends = await readersOf(databases.database, table, seen, hearings, secured);
    const after = secured ? (await currentRows(databases.reader, table, left.map(keyRow))).rows : rows;
    const settled = (change: Change, index: number) =>
      change.type === 'DELETE' || rows[index]?.version === after[index]?.version;
    for (const [index, change] of left.entries())
      if (settled(change, index)) found.set(change, sends.get(change) ?? []);
    left = left.filter((change, index) => !settled(change, index));
  }
}

const keyRow = ({ row, before }: Change): Tuple => row ?? before ?? {};

function asNow(change: Change, current: CurrentRow | undefined, secured: boolean): [Change, Change][] {
  if (!change.row) return [[change, change]];
  if (secured) return current ? [[change, { ...change, row: current.tuple }]] : [];
  // Long values that an update left alone are not in the log; they are what they are now.
  const said = Object.entries(change.row).filter(([, text]) => text !== undefined);
  return [[change, { ...change, row: { ...current?.tuple, ...Object.fromEntries(said) } }]];
}

/** @param changes as the log has them, each with what is to be told of it */
async function readersOf(
  database: Database,
  table: Table,
  changes: [Change, Change][],
  hearings: Hearing[],
  secured: boolean,
): Promise<Map<Change, (() => void)[]>> {
  const asked = distinctConditions(hearings);
  const { written, broken } = await read(
    database,
    table,
    changes.map(([, told]) => told),
    [...asked.values()],
  );
  for (const { listener } of hearings.filter(({ conditions }) =>
    conditions.some((condition) => broken.has(asked.get(keyOf(condition)) ?? condition)),
  ))
    listener.resubscribe('a filter could not be applied');

  const sends = new Map<Change, (() => void)[]>();
  const places = new Map([...asked.keys()].map((key, place) => [key, place]));
  // The database is asked once for each distinct caller, however many channels share the claims.
  const callers = Map.groupBy(hearings, ({ listener }) => identity(listener.claims));
  await Promise.all(
    [...callers.values()].map(async (hearing) => {
      const matches = written.map((one) =>
        hearing.filter(
          ({ subscription, conditions }) =>
            hears(subscription, one.change.type) &&
            conditions.every((condition) => matching(condition, one, places)),
        ),
      );
      const wanted = [...written.keys()].filter((index) => (matches[index]?.length ?? 0) > 0);
      const access = await accessOf(
        database,
        table,
        hearing,
        wanted.map((index) => written[index]),
      );
      wanted.forEach((index, place) => {
        const [one, [change] = []] = [written[index], changes[index]];
        if (!access || !one || !change || (change.type !== 'DELETE' && secured && !access.visible[place]))
          return;
        const told = sendsOf(table, one, matches[index] ?? [], access.columns, secured);
        sends.set(change, [...(sends.get(change) ?? []), ...told]);
      });
    }),
  );
  return sends;
}

async function accessOf(
  database: Database,
  table: Table,
  hearing: Hearing[],
  wanted: (Written | undefined)[],
): Promise<Access | undefined> {
  const [first] = hearing;
  if (!first || wanted.length === 0) return undefined;
  try {
    const rows = wanted.map((one) => (one ? keyRow(one.change) : {}));
    return await accessTo(database, table, first.listener.claims, rows);
  } catch (error) {
    for (const { listener } of hearing) listener.resubscribe('the change could not be checked');
    throw error;
  }
}

async function read(database: Database, table: Table, changes: Change[], conditions: TableCondition[]) {
  const keys = table.columns.filter(({ key }) => key);
  const tuples: Tuple[] = [];
  const places = changes.map((change) => {
    const row = change.row && tuples.push(change.row) - 1;
    // An update that leaves the key alone says nothing of what was before; the key is the same.
    const before =
      change.before ??
      (change.type === 'UPDATE' && Object.fromEntries(keys.map(({ name }) => [name, change.row?.[name]])));
    return { change, row, before: before ? tuples.push(before) - 1 : undefined };
  });
  const { rendered, broken } = await render(database, table, tuples, conditions);
  const at = (place: number | undefined) => (place === undefined ? undefined : rendered[place]);
  const written = places.map(
    ({ change, row, before }): Written => ({ change, row: at(row), before: at(before) }),
  );
  return { written, broken };
}

const keyOf = ({ column, operator, negate, value, type }: TableCondition) =>
  JSON.stringify([column, operator, negate, value, type]);

function distinctConditions(hearings: Hearing[]): Map<string, TableCondition> {
  return new Map(
    hearings.flatMap(({ conditions }) =>
      conditions
        .filter(({ texts }) => !texts)
        .map((condition): [string, TableCondition] => [keyOf(condition), condition]),
    ),
  );
}

/** Of a deleted row only what the log says of it can be compared; the rest never matches. */
function matching(condition: TableCondition, { change, row, before }: Written, places: Map<string, number>) {
  const text = (change.type === 'DELETE' ? change.before : change.row)?.[condition.column];
  if (condition.texts) return typeof text === 'string' && condition.texts.has(text);
  const judged = change.type === 'DELETE' ? before : row;
  return text !== undefined && judged?.holds[places.get(keyOf(condition)) ?? -1] === true;
}

/** Of one person's session, whenever its token was renewed. */
function identity({ iat: _iat, exp: _exp, ...claims }: Record<string, unknown>): string {
  return JSON.stringify(claims);
}

function sendsOf(
  table: Table,
  written: Written,
  matches: Hearing[],
  readable: Set<string>,
  secured: boolean,
): (() => void)[] {
  const texts = new Map<string, string>();
  const byListener = Map.groupBy(matches, ({ listener }) => listener);
  return [...byListener].flatMap(([listener, hearings]) => {
    const bySelection = Map.groupBy(hearings, ({ subscription }) => subscription.select?.join() ?? '*');
    return [...bySelection].map(([selection, same]) => {
      const data =
        texts.get(selection) ?? dataOf(table, written, readable, same[0]?.subscription.select, secured);
      texts.set(selection, data);
      const ids = [...new Set(same.map(({ subscription }) => subscription.id))];
      return () => listener.deliver(ids, data);
    });
  });
}

function dataOf(
  table: Table,
  { change, row, before }: Written,
  readable: Set<string>,
  select: string[] | undefined,
  secured: boolean,
): string {
  const columns = table.columns.filter(
    ({ name, key }) => readable.has(name) && (key || !select || select.includes(name)),
  );
  const size = [row, before].reduce(
    (sum, part) => sum + [...(part?.values.values() ?? [])].reduce((total, text) => total + text.length, 0),
    0,
  );
  const record = (from: Rendered, only: typeof columns) =>
    `{${only
      .flatMap(({ name }) => {
        const value = from.values.get(name);
        if (value === undefined || (size > LARGEST_RECORD && value.length > SHORT_VALUE)) return [];
        return [`${JSON.stringify(name)}:${value}`];
      })
      .join(',')}}`;
  // Nobody can tell any more whether the caller might have read the old values.
  const old = secured ? columns.filter(({ key }) => key) : columns;
  const parts = [
    `"schema":${JSON.stringify(table.schema)}`,
    `"table":${JSON.stringify(table.name)}`,
    `"commit_timestamp":"${change.time}"`,
    `"type":"${change.type}"`,
    `"columns":${JSON.stringify(columns.map(({ name, type }) => ({ name, type })))}`,
    ...(row ? [`"record":${record(row, columns)}`] : []),
    ...(before ? [`"old_record":${record(before, old)}`] : []),
    `"errors":${size > LARGEST_RECORD ? '["Error 413: Payload Too Large"]' : 'null'}`,
  ];
  return `{${parts.join(',')}}`;
}
