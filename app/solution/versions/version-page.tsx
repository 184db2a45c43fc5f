import { data, type HeadersFunction } from 'react-router';
import { PageError } from '#app/frame/layout/page-error.tsx';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/page/page-data.tsx';
import { pageTitle } from '#app/site.ts';
import {
  articleOf,
  citationTags,
  itemsOf,
  linkHeader,
  pageRecord,
  signposts,
} from '#app/solution/citing/record.ts';
import { solutionQuery } from '#app/solution/solutions/data.ts';
import { warnedTitle } from '#app/solution/warnings/safety-notice-kinds.ts';
import { withdrawnQuery } from '#app/solution/withdrawals/data.ts';
import { serverClient } from '#app/supabase.ts';
import type { Route } from './+types/version-page.ts';
import { markedSolutionsQuery, marksMissing, versionQuery } from './content.ts';
import { comparedWith, VersionView, versionTitle } from './version-view.tsx';

const failed = 'Failed to load solution';

export async function loader({ params, context, request }: Route.LoaderArgs) {
  const cache = context.get(cacheContext);
  const client = serverClient(context);
  const { origin, searchParams } = new URL(request.url);
  const version = Number(params.version);
  const [solution, shown] = await Promise.all([
    cache.fetchQuery({ ...solutionQuery(client, params.id), retry: false }),
    cache.fetchQuery({ ...versionQuery(client, params.id, version), retry: false }),
  ]);
  const withdrawn =
    solution === null ? await cache.fetchQuery({ ...withdrawnQuery(client, params.id), retry: false }) : null;
  const other = solution && shown && comparedWith(solution, version, searchParams.get('compare'));
  if (other) {
    const compared = await cache.fetchQuery({ ...versionQuery(client, params.id, other), retry: false });
    const [one = [], two = []] = [shown.content?.based_on, compared?.content?.based_on];
    const marks = [...marksMissing(one, two), ...marksMissing(two, one)];
    if (marks.length > 0) await cache.prefetchQuery({ ...markedSolutionsQuery(client, marks), retry: false });
  }
  const summary = solution &&
    shown && {
      origin,
      id: solution.id,
      title: shown.content?.title ?? solution.title,
      kind: solution.safety_kind,
      record: shown.content && pageRecord(origin, solution, version, shown.content),
    };
  // The text of a version can be removed as well.
  const status = withdrawn || (summary && !shown?.content) ? 410 : summary ? 200 : 404;
  return data(
    { state: pageData(cache), summary, isWithdrawn: withdrawn !== null },
    {
      status,
      headers:
        solution && summary?.record
          ? linkHeader(signposts(summary.record), itemsOf(summary.record, solution))
          : {},
    },
  );
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta = ({ loaderData, params, error }: Route.MetaArgs) => {
  const summary = loaderData?.summary;
  if (error) return [{ title: pageTitle(failed) }];
  if (!summary)
    return [
      { title: pageTitle(loaderData?.isWithdrawn ? 'Solution withdrawn' : 'Version not found') },
      { name: 'robots', content: 'noindex' },
    ];
  return [
    { title: pageTitle(warnedTitle(summary.kind, versionTitle(summary.title, Number(params.version)))) },
    // Search engines list the case, not each of its versions.
    { tagName: 'link', rel: 'canonical', href: `${summary.origin}/solutions/${summary.id}` },
    ...(summary.record
      ? [...citationTags(summary.record), { 'script:ld+json': articleOf(summary.record) }]
      : []),
  ];
};

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageError error={error} title={failed} />;
}

export default function VersionPage({ loaderData, params }: Route.ComponentProps) {
  return (
    <PageDataBoundary data={loaderData.state}>
      <VersionView
        key={`${params.id} ${params.version}`}
        solutionId={params.id}
        version={Number(params.version)}
      />
    </PageDataBoundary>
  );
}
