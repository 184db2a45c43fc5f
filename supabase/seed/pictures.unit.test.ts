import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DRAWINGS, FOLDER, pathOf } from './pictures.ts';

it('every picture of the demo content is rendered from its drawing as that is now, and no other is', async () => {
  const expected = [...new Set(await Promise.all(DRAWINGS.map(pathOf)))];
  expect(expected.length).toBeGreaterThan(50);
  expect(globSync('*/*.webp', { cwd: FOLDER }).toSorted()).toEqual(expected.toSorted());
});
