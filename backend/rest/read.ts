import { countRows, totalOf } from './count.ts';
import { notSingular } from './errors.ts';
import { planRead } from './plan-read.ts';
import { preferenceApplied } from './preferences.ts';
import { applyRange, contentHeaders, type RestRequest, run } from './request.ts';
import { contentLocation, contentRange, rangeStatus, toResponse } from './respond.ts';
import type { Relation } from './schema/relation.ts';
import { countSql, relationSource, selectSql } from './sql/read.ts';
import { bodySql } from './sql/result.ts';
import { Statement } from './sql/sql.ts';

/** GET and HEAD on a table or view. */
export async function read(input: RestRequest, relation: Relation): Promise<Response> {
  const { method, query, schema, preferences, format, config } = input;
  const node = planRead(query, schema, {
    relation,
    alias: relation.name,
    maxRows: config.api.max_rows,
    filterRoot: true,
  });
  const root = { ...node, relation };
  applyRange(root, input);
  const source = relationSource(root);
  const statement = new Statement();
  const row = await run(
    input,
    statement,
    {
      rows: selectSql(root, source, statement),
      count: countRows(input, () => countSql(root, source, statement)),
      body: method === 'HEAD' ? `''` : bodySql(format, 'rows'),
    },
    true,
  );
  const page = Number(row.page);
  if (format.kind === 'object' && page !== 1) throw notSingular(page);
  const total = await totalOf(input, row.total, (fresh) => countSql(root, source, fresh));
  return toResponse(
    {
      status: rangeStatus(root.offset, page, total),
      headers: {
        ...contentHeaders(input),
        'content-range': contentRange(root.offset, page, total),
        'content-location': contentLocation(relation.name, input.search),
        'preference-applied': preferenceApplied(preferences, ['count', 'tx', 'handling', 'timezone']),
      },
      body: method === 'HEAD' ? null : row.body,
    },
    row,
  );
}
