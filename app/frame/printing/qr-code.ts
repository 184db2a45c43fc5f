import { renderSVG } from 'uqr';
import { languages } from '#app/ui/languages/languages.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';
import type { Route } from './+types/qr-code.ts';

/** The address of a solution, one of its translations or a collection as a QR code, which leads from a printed page back to the site. */
export function loader({ params, request }: Route.LoaderArgs) {
  const language = 'language' in params ? params.language : undefined;
  if (!isUuid(params.id) || (language !== undefined && !languages.includes(language)))
    throw new Response(null, { status: 404 });
  const page = new URL(request.url).pathname.replace(/\/qr\.svg$/, '');
  const address = new URL(page.replace(params.id, params.id.toLowerCase()), request.url).href;
  return new Response(renderSVG(address, { border: 2 }), {
    headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
  });
}
