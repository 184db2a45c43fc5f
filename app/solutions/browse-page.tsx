import { dehydrate, HydrationBoundary, type InfiniteData } from '@tanstack/react-query';
import { data, useLocation } from 'react-router';
import { createQueryClient } from '#app/query-client.ts';
import { pageTitle } from '#app/site.ts';
import { serverClient } from '#app/supabase.ts';
import type { Route } from './+types/browse-page.ts';
import { Browse } from './browse.tsx';
import { type BrowsePage, browseQuery } from './data.ts';
import { readFilters } from './filters.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const filters = readFilters(new URL(request.url).searchParams);
  const cache = createQueryClient();
  const query = browseQuery(serverClient(context), filters);
  try {
    const found: InfiniteData<BrowsePage> = await cache.fetchInfiniteQuery({
      ...query,
      pages: filters.pages,
      retry: false,
    });
    return { state: dehydrate(cache), total: found.pages[0]?.total ?? 0 };
  } catch (error) {
    console.error('browse:', error);
    return data({ state: undefined, total: undefined }, { status: 503 });
  }
}

/** Without a connection the page stays, and says that it could not load what was asked for. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch(() => ({ state: undefined, total: undefined }));
}

export const meta = ({ location }: Route.MetaArgs) => {
  const { search, values } = readFilters(new URLSearchParams(location.search));
  const subject = [search && `“${search}”`, ...values].filter(Boolean).join(', ');
  return [
    { title: pageTitle(subject ? `${subject} in Browse Solutions` : 'Browse Solutions') },
    {
      name: 'description',
      content:
        'Prosthetic solutions shared by professionals and reviewed by moderators: search and filter by amputation level, function, materials and more.',
    },
    { property: 'og:title', content: pageTitle('Browse Solutions') },
  ];
};

export default function BrowseRoute({ loaderData }: Route.ComponentProps) {
  const { search } = useLocation();
  return (
    <HydrationBoundary state={loaderData.state}>
      <Browse filters={readFilters(new URLSearchParams(search))} />
    </HydrationBoundary>
  );
}
