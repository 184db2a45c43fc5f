import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { DRAWINGS, FOLDER, pathOf } from './pictures.ts';
import { demoSolutions } from './solutions.ts';

it('every picture of the demo content is rendered from its drawing as that is now, and no other is', async () => {
  const expected = [...new Set(await Promise.all(DRAWINGS.map(pathOf)))];
  expect(expected.length).toBeGreaterThan(50);
  for (const rendition of ['full', 'card', 'thumb'])
    expect(globSync('*/*.webp', { cwd: join(FOLDER, rendition) }).toSorted()).toEqual(expected.toSorted());
});

it('every solution shows drawings of its own device, and describes each picture', () => {
  const folders = demoSolutions.map(({ pictures }) => new Set(pictures.map(({ art }) => dirname(art))));
  for (const [index, { title, pictures }] of demoSolutions.entries()) {
    expect([...(folders[index] ?? [])], title).toHaveLength(1);
    expect(new Set(pictures.map(({ description }) => description)).size, title).toBe(pictures.length);
  }
  expect(new Set(folders.flatMap((folder) => [...folder])).size).toBe(demoSolutions.length);
});
