import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { CLIPS, type ClipName } from './clips.ts';
import { type DemoPicture, demoSolutions } from './solutions.ts';

type Drawing = Pick<DemoPicture, 'art' | 'crop'>;

/** A drawing has no more detail at a greater width. */
const FULL_WIDTH = 1280;
const CARD_WIDTH = 960;
const THUMB_WIDTH = 320;
export const FOLDER = join(import.meta.dirname, 'pictures');

interface Renditions {
  full: Buffer;
  card: Buffer;
  thumb: Buffer;
}

/** The poster of a clip. */
export const posterOf = (name: ClipName): Drawing => ({ art: CLIPS[name].art });

/** All pictures of the demo content. */
export const DRAWINGS: Drawing[] = demoSolutions.flatMap(({ pictures, clip }) =>
  clip ? [...pictures, posterOf(clip.name)] : pictures,
);

export const readArt = (art: string): Promise<string> =>
  readFile(join(import.meta.dirname, 'art', `${art}.svg`), 'utf8');

/** The drawing as SVG text, cropped and sized for rendering. */
async function drawing(picture: Drawing, width: number): Promise<string> {
  const svg = await readArt(picture.art);
  const [x = 0, y = 0, w = 960, h = 540] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '').split(' ').map(Number);
  const [left, top, part] = picture.crop ?? [0, 0, 1];
  return svg
    .replace(/viewBox="[^"]+"/, `viewBox="${x + left * w} ${y + top * h} ${w * part} ${h * part}"`)
    .replace(/width="\d+" height="\d+"/, `width="${width}" height="${Math.round((width * 9) / 16)}"`);
}

/**
 * The path of a drawing's pictures, under a name that changes with the drawing. Rendering them all would be most
 * of the work of a first start.
 *
 * @returns the path below the folder of a rendition in `FOLDER`
 */
export async function pathOf(picture: Drawing): Promise<string> {
  const hash = createHash('sha256').update(await drawing(picture, FULL_WIDTH));
  return join(dirname(picture.art), `${hash.digest('hex').slice(0, 16)}.webp`);
}

/** The three renditions that every picture of a solution has, as processing makes them of an upload. */
export async function render(picture: Drawing): Promise<Renditions> {
  const full = await sharp(Buffer.from(await drawing(picture, FULL_WIDTH)))
    .removeAlpha()
    .webp({ quality: 86, effort: 6 })
    .toBuffer();
  const at = (width: number) => sharp(full).resize({ width }).webp({ quality: 82, effort: 6 }).toBuffer();
  const [card, thumb] = await Promise.all([at(CARD_WIDTH), at(THUMB_WIDTH)]);
  return { full, card, thumb };
}

/** The renditions as they lie in `FOLDER`. */
export async function renderings(picture: Drawing): Promise<Renditions & { width: number; height: number }> {
  const path = await pathOf(picture);
  const [full, card, thumb] = await Promise.all([
    readFile(join(FOLDER, 'full', path)),
    readFile(join(FOLDER, 'card', path)),
    readFile(join(FOLDER, 'thumb', path)),
  ]);
  return { full, card, thumb, width: FULL_WIDTH, height: (FULL_WIDTH * 9) / 16 };
}
