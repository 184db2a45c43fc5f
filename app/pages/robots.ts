import type { Route } from './+types/robots.ts';

/** Pages of one member alone, which search engines would only find asking to sign in. */
const closed = [
  '/admin',
  '/auth',
  '/complete-profile',
  '/messages',
  '/notifications',
  '/profile',
  '/settings',
  '/takedown',
  '/unsubscribe',
  '/upload',
];

export function loader({ request }: Route.LoaderArgs) {
  const lines = [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL('/sitemap.xml', request.url).href}`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
