import type { Media } from '#app/solutions/data.ts';

/** The text alternative of a picture. */
export function describeMedia(media: Media, title: string, index: number, total: number): string {
  return (
    media.description ??
    `${media.media_type === 'video' ? 'Video' : 'Picture'} ${index + 1} of ${total}: ${title}`
  );
}
