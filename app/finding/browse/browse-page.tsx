import { data, useLocation } from 'react-router';
import { feedLink, socialMeta } from '#app/frame/layout/social-meta.ts';
import { cacheContext, PageDataBoundary, pageData } from '#app/frame/page/page-data.tsx';
import { reportContext } from '#app/frame/page/request-id.ts';
import { pageTitle } from '#app/site.ts';
import { browseQuery } from '#app/solution/solutions/data.ts';
import { browseUrl, feedUrl, readFilters } from '#app/solution/solutions/filters.ts';
import { serverClient } from '#app/supabase.ts';
import type { Route } from './+types/browse-page.ts';
import { SolutionList } from './solution-list.tsx';

const summary =
  'Prosthetic solutions shared by professionals and reviewed by moderators: search and filter by amputation level, function, materials and more.';

export async function loader({ request, context }: Route.LoaderArgs) {
  const filters = readFilters(new URL(request.url).searchParams);
  const cache = context.get(cacheContext);
  const query = browseQuery(serverClient(context), filters);
  const { origin } = new URL(request.url);
  try {
    await cache.fetchInfiniteQuery({
      ...query,
      pages: filters.pages,
      retry: false,
    });
    return { state: pageData(cache), origin };
  } catch (error) {
    context.get(reportContext).report(error, 'browse page');
    return data({ state: undefined, origin }, { status: 503 });
  }
}

/** Without a connection the page stays, and says that the requested results could not be loaded. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch(() => ({ state: undefined, origin: location.origin }));
}

export const meta = ({ location, loaderData }: Route.MetaArgs) => {
  const { search, values, match } = readFilters(new URLSearchParams(location.search));
  const subject = [search && `“${search}”`, ...values].filter(Boolean).join(', ');
  const title = subject ? `${subject} in Browse Solutions` : 'Browse Solutions';
  return [
    { title: pageTitle(title) },
    { name: 'description', content: summary },
    feedLink(title, feedUrl({ search, values, match })),
    ...(loaderData
      ? socialMeta({
          origin: loaderData.origin,
          path: browseUrl({ search, values }),
          title,
          text: summary,
          type: 'website',
        })
      : []),
  ];
};

export default function BrowseRoute({ loaderData }: Route.ComponentProps) {
  const { search } = useLocation();
  return (
    <PageDataBoundary data={loaderData.state}>
      <SolutionList filters={readFilters(new URLSearchParams(search))} />
    </PageDataBoundary>
  );
}
