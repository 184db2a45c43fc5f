import type { Media } from '#app/solution/solutions/data.ts';

/** What the viewer needs to know of a picture or clip. */
export type ViewedMedia = Pick<
  Media,
  'media_type' | 'media_url' | 'thumbnail_url' | 'width' | 'height' | 'description'
>;

/** The text alternative of an image or video. */
export function describeMedia(media: ViewedMedia, title: string, index: number, total: number): string {
  return (
    media.description ??
    `${media.media_type === 'video' ? 'Video' : 'Image'} ${index + 1} of ${total}: ${title}`
  );
}
