import { unwrap } from '#app/errors.ts';
import { serverClient } from '#app/supabase.ts';
import type { Route } from './+types/sitemap-index.ts';
import { xml } from './sitemap.ts';

/** As many addresses as the database puts on one page of the map; search engines take up to 50,000. */
const PAGE_SIZE = 10_000;

const areSizes = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((size) => typeof size === 'number');

/** Names the pages of the site's map, for search engines. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const db = await serverClient(context)();
  const sizes: unknown = unwrap(await db.rpc('sitemap_sizes'));
  if (!areSizes(sizes)) throw new Error('sitemap_sizes answered something else than sizes');
  const names = [
    'pages',
    ...Object.entries(sizes).flatMap(([kind, size]) =>
      Array.from({ length: Math.ceil(size / PAGE_SIZE) }, (_, page) => `${kind}-${page + 1}`),
    ),
  ];
  const { origin } = new URL(request.url);
  return xml(
    'sitemapindex',
    names.map((name) => `<sitemap><loc>${origin}/sitemap/${name}.xml</loc></sitemap>`),
  );
}
