import { HEADLINE } from '#app/frame/layout/headline.ts';
import { readSiteSettings } from '#app/frame/page/site-settings.ts';
import { configContext } from '#app/supabase.ts';
import { barColours } from '#app/ui/accent.ts';
import { light } from '#app/ui/tokens.ts';
import type { Route } from './+types/manifest.ts';

/** What an installed site is called and looks like. https://www.w3.org/TR/appmanifest/ */
export async function loader({ context }: Route.LoaderArgs) {
  const { site_name: name, logo_url: logo, accent_colour: accent } = await readSiteSettings(context);
  const icon = (size: number, purpose: 'any' | 'maskable') => ({
    src: `/icons/${purpose}-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  const manifest = {
    id: '/',
    name,
    short_name: name,
    description: HEADLINE,
    start_url: '/',
    display: 'standalone',
    background_color: light.bg,
    theme_color: barColours(accent).light,
    lang: 'en-GB',
    categories: ['medical', 'education'],
    icons: logo
      ? [
          {
            src: context.get(configContext).url + logo,
            sizes: '512x512',
            type: 'image/webp',
            purpose: 'any',
          },
        ]
      : [icon(192, 'any'), icon(512, 'any'), icon(192, 'maskable'), icon(512, 'maskable')],
    shortcuts: [
      { name: 'Browse Solutions', url: '/browse' },
      { name: 'Share Your Solution', url: '/upload' },
    ],
  };
  return Response.json(manifest, {
    headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=3600' },
  });
}
