import { type Database, DatabaseError } from '../database/database.ts';
import { conditionSql } from './filters.ts';
import type { Tuple } from './replication.ts';
import type { TableCondition } from './subscriptions.ts';
import { quoted, type Table } from './tables.ts';

/** The values of a row as JSON text by column name; values that are missing from the log are left out. */
export type DecodedRow = Map<string, string>;

/** A row, and the conditions to evaluate for a subscriber who may read it. */
export interface FilterQuestion {
  row: Tuple;
  conditions: ReadonlySet<TableCondition>;
}

export interface FilterResult {
  /** For each row, the conditions that hold. */
  holds: ReadonlySet<TableCondition>[];
  /** Conditions that took longer than the time for one. */
  slow: ReadonlySet<TableCondition>;
}

/** Casts and comparisons need no rights; a role whose statements are cut off needs no trust. */
const NO_ROLE = { role: 'anon', claims: {}, readOnly: true };
/** The most conditions in one statement. */
const MAX_TOGETHER = 100;
const TOGETHER_MS = 500;
const ALONE_MS = 100;

const RAN_OUT_OF_TIME = '57014';
/** Neither the condition nor the row is the cause: a connection that ended, a full disk, a server that stops. */
const OF_THE_SERVER = /^(?:08(?!P01)|53|57P|58)/;

/** A row named `r` of the texts in a JSON array. */
const rowSql = ({ columns }: Table) =>
  columns
    .map(({ name, sqlType }, index) => `(v.value ->> ${index})::${sqlType} as ${quoted(name)}`)
    .join(', ');

const textsOf = ({ columns }: Table, row: Tuple) => columns.map(({ name }) => row[name] ?? null);

/** Lets PostgreSQL turn the log's text into JSON; the rows stay in order. */
export async function decodeRow(database: Database, table: Table, rows: Tuple[]): Promise<DecodedRow[]> {
  const { columns } = table;
  const answer = await database.as<{ values: (string | null)[] }>(
    NO_ROLE,
    `select json_build_array(${columns.map(({ name }) => `to_jsonb(r.${quoted(name)})::text`).join(', ')}) as values
     from json_array_elements($1::json) with ordinality as v(value, ordinality)
     cross join lateral (select ${rowSql(table)}) as r
     order by v.ordinality`,
    [JSON.stringify(rows.map((row) => textsOf(table, row)))],
  );
  return answer.rows.map(
    ({ values }, index) =>
      new Map(
        columns.flatMap(({ name }, columnIndex): [string, string][] =>
          rows[index]?.[name] === undefined ? [] : [[name, values[columnIndex] ?? 'null']],
        ),
      ),
  );
}

/**
 * Lets PostgreSQL evaluate conditions, each on the given rows and on no other. A condition that cannot be
 * evaluated does not hold, and does not prevent the evaluation of others.
 */
export async function evaluateFilters(
  database: Database,
  table: Table,
  questions: FilterQuestion[],
): Promise<FilterResult> {
  const conditions = [...new Set(questions.flatMap((question) => [...question.conditions]))];
  const slow = new Set<TableCondition>();
  const holds = questions.map(() => new Set<TableCondition>());
  for (let start = 0; start < conditions.length; start += MAX_TOGETHER) {
    const together = conditions.slice(start, start + MAX_TOGETHER);
    if (!(await evaluated(database, table, questions, together, TOGETHER_MS, holds))) continue;
    for (const alone of together) {
      const outcome = await evaluated(database, table, questions, [alone], ALONE_MS, holds);
      if (outcome === RAN_OUT_OF_TIME) slow.add(alone);
    }
  }
  return { holds, slow };
}

/** @returns the code with which the database refused to evaluate them; undefined when it did not */
async function evaluated(
  database: Database,
  table: Table,
  questions: FilterQuestion[],
  conditions: TableCondition[],
  timeoutMs: number,
  holds: Set<TableCondition>[],
): Promise<string | undefined> {
  const rows = questions.map(({ row, conditions: requested }) => ({
    texts: textsOf(table, row),
    requested: conditions.map((condition) => requested.has(condition)),
  }));
  const answers = conditions.map((condition, index) => {
    const sql = conditionSql(
      condition,
      `r.${quoted(condition.column)}`,
      condition.type,
      `(c.value ->> ${index})`,
    );
    return `case when (v.requested -> ${index})::text = 'true' then ${sql} end`;
  });
  try {
    const { rows: found } = await database.as<{ answers: (boolean | null)[] }>(
      { ...NO_ROLE, timeoutMs },
      `select array[${answers.join(', ')}]::boolean[] as answers
       from json_array_elements($1::json) with ordinality as e(question, ordinality)
       cross join lateral (select e.question -> 'texts' as value, e.question -> 'requested' as requested) as v
       cross join lateral (select ${rowSql(table)}) as r
       cross join (select $2::json as value) as c
       order by e.ordinality`,
      [JSON.stringify(rows), JSON.stringify(conditions.map(({ value }) => value))],
    );
    found.forEach((row, index) => {
      row.answers.forEach((answer, conditionIndex) => {
        const condition = conditions[conditionIndex];
        if (answer === true && condition) holds[index]?.add(condition);
      });
    });
    return undefined;
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : undefined;
    if (code === undefined || OF_THE_SERVER.test(code)) throw error;
    return code;
  }
}
