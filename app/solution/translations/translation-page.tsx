import { data, type HeadersFunction } from 'react-router';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/context/page-data.tsx';
import { PageError } from '#app/frame/layout/page-error.tsx';
import { authorName } from '#app/people/members/names.ts';
import { pageTitle } from '#app/site.ts';
import {
  type CitedTranslation,
  citationTags,
  linkHeader,
  MAX_SUMMARY,
  recordOf,
  signposts,
  sourcesOf,
  translatedRecord,
  translationOf,
} from '#app/solution/citing/record.ts';
import { solutionQuery } from '#app/solution/solutions/data.ts';
import { versionQuery } from '#app/solution/versions/content.ts';
import { withdrawnQuery } from '#app/solution/withdrawals/data.ts';
import { serverClient } from '#app/supabase.ts';
import { cutText } from '../../../texts/cut-text.ts';
import type { Route } from './+types/translation-page.ts';
import { changesSinceQuery, translationQuery } from './data.ts';
import { TranslationView } from './translation-view.tsx';

const failed = 'Failed to load translation';

export async function loader({ params: { id, language }, context, request }: Route.LoaderArgs) {
  const cache = context.get(cacheContext);
  const client = serverClient(context);
  const [solution, translation] = await Promise.all([
    cache.fetchQuery({ ...solutionQuery(client, id), retry: false }),
    cache.fetchQuery({ ...translationQuery(client, id, language), retry: false }),
  ]);
  const withdrawn =
    solution === null ? await cache.fetchQuery({ ...withdrawnQuery(client, id), retry: false }) : null;
  let summary:
    | { title: string; origin: string; languages: string[]; translation: CitedTranslation }
    | undefined;
  if (solution && translation) {
    const { version, texts, user_id, writer, approved_at, updated_at } = translation;
    const shown = await cache.fetchQuery({ ...versionQuery(client, id, version), retry: false });
    if (version < solution.version)
      await cache.prefetchQuery({
        ...changesSinceQuery(client, id, version, solution.version),
        retry: false,
      });
    const { origin } = new URL(request.url);
    const original =
      shown?.content &&
      recordOf(
        origin,
        solution,
        version,
        { ...shown.content, description: '' },
        sourcesOf(solution, version),
      );
    const title = texts.title ?? solution.title;
    if (original)
      summary = {
        title,
        origin,
        languages: solution.translations.map((one) => one.language),
        translation: {
          original,
          url: `${origin}/solutions/${id}/translations/${language}`,
          title,
          description: cutText(texts.description ?? '', MAX_SUMMARY),
          language,
          by: user_id === null ? null : authorName(user_id, writer),
          approvedAt: approved_at ?? updated_at,
        },
      };
  }
  return data(
    { state: pageData(cache), summary },
    {
      status: withdrawn ? 410 : summary ? 200 : 404,
      headers: summary
        ? linkHeader(signposts(translatedRecord(summary.translation), summary.translation.original.url))
        : {},
    },
  );
}

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta = ({ loaderData, params, error }: Route.MetaArgs) => {
  const summary = loaderData?.summary;
  if (error) return [{ title: pageTitle(failed) }];
  if (!summary)
    return [{ title: pageTitle('Translation not found') }, { name: 'robots', content: 'noindex' }];
  const original = `${summary.origin}/solutions/${params.id}`;
  const inLanguage = (language: string) => `${original}/translations/${language}`;
  return [
    { title: pageTitle(summary.title) },
    { tagName: 'link', rel: 'canonical', href: inLanguage(params.language) },
    { tagName: 'link', rel: 'alternate', hrefLang: 'x-default', href: original },
    ...summary.languages.map((language) => ({
      tagName: 'link',
      rel: 'alternate',
      hrefLang: language,
      href: inLanguage(language),
    })),
    ...citationTags(translatedRecord(summary.translation)),
    { 'script:ld+json': translationOf(summary.translation) },
  ];
};

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageError error={error} title={failed} />;
}

export default function TranslationPage({ loaderData, params: { id, language } }: Route.ComponentProps) {
  return (
    <PageDataBoundary data={loaderData.state}>
      <TranslationView key={`${id} ${language}`} solutionId={id} language={language} />
    </PageDataBoundary>
  );
}
