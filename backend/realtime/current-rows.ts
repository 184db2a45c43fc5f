import type { Database } from '../database/database.ts';
import type { Tuple } from './replication.ts';
import { quoted, type Table } from './tables.ts';

const MAX_READS = 620;
/** In milliseconds. */
const MAX_PAUSE_MS = 50;

/** A row as it is now: its text and the version of the row. */
export interface CurrentRow {
  tuple: Tuple;
  version: string;
}

/** The state of the rows of some changes, all in one snapshot. */
export interface CurrentRows {
  /** Whether policies guard the table. */
  secured: boolean;
  /** In the order of the keys; undefined for deleted ones. */
  rows: (CurrentRow | undefined)[];
}

/** The role that signed in: it reads past every policy. */
const READER = { role: 'none', claims: {}, readOnly: true };

/**
 * Reads rows by their keys, past every policy, once the writes of some transactions are visible: the log
 * reports a commit a moment before it can be read, and on a busy machine the moment is long enough for a
 * read.
 *
 * @param xids without their epoch, as the log has them; of transactions that are committed
 * @throws Error when the writes are still not visible after half a minute
 */
export async function currentRows(
  reader: Database,
  table: Table,
  keyRows: Tuple[],
  xids: number[],
): Promise<CurrentRows> {
  for (let attempt = 0; attempt < MAX_READS; attempt++) {
    const current = await visibleRows(reader, table, keyRows, xids);
    if (current) return current;
    await new Promise((later) => setTimeout(later, Math.min(1 + attempt, MAX_PAUSE_MS)));
  }
  throw new Error('What was committed cannot be seen.');
}

/** @returns undefined while a transaction's writes cannot be seen */
async function visibleRows(
  reader: Database,
  table: Table,
  keyRows: Tuple[],
  xids: number[],
): Promise<CurrentRows | undefined> {
  const keys = table.columns.filter(({ key }) => key);
  const { rows } = await reader.as<{
    visible: boolean | null;
    secured: boolean | null;
    found: [number, string, (string | null)[]][] | null;
  }>(
    READER,
    `with keys as materialized (
       select v.ordinality, ${keys.map(({ sqlType }, index) => `(v.value ->> ${index})::${sqlType} as k${index}`).join(', ')}
       from json_array_elements($1::json) with ordinality as v(value, ordinality)
     )
     select
       -- Each number with the epoch that brings it closest to the present one.
       (select bool_and(pg_visible_in_snapshot(
          (next + ((x - next + (1::bigint << 31)) & ((1::bigint << 32) - 1)) - (1::bigint << 31))::text::xid8, snapshot))
        from json_array_elements_text($3::json) as e(text), lateral (select text::bigint as x) as n, pg_current_snapshot() as snapshot,
          lateral (select pg_snapshot_xmax(snapshot)::text::bigint as next) as m) as visible,
       (select relrowsecurity from pg_class where oid = $2::text::oid) as secured,
       (select json_agg(json_build_array(keys.ordinality, t.xmin || ' ' || t.ctid,
          json_build_array(${table.columns.map(({ name }) => `t.${quoted(name)}::text`).join(', ')})))
        from keys join ${quoted(table.schema)}.${quoted(table.name)} as t
          on ${keys.map(({ name }, index) => `t.${quoted(name)} = keys.k${index}`).join(' and ')}) as found`,
    [
      JSON.stringify(keyRows.map((row) => keys.map(({ name }) => row[name] ?? null))),
      String(table.oid),
      JSON.stringify([...new Set(xids)]),
    ],
  );
  const [answer] = rows;
  if (answer?.visible === false) return undefined;
  const found = new Map(
    answer?.found?.map(([ordinality, version, texts]) => [ordinality, { version, texts }]),
  );
  return {
    secured: answer?.secured !== false,
    rows: keyRows.map((_, index) => {
      const row = found.get(index + 1);
      if (!row) return undefined;
      const tuple = Object.fromEntries(
        table.columns.map(({ name }, columnIndex) => [name, row.texts[columnIndex]]),
      );
      return { tuple, version: row.version };
    }),
  };
}
