import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { DemoPicture } from './solutions.ts';

/** Centre and edge of the coloured papers the devices lie on. */
const PAPERS = {
  mist: ['#dbe4e2', '#c3d0cd'],
  sand: ['#e6dfd2', '#d3c9b7'],
  clay: ['#e9cdbb', '#d8b29b'],
  slate: ['#cfd8de', '#b4c1ca'],
  sage: ['#d6ddcb', '#bfcab0'],
  stone: ['#dedfdb', '#c8cac4'],
} as const;

/** A drawing has no more detail at a greater width, and drawing it is most of the work of the first start. */
const FULL_WIDTH = 1280;

/** The drawing as SVG text, cropped and laid on its paper, sized for rendering. */
export async function drawing(
  picture: Pick<DemoPicture, 'art' | 'crop' | 'paper'>,
  width: number,
): Promise<string> {
  let svg = await readFile(join(import.meta.dirname, 'art', `${picture.art}.svg`), 'utf8');
  if (picture.paper) {
    const [centre, edge] = PAPERS[picture.paper];
    const [, oldCentre, oldEdge] = /id="bg".*?stop-color="(#\w+)".*?stop-color="(#\w+)"/s.exec(svg) ?? [];
    if (oldCentre && oldEdge) svg = svg.replaceAll(oldCentre, centre).replaceAll(oldEdge, edge);
  }
  const [x = 0, y = 0, w = 960, h = 540] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '').split(' ').map(Number);
  const [left, top, part] = picture.crop ?? [0, 0, 1];
  return svg
    .replace(/viewBox="[^"]+"/, `viewBox="${x + left * w} ${y + top * h} ${w * part} ${h * part}"`)
    .replace(/width="\d+" height="\d+"/, `width="${width}" height="${Math.round((width * 9) / 16)}"`);
}

/** The three renditions every picture of a solution has, as WebP. */
export async function renderings(
  picture: DemoPicture,
): Promise<{ full: Buffer; card: Buffer; thumb: Buffer; width: number; height: number }> {
  const { data, info } = await sharp(Buffer.from(await drawing(picture, FULL_WIDTH)))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { raw: { width: info.width, height: info.height, channels: info.channels } };
  const [full, card, thumb] = await Promise.all(
    [FULL_WIDTH, 960, 320].map((width) =>
      sharp(data, raw).resize({ width }).webp({ quality: 82, effort: 2 }).toBuffer(),
    ),
  );
  if (!full || !card || !thumb) throw new Error(`No rendition of ${picture.art}`);
  return { full, card, thumb, width: info.width, height: info.height };
}
