import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react';
import { STILL_TO_COME, useSavesData } from '#app/ui/states/saves-data.ts';
import { classes } from '#app/ui/texts/classes.ts';
import noImage from './no-image.svg?no-inline';

/** The props of an image that reports, also where it failed before hydration, that it cannot be loaded. */
export function useImageFailure(onFailure: () => void) {
  const image = useRef<HTMLImageElement>(null);
  // An image that failed before hydration fires no error event in React.
  const checkFirst = useEffectEvent(() => {
    if (image.current?.complete && image.current.naturalWidth === 0) onFailure();
  });
  useEffect(() => checkFirst(), []);
  return { ref: image, onError: onFailure };
}

interface PictureProps extends ComponentProps<'img'> {
  alt: string;
}

/** A member's picture; when it cannot be loaded, a drawn sign, never the browser's own of a broken picture. */
export function Picture({ src, srcSet, alt, className, ...props }: PictureProps) {
  const [failed, setFailed] = useState<string>();
  const isMissing = src !== undefined && failed === src;
  const isSpared = useSavesData() && src !== undefined && !src.startsWith('blob:');
  const instead = isMissing ? noImage : isSpared ? STILL_TO_COME : undefined;
  return (
    <img
      {...props}
      {...useImageFailure(() => setFailed(src))}
      src={instead ?? src}
      srcSet={instead ? undefined : srcSet}
      data-spared={isSpared || undefined}
      alt={alt}
      className={classes('picture', className)}
    />
  );
}
