import { leftOutText, type ShownFile } from '#app/solution/build-files/build-file.ts';
import type { Media } from '#app/solution/solutions/data.ts';
import { z } from '#app/zod.ts';
import type { Upload } from './upload-queue.ts';

const kindOf = ({ media_type }: Media) => (media_type === 'video' ? 'video' : 'image');

/** A file that the server has accepted, as a draft stores it. */
export const uploadSchema: z.ZodMiniType<Upload> = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  kind: z.enum(['image', 'video', 'build-file']),
  state: z.literal('ready'),
  sent: z.number(),
  problem: z.null(),
  result: z.nullable(
    z.object({
      originalUrl: z.string(),
      compressedUrl: z.string(),
      thumbnailUrl: z.string(),
      mediaType: z.enum(['image', 'video']),
    }),
  ),
  buildFile: z.catch(
    z.nullable(z.object({ url: z.string(), type: z.string(), leftOut: z.nullable(z.string()) })),
    null,
  ),
  readyAt: z.nullable(z.number()),
  description: z.string(),
  licence: z.optional(z.string()),
  preview: z.null(),
});

/** Stored images and clips as the form that changes them shows them. */
export const uploadsOf = (stored: Media[]): Upload[] =>
  stored.map((media, index) => ({
    id: media.id,
    name: `${kindOf(media) === 'video' ? 'Video' : 'Image'} ${index + 1}`,
    size: 0,
    kind: kindOf(media),
    state: 'ready',
    sent: 0,
    problem: null,
    result: {
      originalUrl: media.stored.media_url,
      compressedUrl: media.stored.compressed_url,
      thumbnailUrl: media.stored.thumbnail_url,
      mediaType: kindOf(media),
    },
    buildFile: null,
    readyAt: null,
    description: media.description ?? '',
    preview: media.thumbnail_url,
  }));

/** Stored build files as the form that changes them shows them. */
export const buildFileUploadsOf = (stored: ShownFile[]): Upload[] =>
  stored.map((file) => ({
    id: file.id,
    name: file.file_name,
    size: file.byte_size,
    kind: 'build-file',
    state: 'ready',
    sent: 0,
    problem: null,
    result: null,
    buildFile: { url: file.stored_url, type: file.file_type, leftOut: leftOutText(file.facts) },
    readyAt: null,
    description: file.description ?? '',
    licence: file.licence,
    preview: null,
  }));
