import { CLOSED_PAGES } from '#app/site.ts';
import type { Route } from './+types/robots.ts';

export function loader({ request }: Route.LoaderArgs) {
  const lines = [
    'User-agent: *',
    ...CLOSED_PAGES.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL('/sitemap.xml', request.url).href}`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
