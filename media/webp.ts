import { writeFile } from 'node:fs/promises';
import type { OutputInfo, Sharp } from 'sharp';

/** Of a drawing, packed without loss; a photograph needs more than ten times as much. */
const MAX_BYTES_PER_PIXEL = 0.15;

/**
 * Writes a picture that may be a drawing. Lossy compression halves the resolution of colours, by which thin lines lose
 * theirs; without loss a drawing takes a tenth of the room and a fifth of the time, and a photograph many times as much.
 *
 * @param quality 1 to 100, of a picture that is no drawing
 */
export async function writeWebp(picture: Sharp, path: string, quality: number): Promise<OutputInfo> {
  // The same picture is packed twice, since a clone of it copies its pixels.
  const { data, info } = await picture
    .webp({ lossless: true, effort: 0 })
    .toBuffer({ resolveWithObject: true });
  if (data.length > info.width * info.height * MAX_BYTES_PER_PIXEL)
    return picture.webp({ lossless: false, quality, effort: 3 }).toFile(path);
  await writeFile(path, data);
  return info;
}
