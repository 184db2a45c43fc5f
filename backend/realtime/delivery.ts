import { type Database, DatabaseError } from '../database/database.ts';
import { type CurrentRow, currentRows } from './current-rows.ts';
import { type DecodedRow, decodeRow, evaluateFilters } from './decode-row.ts';
import { SharedText } from './frames.ts';
import type { Delivery, Listener } from './listener.ts';
import type { Change, Tuple } from './replication.ts';
import { checkAccess, type Databases, type RlsResult } from './rls-check.ts';
import type { Subscription, TableCondition } from './subscriptions.ts';
import type { Table } from './tables.ts';

/** Larger changes lose their long values, as in the official service. */
const MAX_RECORD_BYTES = 1024 * 1024;
const SHORT_VALUE = 64;

interface Recipient {
  listener: Listener;
  subscription: Subscription;
  conditions: TableCondition[];
}

interface WrittenRow {
  change: Change;
  row?: DecodedRow;
  before?: DecodedRow;
}

/**
 * How often a row that changes during the check is checked again; each of its changes brings a later event.
 */
const MAX_READS = 5;

/**
 * Determines the recipients of these changes, without sending anything yet.
 *
 * @returns deliveries in the order of the changes
 */
export async function deliveries(
  databases: Databases,
  changes: Change[],
  listeners: ReadonlyMap<Listener, Subscription[]>,
  describe: (table: number) => Promise<Table | undefined>,
): Promise<Delivery[]> {
  const byTable = Map.groupBy(changes, (change) => change.table);
  const found = new Map<Change, Delivery[]>();
  await Promise.all(
    [...byTable].map(async ([oid, group]) => {
      const recipients = recipientsOf(oid, listeners);
      const relevant = group.filter(({ type }) =>
        recipients.some(({ subscription }) => listensTo(subscription, type)),
      );
      const table = relevant.length > 0 ? await describe(oid) : undefined;
      if (table) await deliverTable(databases, table, relevant, recipients, found);
    }),
  );
  return changes.flatMap((change) => found.get(change) ?? []);
}

function recipientsOf(table: number, listeners: ReadonlyMap<Listener, Subscription[]>): Recipient[] {
  return [...listeners].flatMap(([listener, subscriptions]) =>
    subscriptions.flatMap((subscription) => {
      const conditions = subscription.tables.get(table);
      return conditions ? [{ listener, subscription, conditions }] : [];
    }),
  );
}

const listensTo = ({ event }: Subscription, type: Change['type']) => event === '*' || event === type;

/**
 * Where policies guard the table, the delivered row is the present one, as its reader may read it now. The
 * log's values may date from a time when the row was hidden from a reader who can see it now.
 */
async function deliverTable(
  databases: Databases,
  table: Table,
  changes: Change[],
  recipients: Recipient[],
  found: Map<Change, Delivery[]>,
): Promise<void> {
  const xids = changes.map(({ xid }) => xid);
  let left = changes;
  for (let attempt = 0; attempt < MAX_READS && left.length > 0; attempt++) {
    const { secured, rows } = await currentRows(databases.reader, table, left.map(keyRow), xids);
    const current = left.flatMap((change, index) => asCurrent(change, rows[index], secured));
    const sends = await readersOf(databases, table, current, recipients, secured);
    const after = secured ? (await currentRows(databases.reader, table, left.map(keyRow), [])).rows : rows;
    const settled = (change: Change, index: number) =>
      change.type === 'DELETE' || rows[index]?.version === after[index]?.version;
    for (const [index, change] of left.entries())
      if (settled(change, index)) found.set(change, sends.get(change) ?? []);
    left = left.filter((change, index) => !settled(change, index));
  }
}

/** The row's values in the log: of a deleted row its last ones. */
const keyRow = (change: Change | undefined): Tuple => change?.row ?? change?.before ?? {};

function asCurrent(change: Change, current: CurrentRow | undefined, secured: boolean): [Change, Change][] {
  if (!change.row) return [[change, change]];
  if (secured) return current ? [[change, { ...change, row: current.tuple }]] : [];
  // Long values that an update did not change are not in the log; the present ones apply.
  const logged = Object.entries(change.row).filter(([, text]) => text !== undefined);
  return [[change, { ...change, row: { ...current?.tuple, ...Object.fromEntries(logged) } }]];
}

/** The subscriptions of one caller to a change that the caller may read. */
interface Candidate {
  /** The position of the change. */
  changeIndex: number;
  recipients: Recipient[];
  columns: Set<string>;
}

/**
 * First the callers who may read each change, then those whose filters it fulfils: a filter is evaluated only
 * on rows that its owner may read, so that neither the events nor their timing reveal other rows.
 *
 * @param changes as the log has them, each with its event
 */
async function readersOf(
  databases: Databases,
  table: Table,
  changes: [Change, Change][],
  recipients: Recipient[],
  secured: boolean,
): Promise<Map<Change, Delivery[]>> {
  const currentChanges = changes.map(([, change]) => change);
  // The database is queried once for each distinct caller, however many channels share the claims.
  const callers = Map.groupBy(recipients, ({ listener }) => identity(listener.claims));
  const [written, ...found] = await Promise.all([
    read(databases.database, table, currentChanges),
    ...[...callers.values()].map((own) => candidatesOf(databases, table, currentChanges, own, secured)),
  ]);
  const candidates = found.flat();
  const holds = await filterResults(databases.database, table, currentChanges, candidates);

  const sends = new Map<Change, Delivery[]>();
  for (const { changeIndex, recipients: own, columns } of candidates) {
    const [one, [change] = []] = [written[changeIndex], changes[changeIndex]];
    if (!one || !change) continue;
    const matches = own.filter(({ conditions }) =>
      conditions.every(
        (condition) => condition.texts || (columns.has(condition.column) && holds(changeIndex, condition)),
      ),
    );
    const more = sendsOf(table, one, matches, columns, secured);
    sends.set(change, [...(sends.get(change) ?? []), ...more]);
  }
  return sends;
}

/** @param recipients of one caller */
async function candidatesOf(
  databases: Databases,
  table: Table,
  changes: Change[],
  recipients: Recipient[],
  secured: boolean,
): Promise<Candidate[]> {
  const wanted = changes.flatMap((change, changeIndex) => {
    const own = recipients.filter(
      ({ subscription, conditions }) =>
        listensTo(subscription, change.type) && conditions.every((condition) => isEqual(condition, change)),
    );
    return own.length > 0 ? [{ change, changeIndex, recipients: own }] : [];
  });
  const access = await accessOf(
    databases,
    table,
    recipients,
    wanted.map(({ change }) => change),
    secured,
  );
  if (!access) return [];
  return wanted
    .filter((_, index) => access.visible[index])
    .map(({ changeIndex, recipients: own }) => ({ changeIndex, recipients: own, columns: access.columns }));
}

async function accessOf(
  databases: Databases,
  table: Table,
  recipients: Recipient[],
  changes: Change[],
  secured: boolean,
): Promise<RlsResult | undefined> {
  const [first] = recipients;
  if (!first || changes.length === 0) return undefined;
  try {
    return await checkAccess(databases, table, first.listener.claims, changes, secured);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    for (const { listener } of recipients) listener.resubscribe('the change could not be checked');
    return undefined;
  }
}

/**
 * The conditions that hold of each change, by its position; a subscriber with one that takes too long loses
 * the subscription.
 */
async function filterResults(
  database: Database,
  table: Table,
  changes: Change[],
  candidates: Candidate[],
): Promise<(changeIndex: number, condition: TableCondition) => boolean> {
  const canonical = new Map<string, TableCondition>();
  const same = (condition: TableCondition) => {
    const key = keyOf(condition);
    const first = canonical.get(key) ?? condition;
    canonical.set(key, first);
    return first;
  };
  const conditionsByChange = new Map<number, Set<TableCondition>>();
  const open = ({ conditions }: Recipient) => conditions.filter(({ texts }) => !texts);
  for (const { changeIndex, recipients, columns } of candidates)
    for (const condition of recipients.flatMap(open)) {
      // Of a deleted row only the values in the log can be compared; the rest never matches.
      if (!columns.has(condition.column) || keyRow(changes[changeIndex])[condition.column] === undefined)
        continue;
      const conditions = conditionsByChange.get(changeIndex) ?? new Set();
      conditionsByChange.set(changeIndex, conditions.add(same(condition)));
    }
  if (conditionsByChange.size === 0) return () => false;

  const changeIndexes = [...conditionsByChange.keys()];
  const { holds, slow } = await evaluateFilters(
    database,
    table,
    [...conditionsByChange].map(([changeIndex, conditions]) => ({
      row: keyRow(changes[changeIndex]),
      conditions,
    })),
  );
  for (const { listener, conditions } of candidates.flatMap(({ recipients }) => recipients))
    if (conditions.some((condition) => slow.has(same(condition))))
      listener.closeWithError('A filter took too long');
  const holdsByChange = new Map(changeIndexes.map((changeIndex, index) => [changeIndex, holds[index]]));
  return (changeIndex, condition) => holdsByChange.get(changeIndex)?.has(same(condition)) === true;
}

async function read(database: Database, table: Table, changes: Change[]): Promise<WrittenRow[]> {
  const keys = table.columns.filter(({ key }) => key);
  const tuples: Tuple[] = [];
  const positions = changes.map((change) => {
    const row = change.row && tuples.push(change.row) - 1;
    // The log entry of an update that does not change the key omits the old values; the key is the same.
    const before =
      change.before ??
      (change.type === 'UPDATE' && Object.fromEntries(keys.map(({ name }) => [name, change.row?.[name]])));
    return { change, row, before: before ? tuples.push(before) - 1 : undefined };
  });
  const rendered = await decodeRow(database, table, tuples);
  const renderedAt = (index: number | undefined) => (index === undefined ? undefined : rendered[index]);
  return positions.map(
    ({ change, row, before }): WrittenRow => ({ change, row: renderedAt(row), before: renderedAt(before) }),
  );
}

const keyOf = ({ column, operator, negate, value, type }: TableCondition) =>
  JSON.stringify([column, operator, negate, value, type]);

/**
 * False where the condition is one of equality and the texts differ; PostgreSQL evaluates all other
 * conditions.
 */
function isEqual(condition: TableCondition, change: Change): boolean {
  const text = keyRow(change)[condition.column];
  return !condition.texts || (typeof text === 'string' && condition.texts.has(text));
}

const identities = new WeakMap<Listener['claims'], string>();

/** The claims of one person's session, whenever its token was renewed. */
function identity(claims: Listener['claims']): string {
  const known = identities.get(claims);
  if (known !== undefined) return known;
  const { iat: _iat, exp: _exp, ...lasting } = claims;
  const text = JSON.stringify(lasting);
  identities.set(claims, text);
  return text;
}

function sendsOf(
  table: Table,
  written: WrittenRow,
  matches: Recipient[],
  readable: Set<string>,
  secured: boolean,
): Delivery[] {
  const texts = new Map<string, SharedText>();
  const byListener = Map.groupBy(matches, ({ listener }) => listener);
  return [...byListener].flatMap(([listener, recipients]) => {
    const bySelection = Map.groupBy(recipients, ({ subscription }) => subscription.select?.join() ?? '*');
    return [...bySelection].map(([selection, same]) => {
      const data =
        texts.get(selection) ??
        new SharedText(dataOf(table, written, readable, same[0]?.subscription.select, secured));
      texts.set(selection, data);
      const ids = [...new Set(same.map(({ subscription }) => subscription.id))];
      return { listener, ids, data };
    });
  });
}

function dataOf(
  table: Table,
  { change, row, before }: WrittenRow,
  readable: Set<string>,
  select: string[] | undefined,
  secured: boolean,
): string {
  const columns = table.columns.filter(
    ({ name, key }) => readable.has(name) && (key || !select || select.includes(name)),
  );
  const size = [row, before].reduce(
    (sum, part) => sum + [...(part?.values() ?? [])].reduce((total, text) => total + text.length, 0),
    0,
  );
  const record = (from: DecodedRow, only: typeof columns) =>
    `{${only
      .flatMap(({ name }) => {
        const value = from.get(name);
        if (value === undefined || (size > MAX_RECORD_BYTES && value.length > SHORT_VALUE)) return [];
        return [`${JSON.stringify(name)}:${value}`];
      })
      .join(',')}}`;
  // It can no longer be determined whether the caller might have read the old values.
  const old = secured ? columns.filter(({ key }) => key) : columns;
  const parts = [
    `"schema":${JSON.stringify(table.schema)}`,
    `"table":${JSON.stringify(table.name)}`,
    `"commit_timestamp":"${change.time}"`,
    `"type":"${change.type}"`,
    `"columns":${JSON.stringify(columns.map(({ name, type }) => ({ name, type })))}`,
    ...(row ? [`"record":${record(row, columns)}`] : []),
    ...(before ? [`"old_record":${record(before, old)}`] : []),
    `"errors":${size > MAX_RECORD_BYTES ? '["Error 413: Payload Too Large"]' : 'null'}`,
  ];
  return `{${parts.join(',')}}`;
}
