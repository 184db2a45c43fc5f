import { createContext } from 'react-router';
import type { Route } from './+types/robots.ts';

/** The paths of all pages that are not for everyone, as the routes write them. */
export const closedContext = createContext<string[]>([]);

export function loader({ request, context }: Route.LoaderArgs) {
  const lines = [
    'User-agent: *',
    ...context
      .get(closedContext)
      .map((path) => `Disallow: ${path.replaceAll(/:\w+/g, '*').replace(/\*$/, '')}`),
    '',
    `Sitemap: ${new URL('/sitemap.xml', request.url).href}`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
