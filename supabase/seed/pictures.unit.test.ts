import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FOLDER, pathOf } from './pictures.ts';
import { demoSolutions } from './solutions.ts';

it('every picture of the demo content is rendered from its drawing as that is now, and no other is', async () => {
  const wanted = await Promise.all(demoSolutions.flatMap(({ pictures }) => pictures).map(pathOf));
  expect(wanted.length).toBeGreaterThan(50);
  expect(globSync('*/*.webp', { cwd: FOLDER }).toSorted()).toEqual(wanted.toSorted());
});
