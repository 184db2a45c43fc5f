import { data, useLocation } from 'react-router';
import { feedLink, socialMeta } from '#app/frame/layout/social-meta.ts';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/page/page-data.tsx';
import { pageTitle } from '#app/site.ts';
import { serverClient } from '#app/supabase.ts';
import type { Route } from './+types/forum-page.ts';
import { categoryLabel, forumFeedUrl, forumUrl, readChoice } from './categories.ts';
import { topicsQuery } from './data.ts';
import { TopicList } from './topic-list.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { origin, searchParams } = new URL(request.url);
  const cache = context.get(cacheContext);
  try {
    await cache.fetchInfiniteQuery({
      ...topicsQuery(serverClient(context), readChoice(searchParams)),
      retry: false,
    });
    return { state: pageData(cache), origin };
  } catch (error) {
    console.error('forum:', error);
    return data({ state: undefined, origin }, { status: 503 });
  }
}

/** Without a connection the page stays, and says that the requested topics could not be loaded. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch(() => ({ state: undefined, origin: location.origin }));
}

const text =
  'Questions, answers and stories from prosthetics professionals: socket fit, materials, control, research and success stories.';

export const meta = ({ location, loaderData }: Route.MetaArgs) => {
  const { category, search } = readChoice(new URLSearchParams(location.search));
  const title = category ? `${categoryLabel(category)} · Forum` : 'Forum';
  return [
    { title: pageTitle(search ? `“${search}” in the forum` : title) },
    { name: 'description', content: text },
    feedLink(title, forumFeedUrl({ category })),
    ...(search ? [{ name: 'robots', content: 'noindex' }] : []),
    ...socialMeta({
      origin: loaderData?.origin ?? '',
      path: forumUrl({ category }),
      title: pageTitle(title),
      text,
      type: 'website',
    }),
  ];
};

export default function ForumRoute({ loaderData }: Route.ComponentProps) {
  const { search } = useLocation();
  return (
    <PageDataBoundary data={loaderData.state}>
      <TopicList choice={readChoice(new URLSearchParams(search))} />
    </PageDataBoundary>
  );
}
