import { extname } from 'node:path';
import { z } from 'zod';
import type { Resize } from '../../../media/job.ts';
import { downloadResponse, isUnchanged } from '../download.ts';
import { readFrom } from '../files.ts';
import type { StoredObject } from '../objects.ts';
import type { TransformCache } from './transform-cache.ts';

const MAX_EDGE = 2500;
const DEFAULT_QUALITY = 80;

// As in the official service: more than the largest edge is the largest edge, and zero counts as absent.
const edge = z.coerce
  .number()
  .int()
  .min(0)
  .transform((pixels) => Math.min(pixels, MAX_EDGE) || undefined)
  .optional();

/**
 * The transformations that a client may request of a picture, in a query or when it has an address signed.
 */
export const transform = z.object({
  width: edge,
  height: edge,
  resize: z.enum(['cover', 'contain', 'fill']).default('cover'),
  quality: z.coerce.number().int().min(20).max(100).default(DEFAULT_QUALITY),
  /** WebP is for readers that accept it, unless the picture is to keep its format. */
  format: z.literal('origin').optional(),
});
export type Transform = z.output<typeof transform>;

/** As a token carries it. */
export function transformToClaim({ width, height, resize, quality, format }: Transform): string {
  const parts = { width, height, resize, quality, format };
  return Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}:${value}`)
    .join(',');
}

export const transformFromClaim = (claim: string): Transform =>
  transform.parse(Object.fromEntries(claim.split(',').map((part) => part.split(':'))));

/** Answers with a picture made of the object, which the reader has been allowed to see. */
export async function transformedResponse(
  renditions: TransformCache,
  request: Request,
  object: StoredObject,
  wanted: Transform,
  shared: boolean,
): Promise<Response> {
  const { format, ...rest } = wanted;
  const takesWebp = /(?:^|,)\s*image\/webp\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    request.headers.get('accept') ?? '',
  );
  const rendering: Resize = { ...rest, format: format === undefined && takesWebp ? 'webp' : 'origin' };
  const etag = `"${renditions.keyOf(object.version, rendering)}"`;
  const modified = new Date(object.metadata.lastModified);
  // A reader that already has the picture gets its answer without a new one.
  const unchanged = isUnchanged(request.headers, etag, modified);
  const get = () => renditions.get(object.version, object.metadata.size, rendering);
  const { path, size } = unchanged ? { path: '', size: 0 } : await get();
  const response = await downloadResponse(
    request,
    {
      name: object.name,
      type: `image/${extname(path).slice(1) || 'webp'}`,
      size,
      etag,
      modified,
      cacheControl: object.metadata.cacheControl,
      // Another process may just have made room.
      open: async (range) => (await readFrom(path, range)) ?? readFrom((await get()).path, range),
    },
    shared,
  );
  if (format === undefined) response.headers.set('vary', 'accept');
  return response;
}
