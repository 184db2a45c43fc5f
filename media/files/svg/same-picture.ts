import type { RenderedImage } from '@resvg/resvg-js';

/** What the edge of a letter may change by when numbers are rounded, and what an area may, of 255. */
const OF_EDGE = 72;
const OF_AREA = 24;
/** More colours of pixels than these are a part that was lost. */
const MAX_DIFFERENT = 8;

/**
 * Whether two pictures show the same. Numbers are rounded when a drawing is written, by which an edge moves by a part of a
 * pixel: a pixel is another when its colour is none of those around its place in the other picture, or when all around it
 * have changed like it.
 */
export function isSamePicture(before: RenderedImage, after: RenderedImage): boolean {
  if (before.width !== after.width || before.height !== after.height) return false;
  // The library copies them each time that it is asked.
  const [was, is] = [before.pixels, after.pixels];
  const row = 4 * before.width;
  const around = [-row, 0, row].flatMap((place) => [place - 4, place, place + 4]);
  const change = (at: number) => (was[at] ?? 0) - (is[at] ?? 0);
  const isFar = (value: number, pixels: Buffer, at: number) => {
    const values = around.map((place) => pixels[at + place] ?? value);
    return Math.min(...values) - value > OF_EDGE || value - Math.max(...values) > OF_EDGE;
  };
  let different = 0;
  for (let at = 0; at < was.length; at++) {
    const sign = Math.sign(change(at));
    if (change(at) * sign <= OF_AREA) continue;
    const isArea = around.every((place) => change(at + place) * sign > OF_AREA);
    if (isArea || isFar(was[at] ?? 0, is, at) || isFar(is[at] ?? 0, was, at)) different++;
  }
  return different <= MAX_DIFFERENT;
}
