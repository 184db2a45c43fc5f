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

/**
 * Reads rows by their keys, past every policy.
 *
 * @returns rows in the order of the keys, undefined for deleted ones; and whether policies guard the table
 */
export async function currentRows(
  reader: Database,
  table: Table,
  keyRows: Tuple[],
): Promise<{ secured: boolean; rows: (CurrentRow | undefined)[] }> {
  const keys = table.columns.filter(({ key }) => key);
  const { rows } = await reader.query<{
    secured: boolean | null;
    found: [number, string, (string | null)[]][] | null;
  }>(
    `with keys as materialized (
       select v.ordinality, ${keys.map(({ sqlType }, index) => `(v.value ->> ${index})::${sqlType} as k${index}`).join(', ')}
       from json_array_elements($1::json) with ordinality as v(value, ordinality)
     )
     select
       (select relrowsecurity from pg_class where oid = $2::oid) as secured,
       (select json_agg(json_build_array(keys.ordinality, t.xmin || ' ' || t.ctid,
          json_build_array(${table.columns.map(({ name }) => `t.${quoted(name)}::text`).join(', ')})))
        from keys join ${quoted(table.schema)}.${quoted(table.name)} as t
          on ${keys.map(({ name }, index) => `t.${quoted(name)} = keys.k${index}`).join(' and ')}) as found`,
    [JSON.stringify(keyRows.map((row) => keys.map(({ name }) => row[name] ?? null))), table.oid],
  );
  const found = new Map(
    rows[0]?.found?.map(([ordinality, version, texts]) => [ordinality, { version, texts }]),
  );
  return {
    secured: rows[0]?.secured !== false,
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

/**
 * Waits until the writes of these transactions are visible to all: the log reports a commit a moment before
 * it can be read, and on a busy machine the moment is long enough for a read.
 *
 * @param xids without their epoch, as the log has them; of transactions that are committed
 * @throws Error after half a minute
 */
export async function waitUntilVisible(reader: Database, xids: number[]): Promise<void> {
  const distinct = [...new Set(xids)];
  for (let attempt = 0; attempt < MAX_READS; attempt++) {
    const { rows } = await reader.query<{ all: boolean }>(
      // The epoch that brings it closest to the present number.
      `select bool_and(pg_visible_in_snapshot(
         (next + ((x - next + (1::bigint << 31)) & ((1::bigint << 32) - 1)) - (1::bigint << 31))::text::xid8, snapshot)) as all
       from unnest($1::bigint[]) as x,
         pg_current_snapshot() as snapshot, lateral (select pg_snapshot_xmax(snapshot)::text::bigint as next) as n`,
      [distinct],
    );
    if (rows[0]?.all !== false) return;
    await new Promise((later) => setTimeout(later, Math.min(1 + attempt, MAX_PAUSE_MS)));
  }
  throw new Error('What was committed cannot be seen.');
}
