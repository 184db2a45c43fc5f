import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DRAWINGS, FOLDER, pathOf, render } from './pictures.ts';

// Renders the demo pictures in `pictures/` from the drawings; run by hand when a drawing or a crop changes.

await rm(FOLDER, { recursive: true, force: true });
for (const picture of DRAWINGS) {
  for (const [rendition, content] of Object.entries(await render(picture))) {
    const path = join(FOLDER, rendition, await pathOf(picture));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
