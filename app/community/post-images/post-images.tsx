import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonOr } from '#app/frame/act/use-action.ts';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { describeMedia } from '#app/solution/media-viewer/media-description.ts';
import { browserClient } from '#app/supabase.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { decideImages, openImagesQuery, type PostImage } from './data.ts';

const SolutionLightbox = lazyDialog(
  () => import('#app/solution/media-viewer/lightbox.tsx'),
  'SolutionLightbox',
);

interface PostImagesProps {
  images: readonly PostImage[];
  /** The title of the topic, by which an image without a description is named. */
  title: string;
  language: string;
}

/** The height of a row of images, in pixels; one that is very wide is cut at its sides until it is opened. */
const ROW = 160;
const MAX_RATIO = 2;

/** The images of a topic or a reply; each opens in the viewer. */
export function PostImages({ images, title, language }: PostImagesProps) {
  const opened = useQuery(openImagesQuery(browserClient, images));
  const [full, setFull] = useState<number>();
  const media = (opened.data ?? []).map((image) => ({ ...image, media_type: 'image' as const }));
  if (opened.isError && !opened.data)
    return (
      <LoadFailed title="Failed to load the images" onRetry={() => void opened.refetch()} className="mt-3" />
    );
  return (
    <>
      <ul aria-label="Images" className="mt-3 flex flex-wrap gap-2">
        {images.map((image, index) => {
          const { media_url, width, height, description } = image;
          return (
            <li key={media_url}>
              <button
                type="button"
                className="block overflow-hidden rounded-md border bg-sunken"
                onClick={() => media.length > 0 && setFull(index)}
              >
                <Picture
                  src={media[index]?.thumbnail_url}
                  {...(description && textLanguage(language))}
                  alt={describeMedia({ ...image, media_type: 'image' }, title, index, images.length)}
                  height={ROW}
                  width={Math.round(ROW * Math.min(width / height, MAX_RATIO))}
                  loading="lazy"
                  className="object-cover"
                />
              </button>
            </li>
          );
        })}
      </ul>
      {full !== undefined && (
        <SolutionLightbox media={media} title={title} start={full} onClose={() => setFull(undefined)} />
      )}
    </>
  );
}

interface ShownImagesProps extends PostImagesProps {
  postId: string;
  hiddenAt: string | null;
  isOwn: boolean;
  isModerator: boolean;
  onRemoved: () => void;
}

/** The images below a text of the forum, as its reader sees them, and the way to remove them. */
export function ShownImages({ postId, hiddenAt, isOwn, isModerator, onRemoved, ...shown }: ShownImagesProps) {
  const removal = useConfirmedAction({
    title: 'Remove images',
    question: isOwn
      ? 'The text stays. This can’t be undone.'
      : 'The text stays. The member who wrote it is notified. This can’t be undone.',
    verb: 'Remove',
    busy: 'Removing',
    act: async () => decideImages(await browserClient(), postId, false),
    done: 'Images removed',
    failed: reasonOr('Failed to remove the images'),
    onDone: onRemoved,
  });
  // Readers are not given those that are hidden.
  if (shown.images.length === 0 && !hiddenAt) return null;
  const mayOpen = isOwn || isModerator;
  return (
    <>
      {hiddenAt && (
        <p className="mt-3 text-sm text-ink-2">
          {isOwn
            ? 'Others can’t see these images while a moderator checks them.'
            : 'The images are hidden while a moderator checks them.'}
        </p>
      )}
      {(!hiddenAt || mayOpen) && <PostImages {...shown} />}
      {mayOpen && (
        <button type="button" className="reach text-action mt-1 print:hidden" onClick={() => removal.ask()}>
          <span className="icon icon-delete size-4" />
          Remove images
        </button>
      )}
      {removal.dialog}
    </>
  );
}
