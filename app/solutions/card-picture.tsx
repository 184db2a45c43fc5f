import { useState } from 'react';
import { useFileUrl } from '#app/file-url.ts';

const PUBLIC = '/storage/v1/object/public/';
/** Beside the stored 960 pixels: for a card in a row of three, and for a phone of 360 pixels at double density. */
const WIDTHS = [400, 672];

/**
 * The picture of a solution on a card, in 16:9, no larger than the card needs. The storage service renders the smaller
 * sizes at the first request; when it refuses, the card shows the stored picture. A Supabase project is not asked, since
 * it renders on paid plans only and bills each picture.
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
      // A picture that failed before hydration fires no error event here.
      ref={(picture) => {
        if (picture?.complete && picture.naturalWidth === 0 && smaller.length > 0) setIsRefused(true);
      }}
      onError={() => setIsRefused(true)}
      src={src}
      srcSet={smaller.length > 0 ? `${smaller.join('')}${src} 960w` : undefined}
      // With `auto`, browsers that know it measure the layout of a lazy picture; the others read the rest.
      sizes={`${eager ? '' : 'auto, '}(width < 672px) calc(100vw - 32px), 336px`}
      alt=""
      width={960}
      height={540}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
    />
  );
}
