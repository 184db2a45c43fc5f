import { contentType, parseBody, parseForm } from './body.ts';
import { notSingular, RestError } from './errors.ts';
import { planRead, type ReadNode } from './plan-read.ts';
import { preferenceApplied } from './preferences.ts';
import { applyRange, contentHeaders, type RestRequest, run } from './request.ts';
import { allowResponse, contentRange, rangeStatus, toResponse } from './respond.ts';
import { findRoutine, isWholeBody } from './schema/find-routine.ts';
import type { Routine } from './schema/schema-cache.ts';
import { type Arguments, callSql } from './sql/call.ts';
import { countSql, expressionSource, selectSql } from './sql/read.ts';
import { AFFECTED, bodySql, guardSql, PAGE, resultSql } from './sql/result.ts';
import { Statement } from './sql/sql.ts';

/** GET, HEAD, POST and OPTIONS on a function. */
export async function call(input: RestRequest, name: string): Promise<Response> {
  const { method, query, schema, schemaName, preferences, format, config, caller } = input;
  const post = method === 'POST';
  const type = post ? contentType(input.request) : '';
  const { keys, given } = argumentsOf(input, type);
  const routine = findRoutine(schema, { schema: schemaName, name, keys, post, contentType: type });
  if (method === 'OPTIONS') return allowResponse(routine.volatile ? ['POST'] : ['GET', 'HEAD', 'POST']);
  const limit =
    preferences.maxAffected !== undefined && preferences.handling === 'strict'
      ? preferences.maxAffected
      : undefined;
  if (limit !== undefined && !routine.returnsSet) {
    throw new RestError(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    );
  }
  const root = planRead(query, schema, {
    relation: routine.relation,
    alias: routine.relation?.name ?? name,
    schemaName,
    maxRows: config.api.max_rows,
    filterRoot: true,
  });
  applyRange(root, input);
  const single = format.kind === 'object';
  const isVoid = routine.returns === 'void';
  const readOnly = !post || !routine.volatile;
  const chosen = routine.parameters[0]?.name === '' ? given.whole : given.named;
  const source = expressionSource(root, '"pgrst_source"');
  const statement = new Statement();
  const row = await run(
    routine.timeoutMs === undefined
      ? input
      : { ...input, caller: { ...caller, timeoutMs: routine.timeoutMs } },
    resultSql({
      source: callSql(routine, chosen, root, statement),
      rows: rowsSql(routine, root, statement),
      count: preferences.count && countSql(root, source, statement),
      body: method === 'HEAD' || isVoid ? `''` : bodySql(format, shapeOf(routine)),
      guards: [
        ...(single && !readOnly ? [guardSql(116, `${PAGE} <> 1`, PAGE)] : []),
        ...(limit === undefined ? [] : [guardSql(124, `${AFFECTED} > ${limit}`, AFFECTED)]),
      ],
    }),
    statement.values,
    readOnly,
  );
  const page = Number(row.page);
  if (single && page !== 1) throw notSingular(page);
  const total = row.total === null ? undefined : Number(row.total);
  return toResponse(
    {
      status: isVoid ? 204 : rangeStatus(root.offset, page, total),
      headers: {
        ...(isVoid ? {} : contentHeaders(input)),
        'content-range': contentRange(root.offset, page, total),
        'preference-applied': preferenceApplied(preferences, [
          'count',
          'tx',
          'handling',
          'timezone',
          'maxAffected',
        ]),
      },
      body: method === 'HEAD' ? null : row.body,
    },
    row,
  );
}

interface Given {
  /** For a routine with named parameters. */
  named: Arguments;
  /** For a routine that takes the whole body. */
  whole: Arguments;
}

function argumentsOf(
  { method, body: raw, query, caller }: RestRequest,
  type: string,
): { keys: string[]; given: Given } {
  if (method !== 'POST') return fromPairs(query.parameters);
  if (isWholeBody(type)) {
    const whole: Arguments = { kind: 'body', raw };
    return { keys: [], given: { named: whole, whole } };
  }
  if (type === 'application/x-www-form-urlencoded') return fromPairs(parseForm(raw));
  const text = raw.length === 0 ? Buffer.from('{}') : raw;
  const body = parseBody(text, type, query.columns, caller.role, true);
  return { keys: body.keys, given: { named: { kind: 'json', body }, whole: { kind: 'body', raw: text } } };
}

function fromPairs(pairs: [string, string][]): { keys: string[]; given: Given } {
  const keys = [...new Set(pairs.map(([key]) => key))];
  const unnamed = pairs.findLast(([key]) => key === '')?.[1];
  const whole: Arguments =
    unnamed === undefined ? { kind: 'texts', pairs: [] } : { kind: 'body', raw: Buffer.from(unnamed) };
  return { keys, given: { named: { kind: 'texts', pairs }, whole } };
}

function shapeOf(routine: Routine): 'rows' | 'row' | 'scalars' | 'scalar' {
  if (routine.returns === 'composite') return routine.returnsSet ? 'rows' : 'row';
  return routine.returnsSet ? 'scalars' : 'scalar';
}

function rowsSql(routine: Routine, root: ReadNode, statement: Statement): string {
  if (routine.returns === 'composite')
    return selectSql(root, expressionSource(root, '"pgrst_source"'), statement);
  const offset = root.offset > 0 ? ` OFFSET ${root.offset}` : '';
  return `SELECT * FROM "pgrst_source"${routine.returnsSet ? ` LIMIT ${root.limit ?? 'ALL'}${offset}` : ''}`;
}
