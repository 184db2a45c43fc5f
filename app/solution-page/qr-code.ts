import { renderSVG } from 'uqr';
import { isUuid } from '#app/ui/uuid.ts';
import type { Route } from './+types/qr-code.ts';

/** A solution's address as a QR code, which leads from a printed page back to the site. */
export function loader({ params, request }: Route.LoaderArgs) {
  if (!isUuid(params.id)) throw new Response(null, { status: 404 });
  const address = new URL(`/solutions/${params.id.toLowerCase()}`, request.url).href;
  return new Response(renderSVG(address, { border: 2 }), {
    headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
  });
}
