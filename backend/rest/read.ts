import { notSingular } from './errors.ts';
import { planRead } from './plan-read.ts';
import { type PlannedReads, type ReadStatement, shapeOf } from './planned-reads.ts';
import { preferenceApplied } from './preferences.ts';
import { applyRange, contentHeaders, type IncomingRequest, run, understand } from './request.ts';
import { contentLocation, contentRange, rangeStatus, toResponse } from './respond.ts';
import { findRelation } from './schema/find-relation.ts';
import { countSql, relationSource, selectSql } from './sql/read.ts';
import { bodySql, resultSql } from './sql/result.ts';
import { Statement } from './sql/sql.ts';

/**
 * GET and HEAD on a table or view.
 *
 * @param name of the table or view
 */
export async function read(incoming: IncomingRequest, name: string, plans: PlannedReads): Promise<Response> {
  const { request, method, schema, schemaName, caller, search } = incoming;
  const shape = shapeOf(search);
  const isVisitor = caller.role === 'anon';
  const headers = ['prefer', 'accept', 'range'].map((header) => request.headers.get(header) ?? '');
  const key = [isVisitor, method, schemaName, name, ...headers, shape.text].join('\n');
  const planned = plans.find(schema, key, shape);
  if (planned) return answer(incoming, name, planned);
  const made = statementOf(incoming, name);
  plans.keep(key, shape, (query) => statementOf({ ...incoming, search: query }, name));
  return answer(incoming, name, made);
}

function statementOf(incoming: IncomingRequest, name: string): ReadStatement {
  const input = understand(incoming, false);
  const { method, query, schema, preferences, format, config } = input;
  const relation = findRelation(schema, input.schemaName, name);
  const node = planRead(query, schema, {
    relation,
    alias: relation.name,
    schemaName: relation.schema,
    maxRows: config.api.max_rows,
    filterRoot: true,
  });
  const root = { ...node, relation };
  applyRange(root, input);
  const source = relationSource(root);
  const statement = new Statement();
  const sql = resultSql({
    rows: selectSql(root, source, statement),
    count: preferences.count && countSql(root, source, statement),
    body: method === 'HEAD' ? `''` : bodySql(format, 'rows'),
  });
  return { sql, values: statement.values, offset: root.offset, format, preferences };
}

async function answer(
  incoming: IncomingRequest,
  name: string,
  { sql, values, offset, format, preferences }: ReadStatement,
): Promise<Response> {
  const input = { ...incoming, format, preferences };
  const row = await run(input, sql, values, true);
  const page = Number(row.page);
  if (format.kind === 'object' && page !== 1) throw notSingular(page);
  const total = row.total === null ? undefined : Number(row.total);
  return toResponse(
    {
      status: rangeStatus(offset, page, total),
      headers: {
        ...contentHeaders(input),
        'content-range': contentRange(offset, page, total),
        'content-location': contentLocation(name, incoming.search),
        'preference-applied': preferenceApplied(preferences, ['count', 'tx', 'handling', 'timezone']),
      },
      body: incoming.method === 'HEAD' ? null : row.body,
    },
    row,
  );
}
