import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type OutputInfo } from 'sharp';
import { FileProblem } from './files/problem.ts';
import type { JobResult } from './job.ts';
import { EDGES, LIMITS } from './limits.ts';
import { ANIMATED } from './sniff.ts';
import { writeWebp } from './webp.ts';

// Only the accepted formats can be decoded, whatever a file pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });
// Each file is decoded only once, so a cache is useless.
sharp.cache(false);

/** Opens a picture upright, in sRGB; none of its metadata is kept. */
async function open(path: string) {
  const {
    pages = 1,
    width,
    height,
    format,
  } = await sharp(path, { limitInputPixels: false }).metadata().catch(refuseWithReason);
  if (width * height > LIMITS.imagePixels)
    throw new FileProblem(
      `This image has ${Math.ceil((width * height) / 1e6)} megapixels. Images can have at most ${LIMITS.imagePixels / 1e6}: make it smaller and choose it again.`,
    );
  if (pages > 1 || (format === 'png' && (await isAnimatedPng(path)))) throw new FileProblem(ANIMATED);
  const image = sharp(path, { limitInputPixels: LIMITS.imagePixels, failOn: 'error' }).autoOrient();
  return { image, format };
}

const sizeOf = ({ width, height, channels }: OutputInfo) => ({ width, height, channels });

/** An animated PNG says so before its first picture, which is all that the decoder reads. */
async function isAnimatedPng(path: string): Promise<boolean> {
  const bytes = await readFile(path);
  const says = bytes.indexOf('acTL');
  return says >= 0 && says < bytes.indexOf('IDAT');
}

/** What decoders say of files that are no longer whole, and of kinds that no browser shows. */
const CUT_OFF = /premature end|libpng read error|webp: unable to parse/;
const UNUSUAL = /Unsupported JPEG|not supported/;

function refuseWithReason(error: Error): never {
  if (CUT_OFF.test(error.message))
    throw new FileProblem('This image is cut off or damaged. Copy it again from where it came.');
  if (UNUSUAL.test(error.message))
    throw new FileProblem(
      'This JPEG is of an unusual kind. Save it as a plain JPEG or PNG and choose it again.',
    );
  throw error;
}

/** Decodes once and writes the three sizes a solution shows. */
export async function makeImages(path: string, folder: string): Promise<JobResult> {
  const { full: edge, card, thumb } = EDGES;
  const { image, format } = await open(path);
  const { data, info } = await image
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(refuseWithReason);
  const raw = { raw: sizeOf(info) };
  const write = async (name: string, longest: number, quality: number) => {
    const picture = sharp(data, raw).resize({
      width: longest,
      height: longest,
      fit: 'inside',
      withoutEnlargement: true,
    });
    // A JPEG has lost the colours of thin lines already.
    if (format === 'jpeg') return picture.webp({ quality, effort: 3 }).toFile(join(folder, name));
    const resized = await picture.raw().toBuffer({ resolveWithObject: true });
    return writeWebp({ data: resized.data, ...sizeOf(resized.info) }, join(folder, name), quality);
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
    .toFile(join(folder, 'avatar.webp'))
    .catch(refuseWithReason);
  return { files: ['avatar.webp'], width: edge, height: edge };
}

/** The whole picture in the middle of a square, on nothing: as large as an installed site asks of its icon. */
export async function makeLogo(path: string, folder: string): Promise<JobResult> {
  const edge = EDGES.logo;
  const { image } = await open(path);
  await image
    .resize({ width: edge, height: edge, fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .toColourspace('srgb')
    .webp({ quality: 90, effort: 4, smartSubsample: true })
    .toFile(join(folder, 'logo.webp'))
    .catch(refuseWithReason);
  return { files: ['logo.webp'], width: edge, height: edge };
}

/** A still of a video, from its uncompressed pixels of red, green, blue and nothing. */
export async function writePoster(pixels: Uint8Array, width: number, height: number, path: string) {
  await sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .webp({ quality: 78, effort: 4 })
    .toFile(path);
  if ((await stat(path)).size === 0) throw new Error('the poster is empty');
}
