import { type AnswerOf, readAnswer, type Schemas } from '#app/errors.ts';
import { serverClient } from '#app/supabase.ts';
import type { Route } from './+types/sitemap.ts';

const pages = [
  '/',
  '/browse',
  '/evidence',
  '/forum',
  '/resources',
  '/take-with-you',
  '/about',
  '/contact',
  '/privacy-policy',
  '/terms-of-service',
  '/cookie-policy',
  '/compliance',
  '/developers',
  '/status',
];

const entriesSchema = (z: Schemas) => z.array(z.tuple([z.string(), z.nullable(z.string())]));

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * A sitemap or an index of sitemaps, as sitemaps.org defines them.
 *
 * @param items elements, with their text escaped
 */
export function xml(root: 'urlset' | 'sitemapindex', items: string[]): Response {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${items.join('\n')}\n</${root}>\n`;
  return new Response(text, {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}

/** One page of the sitemap: the constant pages, or some of the solutions, topics or members. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { origin } = new URL(request.url);
  const [, kind = '', page] =
    /^(pages|solutions|topics|members)(?:-([1-9]\d{0,3}))?\.xml$/.exec(params.name) ?? [];
  let entries: AnswerOf<typeof entriesSchema> = [];
  if (kind === 'pages') entries = pages.map((path) => [path, null]);
  else if (kind && page) {
    const db = await serverClient(context)();
    entries = await readAnswer(db.rpc('sitemap_page', { kind, page: Number(page) }), entriesSchema);
  }
  if (entries.length === 0) return new Response('Not Found', { status: 404 });
  return xml(
    'urlset',
    entries.map(([path, changed]) => {
      const time = changed ? `<lastmod>${new Date(changed).toISOString()}</lastmod>` : '';
      return `<url><loc>${origin}${escaped(encodeURI(path))}</loc>${time}</url>`;
    }),
  );
}
