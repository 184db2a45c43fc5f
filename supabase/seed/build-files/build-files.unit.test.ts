import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { demoSolutions } from '../solutions.ts';
import { demoFiles } from './demo-files.ts';
import { digestOf, RENDERED, type RenderedFile } from './rendered-file.ts';

const files = Object.values(demoFiles).flat();
const readRendered = (name: string): RenderedFile =>
  JSON.parse(readFileSync(join(RENDERED, name, 'rendered.json'), 'utf8'));

it('every demo file is processed from its drawing as that is now, and no other is', async () => {
  expect(globSync('*', { cwd: RENDERED }).toSorted()).toEqual(files.map(({ name }) => name).toSorted());
  for (const { name, draw } of files) {
    const { drawing, files: made } = readRendered(name);
    expect(drawing, name).toBe(digestOf(await draw()));
    expect(globSync('*', { cwd: join(RENDERED, name) }).toSorted(), name).toEqual(
      [...made, 'rendered.json'].toSorted(),
    );
  }
});

it('a quarter of the demo solutions have files, and each type of file is shown', () => {
  const titles = new Set(demoSolutions.map(({ title }) => title));
  expect(Object.keys(demoFiles).filter((title) => !titles.has(title))).toEqual([]);
  expect(Object.keys(demoFiles).length).toBeGreaterThanOrEqual(titles.size / 4);
  const types = files.map(({ name }) => readRendered(name).file.type);
  expect([...new Set(types)].toSorted()).toEqual(['3mf', 'dxf', 'pdf', 'step', 'stl', 'svg']);
});
