import { useEffect } from 'react';
import { data, type HeadersFunction } from 'react-router';
import { PageError } from '#app/frame/layout/page-error.tsx';
import { socialMeta } from '#app/frame/layout/social-meta.ts';
import { authorName } from '#app/frame/members/names.ts';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/page/page-data.tsx';
import { sumsQuery } from '#app/sharing/still-in-use/data.ts';
import { trialsQuery } from '#app/sharing/trials/data.ts';
import { pageTitle } from '#app/site.ts';
import { requiredAudienceQuery } from '#app/solution/audience/data.ts';
import {
  articleOf,
  type CitedTranslation,
  citationTags,
  itemsOf,
  linkHeader,
  MAX_SUMMARY,
  pageRecord,
  signposts,
  translatedRecord,
  translationOf,
} from '#app/solution/citing/record.ts';
import { commentsQuery } from '#app/solution/comments/data.ts';
import { relatedQuery, solutionQuery } from '#app/solution/solutions/data.ts';
import { translationQuery } from '#app/solution/translations/data.ts';
import { versionQuery } from '#app/solution/versions/content.ts';
import { warnedTitle } from '#app/solution/warnings/safety-notice-kinds.ts';
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
  const language = 'language' in params ? params.language : undefined;
  const [solution, translation] = await Promise.all([
    cache.fetchQuery({ ...solutionQuery(client, params.id), retry: false }),
    language === undefined
      ? null
      : cache.fetchQuery({ ...translationQuery(client, params.id, language), retry: false }),
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
  const version = translation?.version ?? solution?.version;
  // What an earlier version says that was translated.
  const of =
    solution && version !== undefined && version < solution.version
      ? (await cache.fetchQuery({ ...versionQuery(client, params.id, version), retry: false }))?.content
      : solution;
  const isFound = solution && (language === undefined || translation);
  const record = isFound && version !== undefined && of ? pageRecord(origin, solution, version, of) : null;
  const path = `/solutions/${params.id}`;
  const cited: CitedTranslation | null = record &&
    translation && {
      original: record,
      url: `${origin}${path}/translations/${translation.language}`,
      title: translation.texts.title ?? record.title,
      description: cutText(translation.texts.description ?? '', MAX_SUMMARY),
      language: translation.language,
      by: translation.user_id === null ? null : authorName(translation.user_id, translation.writer),
      approvedAt: translation.approved_at ?? translation.updated_at,
    };
  const { title, description } = cited ?? solution ?? { title: '', description: '' };
  const summary = isFound && {
    origin,
    path: translation ? `${path}/translations/${translation.language}` : path,
    title: warnedTitle(solution.safety_kind, title),
    description: cutText(description, MAX_SUMMARY),
    record: cited ? translatedRecord(cited) : record,
    cited,
    languages: [
      { language: solution.language, path },
      ...solution.translations.map((one) => ({
        language: one.language,
        path: `${path}/translations/${one.language}`,
      })),
    ],
  };
  const status = isFound ? 200 : withdrawn ? 410 : required ? 403 : 404;
  return data(
    {
      state: pageData(cache),
      summary,
      missing: withdrawn
        ? 'Solution withdrawn'
        : language === undefined
          ? 'Solution'
          : 'Translation not found',
    },
    {
      status,
      headers:
        isFound && summary?.record
          ? linkHeader(
              signposts(summary.record, record?.url),
              // A translation leads to what is cited; the files belong to the original.
              cited ? [] : itemsOf(summary.record, solution),
            )
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
    return [{ title: pageTitle(loaderData?.missing ?? 'Solution') }, { name: 'robots', content: 'noindex' }];
  const { origin, path, title, description, record, cited, languages } = summary;
  const [original] = languages;
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
      picture: `${original?.path}/card.png`,
    }),
    ...(languages.length > 1
      ? [{ language: 'x-default', path: original?.path }, ...languages].map((one) => ({
          tagName: 'link',
          rel: 'alternate',
          hrefLang: one.language,
          href: `${origin}${one.path}`,
        }))
      : []),
    ...(record
      ? [...citationTags(record), { 'script:ld+json': cited ? translationOf(cited) : articleOf(record) }]
      : []),
  ];
};

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  useEffect(() => toast({ tone: 'error', title: failed }), []);
  return <PageError error={error} title={failed} />;
}

export default function SolutionPage({ loaderData, params }: Route.ComponentProps) {
  return (
    <PageDataBoundary data={loaderData.state}>
      <SolutionView
        key={params.id}
        id={params.id}
        language={'language' in params ? params.language : undefined}
      />
    </PageDataBoundary>
  );
}
