import { type Database, DatabaseError } from '../database.ts';
import { conditionSql } from './filters.ts';
import type { Tuple } from './replication.ts';
import type { TableCondition } from './subscriptions.ts';
import { quoted, type Table } from './tables.ts';

/** A row of the log, with its values as JSON text by column name; what the log does not say is left out. */
export interface Rendered {
  values: Map<string, string>;
  /** Which of the asked conditions the row fulfils, by their place. */
  holds: boolean[];
}

/** Casts and comparisons need no rights; a role whose statements are cut off needs no trust. */
const NOBODY = { role: 'anon', claims: {}, readOnly: true };

/** The condition cannot be judged, as with a broken pattern; a statement that took too long says nothing about it. */
const isUnjudgeable = (error: unknown) => error instanceof DatabaseError && /^(22|42)/.test(error.code ?? '');

/**
 * Lets PostgreSQL turn the log's text into JSON and judge conditions, in one statement.
 *
 * @returns the rows in order, and the conditions that failed to be judged
 */
export async function render(
  database: Database,
  table: Table,
  rows: Tuple[],
  conditions: TableCondition[],
): Promise<{ rendered: Rendered[]; broken: Set<TableCondition> }> {
  const ask = (asked: TableCondition[]) => rendered(database, table, rows, asked);
  try {
    return { rendered: await ask(conditions), broken: new Set() };
  } catch (error) {
    if (!isUnjudgeable(error) || conditions.length === 0) throw error;
    const broken = new Set<TableCondition>();
    for (const condition of conditions) {
      await ask([condition]).catch((problem) => {
        if (!isUnjudgeable(problem)) throw problem;
        broken.add(condition);
      });
    }
    if (broken.size === 0) throw error;
    const sound = await ask(conditions.filter((condition) => !broken.has(condition)));
    const places = conditions.map((condition) => !broken.has(condition));
    return {
      broken,
      rendered: sound.map(({ values, holds }) => {
        const left = holds.values();
        return { values, holds: places.map((asked) => asked && left.next().value === true) };
      }),
    };
  }
}

async function rendered(
  database: Database,
  { columns }: Table,
  rows: Tuple[],
  conditions: TableCondition[],
): Promise<Rendered[]> {
  const values = columns.map(({ name }) => `to_jsonb(r.${quoted(name)})::text`);
  const casts = columns.map(
    ({ name, sqlType }, place) => `(v.value ->> ${place})::${sqlType} as ${quoted(name)}`,
  );
  const judged = conditions.map((condition, place) =>
    conditionSql(condition, `r.${quoted(condition.column)}`, condition.type, `($2::json ->> ${place})`),
  );
  const answer = await database.as<{ values: (string | null)[]; holds: (boolean | null)[] }>(
    NOBODY,
    `select json_build_array(${values.join(', ')}) as values, json_build_array(${judged.join(', ')}) as holds
     from json_array_elements($1::json) with ordinality as v(value, place)
     cross join lateral (select ${casts.join(', ')}) as r
     where $2::json is not null
     order by v.place`,
    [
      JSON.stringify(rows.map((row) => columns.map(({ name }) => row[name] ?? null))),
      JSON.stringify(conditions.map(({ value }) => value)),
    ],
  );
  return answer.rows.map(({ values, holds }, index) => ({
    values: new Map(
      columns.flatMap(({ name }, place): [string, string][] =>
        rows[index]?.[name] === undefined ? [] : [[name, values[place] ?? 'null']],
      ),
    ),
    holds: holds.map((hold) => hold === true),
  }));
}
