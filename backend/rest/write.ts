import { type Body, contentType, parseBody } from './body.ts';
import { planRead } from './plan-read.ts';
import { type Preferences, preferenceApplied } from './preferences.ts';
import { contentHeaders, type RestRequest, run } from './request.ts';
import { contentRange, toResponse } from './respond.ts';
import type { Relation } from './schema/relation.ts';
import { expressionSource, selectSql } from './sql/read.ts';
import { AFFECTED, bodySql, guardSql, PAGE, type ResultRow, resultSql } from './sql/result.ts';
import { Statement } from './sql/sql.ts';
import { deleteSql, insertSql, putSql, updateSql, type Write } from './sql/write.ts';

/** POST, PATCH, PUT and DELETE on a table or view. */
export async function write(input: RestRequest, relation: Relation): Promise<Response> {
  const { method, query, schema, preferences, format } = input;
  const represents = preferences.return === 'representation';
  const representation = represents
    ? planRead(query, schema, {
        relation,
        alias: relation.name,
        schemaName: relation.schema,
        maxRows: undefined,
        filterRoot: false,
      })
    : undefined;
  const statement = new Statement();
  const source = writeSql({ relation, query, preferences, representation }, method, bodyOf(input), statement);
  const row = await run(
    input,
    resultSql({
      source,
      rows: representation
        ? selectSql(representation, expressionSource(representation, '"pgrst_source"'), statement)
        : 'SELECT 1 FROM "pgrst_source"',
      body: representation ? bodySql(format, 'rows') : `''`,
      location: method === 'POST' && preferences.return === 'headers-only' && relation.primaryKey.length > 0,
      guards: guards(input),
    }),
    statement.values,
    false,
  );
  const affected = Number(row.affected);
  const counts = preferences.count === 'exact' || preferences.count === 'estimated';
  return toResponse(
    {
      status: statusOf(method, preferences, row),
      headers: {
        ...(represents ? contentHeaders(input) : {}),
        'content-range':
          method === 'PUT'
            ? undefined
            : contentRange(0, method === 'PATCH' ? affected : 0, counts ? affected : undefined),
        location: locationOf(relation, row),
        'preference-applied': preferenceApplied(preferences, preferenceOf(input, relation)),
      },
      body: represents ? row.body : null,
    },
    row,
  );
}

function bodyOf({ method, request, body, query, caller }: RestRequest): Body {
  if (method === 'DELETE') return { rows: '[]', raw: body, keys: [], count: 0, isArray: true };
  const columns = method === 'PUT' ? undefined : query.columns;
  return parseBody(body, contentType(request), columns, caller.role);
}

function writeSql(parts: Write, method: string, body: Body, statement: Statement): string {
  switch (method) {
    case 'POST':
      return insertSql(parts, body, statement);
    case 'PUT':
      return putSql(parts, body, statement);
    case 'PATCH':
      return updateSql(parts, body, statement);
    default:
      return deleteSql(parts, statement);
  }
}

/** The errors that must undo the write: the client would take its answer for a failure. */
function guards({ method, preferences, format }: RestRequest): string[] {
  const list = [];
  if (method === 'PUT') list.push(guardSql(115, `${AFFECTED} <> 1`, AFFECTED));
  if (format.kind === 'object') list.push(guardSql(116, `${PAGE} <> 1`, PAGE));
  const { maxAffected, handling } = preferences;
  if (maxAffected !== undefined && handling === 'strict' && (method === 'PATCH' || method === 'DELETE')) {
    list.push(guardSql(124, `${AFFECTED} > ${maxAffected}`, AFFECTED));
  }
  return list;
}

function statusOf(method: string, preferences: Preferences, row: ResultRow): number {
  const merged = row.inserted === null ? row.affected === '0' : row.inserted <= 0;
  if (method === 'POST') return preferences.resolution === 'merge-duplicates' && merged ? 200 : 201;
  if (preferences.return !== 'representation') return 204;
  return method === 'PUT' && !merged ? 201 : 200;
}

function locationOf(relation: Relation, row: ResultRow): string | undefined {
  if (row.location === null || Number(row.affected) !== 1) return undefined;
  const pairs = JSON.parse(row.location) as [string, string | null][];
  const query = pairs.map(
    ([key, value]) =>
      `${encodeURIComponent(key)}=${value === null ? 'is.null' : `eq.${encodeURIComponent(value)}`}`,
  );
  return `/${encodeURIComponent(relation.name)}?${query.join('&')}`;
}

function preferenceOf({ method, query }: RestRequest, relation: Relation): (keyof Preferences)[] {
  const keyed = relation.primaryKey.length > 0 || query.onConflict !== undefined;
  return [
    ...(method === 'POST' && keyed ? (['resolution'] as const) : []),
    ...(method === 'POST' || method === 'PATCH' ? (['missing'] as const) : []),
    'return',
    'count',
    'tx',
    'handling',
    'timezone',
    ...(method === 'PATCH' || method === 'DELETE' ? (['maxAffected'] as const) : []),
  ];
}
