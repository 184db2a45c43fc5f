import { cacheContext } from '#app/frame/page/page-data.tsx';
import { readSiteSettings } from '#app/frame/page/site-settings.ts';
import { DATACITE_TYPE, dataciteOf, recordOf } from '#app/solution/citing/record.ts';
import { solutionQuery } from '#app/solution/solutions/data.ts';
import { withdrawnQuery } from '#app/solution/withdrawals/data.ts';
import { serverClient } from '#app/supabase.ts';
import type { Route } from './+types/datacite.ts';
import { markedSolutionsQuery, versionQuery } from './content.ts';

/** The record of a version in DataCite's JSON; 410 where its solution was withdrawn or its text removed. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const cache = context.get(cacheContext);
  const client = serverClient(context);
  const version = Number(params.version);
  const [solution, shown] = await Promise.all([
    cache.fetchQuery(solutionQuery(client, params.id)),
    cache.fetchQuery(versionQuery(client, params.id, version)),
  ]);
  if (!solution || !shown?.content) {
    const gone = shown ?? (await cache.fetchQuery(withdrawnQuery(client, params.id)));
    throw new Response(null, { status: gone ? 410 : 404 });
  }
  const marks = shown.content.based_on;
  const sources = marks.length > 0 ? await cache.fetchQuery(markedSolutionsQuery(client, marks)) : [];
  const basedOn = sources.map(({ id }) => id);
  const record = recordOf(new URL(request.url).origin, solution, version, shown.content, basedOn);
  if (!record) throw new Response(null, { status: 404 });
  const { site_name } = await readSiteSettings(context);
  return new Response(`${JSON.stringify(dataciteOf(record, site_name), null, 1)}\n`, {
    headers: { 'content-type': `${DATACITE_TYPE}; charset=utf-8` },
  });
}
