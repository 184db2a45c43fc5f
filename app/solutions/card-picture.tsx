import { useState } from 'react';
import { useFileUrl } from '#app/file-url.ts';

const PUBLIC = '/storage/v1/object/public/';

/**
 * The picture of a solution on a card, in 16:9. The storage service makes it as large as a phone of 360 pixels or a row
 * of three cards needs at double density, at the first request; when it refuses, the card shows the stored picture of
 * 960 pixels. A Supabase project is not asked, since it renders on paid plans only and bills each picture.
 */
export function CardPicture({ path, eager }: { path: string; eager: boolean | undefined }) {
  const fileUrl = useFileUrl();
  const [isRefused, setIsRefused] = useState(false);
  const stored = fileUrl(path);
  const isRendered = !isRefused && stored.startsWith(PUBLIC);
  return (
    <img
      // A picture that failed before hydration fires no error event here.
      ref={(picture) => {
        if (picture?.complete && picture.naturalWidth === 0 && isRendered) setIsRefused(true);
      }}
      onError={() => setIsRefused(true)}
      src={isRendered ? `${stored.replace('/object/', '/render/image/')}?width=672&height=378` : stored}
      alt=""
      width={672}
      height={378}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
    />
  );
}
