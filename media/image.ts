import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { FileProblem } from './files/problem.ts';
import type { JobResult } from './job.ts';
import { EDGES, LIMITS } from './limits.ts';
import { writeWebp } from './webp.ts';

// Only the accepted formats can be decoded, whatever a file pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });
// Each file is decoded only once, so a cache is useless.
sharp.cache(false);

/** Opens a picture upright, in sRGB; none of its metadata is kept. */
async function open(path: string) {
  const { pages = 1, width, height, format } = await sharp(path, { limitInputPixels: false }).metadata();
  if (width * height > LIMITS.imagePixels)
    throw new FileProblem(
      `This image has ${Math.ceil((width * height) / 1e6)} megapixels. Images can have at most ${LIMITS.imagePixels / 1e6}: make it smaller and choose it again.`,
    );
  if (pages > LIMITS.frames)
    throw new FileProblem(`This image has ${pages} frames. Choose one with at most ${LIMITS.frames}.`);
  const image = sharp(path, { limitInputPixels: LIMITS.imagePixels, failOn: 'error' }).autoOrient();
  return { image, format };
}

/** Decodes once and writes the three sizes a solution shows. */
export async function makeImages(path: string, folder: string): Promise<JobResult> {
  const { full: edge, card, thumb } = EDGES;
  const { image, format } = await open(path);
  const { data, info } = await image
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const raw = { raw: { width: info.width, height: info.height, channels: info.channels } };
  const write = (name: string, longest: number, quality: number) => {
    const picture = sharp(data, raw).resize({
      width: longest,
      height: longest,
      fit: 'inside',
      withoutEnlargement: true,
    });
    // A JPEG has lost the colours of thin lines already.
    return format === 'jpeg'
      ? picture.webp({ quality, effort: 3 }).toFile(join(folder, name))
      : writeWebp(picture, join(folder, name), quality);
  };
  await Promise.all([
    write('full.webp', edge, 84),
    write('card.webp', card, 80),
    write('thumb.webp', thumb, 76),
  ]);
  return { files: ['full.webp', 'card.webp', 'thumb.webp'], width: info.width, height: info.height };
}

/** A square around the middle of the picture. */
export async function makeAvatar(path: string, folder: string): Promise<JobResult> {
  const edge = EDGES.avatar;
  const { image } = await open(path);
  await image
    .resize({ width: edge, height: edge, fit: 'cover', position: sharp.strategy.attention })
    .toColourspace('srgb')
    .webp({ quality: 82, effort: 4 })
    .toFile(join(folder, 'avatar.webp'));
  return { files: ['avatar.webp'], width: edge, height: edge };
}

/** A still of a video, from its uncompressed pixels. */
export async function writePoster(
  pixels: Uint8Array,
  width: number,
  height: number,
  rotation: number,
  path: string,
): Promise<void> {
  await sharp(pixels, { raw: { width, height, channels: 4 } })
    .rotate(rotation)
    .removeAlpha()
    .resize({ width: EDGES.poster, height: EDGES.poster, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78, effort: 4 })
    .toFile(path);
  if ((await stat(path)).size === 0) throw new Error('the poster is empty');
}
