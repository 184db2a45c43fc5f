import type { Media } from '#app/solutions/data.ts';

/** The text alternative of an image or video. */
export function describeMedia(media: Media, title: string, index: number, total: number): string {
  return (
    media.description ??
    `${media.media_type === 'video' ? 'Video' : 'Image'} ${index + 1} of ${total}: ${title}`
  );
}
