import {
  type ComponentProps,
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { classes } from '#app/ui/texts/classes.ts';
import noImage from './no-image.svg?no-inline';

/** Stands in the place of an image that comes when the reader asks, in the room of that image. */
export const STILL_TO_COME =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg"><svg x="50%" y="50%" overflow="visible"><g transform="translate(-12 -12)" fill="none" stroke="#6b7672" stroke-width="2" stroke-linejoin="round"><rect x="3" y="4" width="18" height="16" rx="2"/><path d="M3 16l5-5 5 5 3-3 5 5"/></g></svg></svg>',
  );

const SavesDataContext = createContext(false);

export const SavesDataProvider = SavesDataContext.Provider;

/** Whether images wait until they are asked for, as the reader’s device asks to save data or its connection is very slow. */
export const useSavesData = () => useContext(SavesDataContext);

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
