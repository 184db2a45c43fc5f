import { renderSVG } from 'uqr';
import { isUuid } from '#app/ui/texts/uuid.ts';
import type { Route } from './+types/qr-code.ts';

/** The address of a solution or collection as a QR code, which leads from a printed page back to the site. */
export function loader({ params, request }: Route.LoaderArgs) {
  if (!isUuid(params.id)) throw new Response(null, { status: 404 });
  const [kind] = /solutions|collections/.exec(new URL(request.url).pathname) ?? [];
  const address = new URL(`/${kind}/${params.id.toLowerCase()}`, request.url).href;
  return new Response(renderSVG(address, { border: 2 }), {
    headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
  });
}
