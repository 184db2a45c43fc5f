import { useState } from 'react';
import { useFileUrl } from '#app/file-url.ts';

const PUBLIC = '/storage/v1/object/public/';
/** Beside the stored 960 pixels: for a card in a row of three, and for a phone of 360 pixels at double density. */
const WIDTHS = [400, 672];

/**
 * The picture of a solution on a card, in 16:9, as large as the card needs it. The storage service makes the smaller ones
 * when they are first asked for; where it will not, the stored one is shown. A Supabase project is not asked: it makes
 * them on paid plans only, and counts each.
 */
export function CardPicture({ path, eager }: { path: string; eager: boolean | undefined }) {
  const fileUrl = useFileUrl();
  const [isRefused, setIsRefused] = useState(false);
  const src = fileUrl(path);
  const smaller =
    !isRefused && src.startsWith(PUBLIC)
      ? WIDTHS.map(
          (width) =>
            `${src.replace('/object/', '/render/image/')}?width=${width}&height=${(width * 9) / 16} ${width}w, `,
        )
      : [];
  return (
    <img
      // One that failed before the page came alive says so only when it is looked at.
      ref={(picture) => {
        if (picture?.complete && picture.naturalWidth === 0 && smaller.length > 0) setIsRefused(true);
      }}
      onError={() => setIsRefused(true)}
      src={src}
      srcSet={smaller.length > 0 ? `${smaller.join('')}${src} 960w` : undefined}
      // A browser that can looks at the layout of what it loads later; the others take the rest of it.
      sizes={`${eager ? '' : 'auto, '}(width < 672px) calc(100vw - 32px), 336px`}
      alt=""
      width={960}
      height={540}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
      className="picture aspect-video w-full rounded-md object-cover shadow-[inset_0_0_0_1px_var(--line)]"
    />
  );
}
