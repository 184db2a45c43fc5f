import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { DRAWINGS, drawing, FOLDER, FULL_WIDTH, pathOf } from './pictures.ts';

// Renders the demo pictures in `pictures/` from the drawings; run by hand when a drawing or a crop changes.

await rm(FOLDER, { recursive: true, force: true });
for (const picture of DRAWINGS) {
  const path = join(FOLDER, await pathOf(picture));
  await mkdir(dirname(path), { recursive: true });
  await sharp(Buffer.from(await drawing(picture, FULL_WIDTH)))
    .removeAlpha()
    .webp({ quality: 86, effort: 6 })
    .toFile(path);
}
