import { useState } from 'react';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import noImage from '#app/ui/surfaces/no-image.svg?no-inline';
import { STILL_TO_COME, useImageFailure, useSavesData } from '#app/ui/surfaces/picture.tsx';

const PUBLIC = '/storage/v1/object/public/';
/** For a card in a row of three, and for the same card and a phone of 360 pixels at double density. */
const WIDTHS = [400, 672];

/**
 * The picture of a solution on a card, in 16:9, no larger than the card needs. The storage service renders these sizes at
 * the first request; when it refuses, the card shows the stored picture, and without that a drawn sign,
 * never the browser's own of a broken picture. A Supabase project is not asked, since it renders on paid plans only and
 * bills each picture.
 */
export function CardPicture({ path, eager }: { path: string | null; eager: boolean | undefined }) {
  const fileUrl = useFileUrl();
  const [isRefused, setIsRefused] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const savesData = useSavesData();
  const stored = isMissing || !path ? noImage : savesData ? STILL_TO_COME : fileUrl(path);
  const rendered =
    !isRefused && stored.startsWith(PUBLIC) ? stored.replace('/object/', '/render/image/') : undefined;
  return (
    <img
      {...useImageFailure(() => (rendered ? setIsRefused(true) : setIsMissing(true)))}
      src={rendered ? undefined : stored}
      srcSet={
        rendered &&
        WIDTHS.map((width) => `${rendered}?width=${width}&height=${(width * 9) / 16} ${width}w`).join()
      }
      sizes={rendered && '(width<672px) 92vw,336px'}
      alt=""
      data-spared={(savesData && path !== null) || undefined}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
    />
  );
}
