// @module-tag whole

import { expect, test } from 'vitest';
import { SECRET } from './files.ts';
import { buildFileMaker, LIMITS_IN_TESTS } from './make-build-file.ts';
import { stepAssembly, stepBomb, stepCylinder, stepDome, stepSphere, stepTorus } from './step-models.ts';

const make = buildFileMaker();
// Less than the real limit, which takes longer to reach.
const makeInLittle = buildFileMaker({ limits: { ...LIMITS_IN_TESTS, bytes: 450_000_000 } });
const limits = { ...LIMITS_IN_TESTS };
const makeSoon = buildFileMaker({ limits });

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
  const sent = model();
  expect(sent).toContain(SECRET);
  const { file, contents } = await make(sent);
  expect(file?.facts).toMatchObject({ dimensions });
  const written = String(contents[0]);
  expect(written).not.toContain(SECRET);
  // The file that readers download has the same shape.
  const { leftOut: _, ...kept } = file?.facts ?? {};
  expect((await make(written)).file?.facts).toEqual(kept);
});

const next = () => stepCylinder(10, 40);
const expected = { file: { facts: { dimensions: [20, 20, 40] } } };

test('a small STEP file that holds its parts 2¹⁶ times is stopped by its memory, and the next file is read', async () => {
  await expect(makeInLittle(stepBomb(16))).rejects.toMatchObject({
    status: 422,
    message: 'x.file: This file needs too much memory. Simplify it and choose it again.',
  });
  expect(await makeInLittle(next())).toMatchObject(expected);
});

test('a small STEP file that holds its parts 2²⁴ times is stopped by its processor time, and the next file is read', async () => {
  limits.cpuMs = { ...limits.cpuMs, file: 3000 };
  await expect(makeSoon(stepBomb(24))).rejects.toMatchObject({
    status: 422,
    message: 'x.file: This file takes too much work to process. Please choose a smaller one.',
  });
  limits.cpuMs = LIMITS_IN_TESTS.cpuMs;
  expect(await makeSoon(next())).toMatchObject(expected);
});
