import { useRouteLoaderData } from 'react-router';

/** Stands in the place of an image that comes when the reader asks, in the room of that image. */
export const STILL_TO_COME =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg"><svg x="50%" y="50%" overflow="visible"><g transform="translate(-12 -12)" fill="none" stroke="#6b7672" stroke-width="2" stroke-linejoin="round"><rect x="3" y="4" width="18" height="16" rx="2"/><path d="M3 16l5-5 5 5 3-3 5 5"/></g></svg></svg>',
  );

/** Whether a page is asked for by a device that saves data, or over a very slow connection; the page cache says both so. */
export const asksToSaveData = ({ headers }: Request): boolean => headers.get('save-data') === 'on';

/** Whether images wait until they are asked for, as the reader’s device asks to save data or its connection is very slow. */
export const useSavesData = (): boolean =>
  useRouteLoaderData<{ savesData: boolean }>('root')?.savesData ?? false;
