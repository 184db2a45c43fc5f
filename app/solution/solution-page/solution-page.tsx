import { useEffect } from 'react';
import { data, type HeadersFunction } from 'react-router';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/context/page-data.tsx';
import { PageError } from '#app/frame/layout/page-error.tsx';
import { socialMeta } from '#app/frame/layout/social-meta.ts';
import { sumsQuery } from '#app/sharing/still-in-use/data.ts';
import { trialsQuery } from '#app/sharing/trials/data.ts';
import { pageTitle } from '#app/site.ts';
import { requiredAudienceQuery } from '#app/solution/audience/data.ts';
import {
  articleOf,
  citationTags,
  itemsOf,
  linkHeader,
  MAX_SUMMARY,
  recordOf,
  signposts,
  sourcesOf,
} from '#app/solution/citing/record.ts';
import { commentsQuery } from '#app/solution/comments/data.ts';
import { relatedQuery, solutionQuery } from '#app/solution/solutions/data.ts';
import { withdrawnQuery } from '#app/solution/withdrawals/data.ts';
import { serverClient } from '#app/supabase.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { isUuid } from '#app/ui/texts/uuid.ts';
import { cutText } from '../../../texts/cut-text.ts';
import type { Route } from './+types/solution-page.ts';
import { SolutionView } from './solution-view.tsx';

const failed = 'Failed to load solution';
export async function loader({ params, context, request }: Route.LoaderArgs) {
  const cache = context.get(cacheContext);
  const client = serverClient(context);
  const [solution] = await Promise.all([
    cache.fetchQuery({ ...solutionQuery(client, params.id), retry: false }),
    ...(isUuid(params.id)
      ? [
          cache.prefetchInfiniteQuery({ ...commentsQuery(client, params.id), retry: false }),
          cache.prefetchQuery({ ...relatedQuery(client, params.id), retry: false }),
          cache.prefetchQuery({ ...trialsQuery(client, params.id), retry: false }),
          cache.prefetchQuery({ ...sumsQuery(client, params.id), retry: false }),
        ]
      : []),
  ]);
  const withdrawn =
    solution === null ? await cache.fetchQuery({ ...withdrawnQuery(client, params.id), retry: false }) : null;
  const required =
    solution === null && !withdrawn
      ? await cache.fetchQuery({ ...requiredAudienceQuery(client, params.id), retry: false })
      : null;
  const { origin } = new URL(request.url);
  const summary = solution && {
    origin,
    id: solution.id,
    title: solution.title,
    description: cutText(solution.description, MAX_SUMMARY),
    record: recordOf(
      origin,
      solution,
      solution.version,
      { ...solution, description: cutText(solution.description, MAX_SUMMARY) },
      sourcesOf(solution, solution.version),
    ),
  };
  const status = solution ? 200 : withdrawn ? 410 : required ? 403 : 404;
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

export const meta = ({ loaderData, error }: Route.MetaArgs) => {
  const summary = loaderData?.summary;
  if (error) return [{ title: pageTitle(failed) }];
  // The page itself says whether this reader finds it: a case that waits for review is open to its author.
  if (!summary)
    return [
      { title: pageTitle(loaderData?.isWithdrawn ? 'Solution withdrawn' : 'Solution') },
      { name: 'robots', content: 'noindex' },
    ];
  const { origin, id, title, description, record } = summary;
  const path = `/solutions/${id}`;
  return [
    { title: pageTitle(title) },
    { name: 'description', content: description },
    ...socialMeta({
      origin,
      path,
      title,
      text: description,
      type: 'article',
      ...(record && { language: record.language }),
      picture: `${path}/card.png`,
    }),
    ...(record ? [...citationTags(record), { 'script:ld+json': articleOf(record) }] : []),
  ];
};

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  useEffect(() => toast({ tone: 'error', title: failed }), []);
  return <PageError error={error} title={failed} />;
}

export default function SolutionPage({ loaderData, params }: Route.ComponentProps) {
  return (
    <PageDataBoundary data={loaderData.state}>
      <SolutionView key={params.id} id={params.id} />
    </PageDataBoundary>
  );
}
