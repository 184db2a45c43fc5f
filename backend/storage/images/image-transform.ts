import { extname } from 'node:path';
import { z } from 'zod';
import { GRAVITIES, type Resize } from '../../../media/job.ts';
import { readFrom } from '../../files/disk-files.ts';
import { downloadResponse, isUnchanged, type Sharing } from '../download.ts';

import type { StoredObject } from '../objects.ts';
import type { StorageContext } from '../request.ts';

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
export const transform = z
  .object({
    width: edge,
    height: edge,
    resize: z.enum(['cover', 'contain', 'fill']).default('cover'),
    quality: z.coerce.number().int().min(20).max(100).optional(),
    /** Without one, WebP for readers that accept it. */
    format: z.enum(['origin', 'webp']).optional(),
    gravity: z.enum(GRAVITIES).optional(),
    x_offset: z.coerce.number().min(-MAX_EDGE).max(MAX_EDGE).optional(),
    y_offset: z.coerce.number().min(-MAX_EDGE).max(MAX_EDGE).optional(),
  })
  .refine(
    ({ gravity, x_offset: x = -1, y_offset: y = -1 }) =>
      gravity !== 'fp' || (Math.min(x, y) >= 0 && Math.max(x, y) <= 1),
    'needs x_offset and y_offset from 0 to 1 with the gravity fp',
  );
export type Transform = z.output<typeof transform>;

/** The names that the official service gives to the three ways. */
const RESIZING_TYPES = { cover: 'fill', contain: 'fit', fill: 'force' } as const;

/** What was done to a picture, in the words of the official service's header. */
function transformations(done: Transform): string {
  const { width, height, resize, quality, format, gravity, x_offset: x, y_offset: y } = done;
  return [
    height && `height:${height}`,
    width && `width:${width}`,
    (width || height) && `resizing_type:${RESIZING_TYPES[resize]}`,
    quality && `quality:${quality}`,
    format === 'webp' && 'format:webp',
    gravity &&
      ['gravity', gravity, ...(x === undefined && y === undefined ? [] : [x ?? 0, y ?? 0])].join(':'),
  ]
    .filter(Boolean)
    .join(',');
}

/** As a token carries it. */
export function transformToClaim(wanted: Transform): string {
  return Object.entries(wanted)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}:${value}`)
    .join(',');
}

/** The transformation that `transformToClaim` wrote into a token. */
export const transformFromClaim = (claim: string): Transform =>
  transform.parse(Object.fromEntries(claim.split(',').map((part) => part.split(':'))));

/** Answers with a picture made of the object, which the reader has been allowed to see. */
export async function transformedResponse(
  { renditions, held }: Pick<StorageContext, 'renditions' | 'held'>,
  request: Request,
  object: StoredObject,
  wanted: Transform,
  sharing: Sharing,
): Promise<Response> {
  const { width, height, resize, quality = DEFAULT_QUALITY, format, gravity, x_offset, y_offset } = wanted;
  const takesWebp = /(?:^|,)\s*image\/webp\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    request.headers.get('accept') ?? '',
  );
  const rendering: Resize = {
    ...{ width, height, resize, quality },
    format: format ?? (takesWebp ? 'webp' : 'origin'),
    ...(gravity && { gravity: { towards: gravity, x: x_offset ?? 0, y: y_offset ?? 0 } }),
  };
  const etag = `"${renditions.keyOf(object.version, rendering)}"`;
  const modified = new Date(object.metadata.lastModified);
  // A reader that already has the picture gets its answer without a new one.
  const unchanged = isUnchanged(request.headers, etag, modified);
  const get = () => renditions.get(object.version, object.metadata.size, rendering, request);
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
    sharing,
    held,
  );
  const done = transformations(wanted);
  if (done) response.headers.set('x-transformations', done);
  if (format === undefined) response.headers.set('vary', 'accept');
  return response;
}
