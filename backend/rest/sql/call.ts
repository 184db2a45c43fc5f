import type { Body } from '../body.ts';
import type { ReadNode } from '../plan-read.ts';
import type { Routine } from '../schema/schema-cache.ts';
import { arrayLiteral, identifier, qualified, type Statement } from './sql.ts';
import { neededColumns } from './write.ts';

/** Arguments from the query string, from a JSON object, or the whole body. */
export type Arguments =
  | { kind: 'texts'; pairs: [string, string][] }
  | { kind: 'json'; body: Body }
  | { kind: 'body'; raw: Buffer };

/** The call as a query whose rows are the function's result. */
export function callSql(routine: Routine, given: Arguments, plan: ReadNode, statement: Statement): string {
  const { from, list } = argumentsSql(routine, given, statement);
  const call = `${qualified(routine)}(${list})`;
  if (routine.returns !== 'composite')
    return `SELECT ${call} AS "pgrst_scalar"${from ? ` FROM ${from}` : ''}`;
  const columns = ['"pgrst_call".*', ...computed(plan, routine)];
  return `SELECT ${columns.join(', ')} FROM ${from ? `${from}, LATERAL ` : ''}${call} AS "pgrst_call"`;
}

/** Names that `*` does not include, which are functions of the row. */
function computed(plan: ReadNode, routine: Routine): string[] {
  const resultColumns = routine.relation?.columns;
  if (!resultColumns) return [];
  const names = new Set(neededColumns(plan).filter((name) => name !== '*' && !resultColumns.has(name)));
  return [...names].map((name) => `"pgrst_call".${identifier(name)}`);
}

function argumentsSql(
  routine: Routine,
  given: Arguments,
  statement: Statement,
): { from: string; list: string } {
  const named = (name: string, variadic: boolean, value: string) =>
    `${variadic ? 'VARIADIC ' : ''}${identifier(name)} := ${value}`;
  switch (given.kind) {
    case 'body': {
      const type = routine.parameters[0]?.type ?? 'json';
      return {
        from: '',
        list: `${statement.bind(type === 'bytea' ? given.raw : given.raw.toString())}::${type}`,
      };
    }
    case 'texts': {
      const parts = routine.parameters.flatMap(({ name, unlimitedType, variadic }) => {
        const values = given.pairs.filter(([key]) => key === name).map(([, value]) => value);
        const last = values.at(-1);
        if (last === undefined) return [];
        const text =
          variadic && !(values.length === 1 && /^\{.*\}$/s.test(last)) ? arrayLiteral(values) : last;
        return [named(name, variadic, `${statement.bind(text)}::${unlimitedType}`)];
      });
      return { from: '', list: parts.join(', ') };
    }
    case 'json': {
      const used = routine.parameters.filter((parameter) => given.body.keys.includes(parameter.name));
      if (used.length === 0) return { from: '', list: '' };
      const typed = used.map(({ name, unlimitedType }) => `${identifier(name)} ${unlimitedType}`).join(', ');
      return {
        from: `(SELECT * FROM json_to_recordset(${statement.bind(given.body.rows)}::json) AS _(${typed}) LIMIT 1) AS "pgrst_body"`,
        list: used
          .map(({ name, variadic }) => named(name, variadic, `"pgrst_body".${identifier(name)}`))
          .join(', '),
      };
    }
  }
}
