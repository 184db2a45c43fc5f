import { HEADLINE, SITE_NAME } from '#app/site.ts';
import { light } from '#app/ui/tokens.ts';

/** What an installed site is called and looks like. https://www.w3.org/TR/appmanifest/ */
export function loader() {
  const icon = (size: number, purpose: 'any' | 'maskable') => ({
    src: `/icons/${purpose}-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  const manifest = {
    id: '/',
    name: SITE_NAME,
    short_name: SITE_NAME,
    description: HEADLINE,
    start_url: '/',
    display: 'standalone',
    background_color: light.bg,
    theme_color: light.surface,
    lang: 'en-GB',
    categories: ['medical', 'education'],
    icons: [icon(192, 'any'), icon(512, 'any'), icon(192, 'maskable'), icon(512, 'maskable')],
    shortcuts: [
      { name: 'Browse Solutions', url: '/browse' },
      { name: 'Share Your Solution', url: '/upload' },
    ],
  };
  return Response.json(manifest, {
    headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=3600' },
  });
}
