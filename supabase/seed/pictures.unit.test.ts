import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DRAWINGS, FOLDER, pathOf } from './pictures.ts';

it('every picture of the demo content is rendered from its drawing as that is now, and no other is', async () => {
  const expected = [...new Set(await Promise.all(DRAWINGS.map(pathOf)))];
  expect(expected.length).toBeGreaterThan(50);
  for (const rendition of ['full', 'card', 'thumb'])
    expect(globSync('*/*.webp', { cwd: join(FOLDER, rendition) }).toSorted()).toEqual(expected.toSorted());
});
