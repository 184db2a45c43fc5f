import { readAnswer } from '#app/errors.ts';
import { serverClient } from '#app/supabase.ts';
import type { Route } from './+types/sitemap-index.ts';
import { xml } from './sitemap.ts';

/** As many addresses as the database puts on one page of the map; search engines take up to 50,000. */
const PAGE_SIZE = 1_000;

/** Lists the pages of the sitemap, for search engines. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const db = await serverClient(context)();
  const sizes = await readAnswer(db.rpc('sitemap_sizes'), (z) => z.record(z.string(), z.number()));
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
