import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMedia, type Media } from '../../media/workers.ts';
import { TEST_TIMEOUT_MS } from '../timeouts.ts';
import { SECRET } from './files.ts';
import { stepAssembly, stepBomb, stepCylinder, stepDome, stepSphere, stepTorus } from './step-models.ts';

let folder: string;
let media: Media;
let patience: { image: number; videoStalled: number; video: number };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limb-commons-step-'));
  patience = { image: TEST_TIMEOUT_MS, videoStalled: TEST_TIMEOUT_MS, video: TEST_TIMEOUT_MS };
});
afterEach(async () => {
  await media.close();
  await rm(folder, { recursive: true });
});
const open = (maxBytes?: number) => {
  media = createMedia(folder, { log: () => {}, patience, ...(maxBytes ? { maxBytes } : {}) });
};

async function make(content: string) {
  const own = await mkdtemp(join(folder, 'job-'));
  const path = join(own, 'sent');
  await writeFile(path, content);
  const sent = { kind: 'file' as const, name: 'x.step', path, folder: own, discard: async () => {} };
  const { file, files } = await media.process(sent, 'file');
  return { facts: file?.facts, text: await readFile(join(own, files[0] ?? ''), 'latin1') };
}

test.each<[string, () => string, number[]]>([
  ['a cylinder', () => stepCylinder(10, 40), [20, 20, 40]],
  ['a cylinder in inches', () => stepCylinder(0.5, 2, 'inch'), [25.4, 25.4, 50.8]],
  ['a cylinder in metres', () => stepCylinder(0.01, 0.05, 'metre'), [20, 20, 50]],
  ['a sphere', () => stepSphere(15), [30, 30, 30]],
  ['a torus', () => stepTorus(30, 5), [70, 70, 10]],
  ['a B-spline surface', stepDome, [40, 30, 10]],
  ['an assembly of two turned parts', stepAssembly, [145, 10, 40]],
  ['an assembly of assemblies', () => stepBomb(3), [16, 10, 40]],
])('%s keeps its size in millimetres, and nothing about its author', async (_name, model, dimensions) => {
  open();
  const sent = model();
  expect(sent).toContain(SECRET);
  const { facts, text } = await make(sent);
  expect(facts).toMatchObject({ dimensions });
  expect(text).not.toContain(SECRET);
  // The file that readers download has the same shape.
  expect((await make(text)).facts).toEqual(facts);
});

test('a small STEP file that holds its parts 2¹⁶ times is stopped by its memory, and the next file is read', async () => {
  // Less than the real limit, which takes longer to reach.
  open(450_000_000);
  await expect(make(stepBomb(16))).rejects.toMatchObject({
    status: 422,
    message: 'x.step: This file needs too much memory. Simplify it and choose it again.',
  });
  expect((await make(stepCylinder(10, 40))).facts).toMatchObject({ dimensions: [20, 20, 40] });
});

test('a small STEP file that holds its parts 2²⁴ times is stopped by the clock, and the next file is read', async () => {
  patience.videoStalled = 1500;
  open();
  await expect(make(stepBomb(24))).rejects.toMatchObject({ status: 503 });
  patience.videoStalled = TEST_TIMEOUT_MS;
  expect((await make(stepCylinder(10, 40))).facts).toMatchObject({ dimensions: [20, 20, 40] });
});
