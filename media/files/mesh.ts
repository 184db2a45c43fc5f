import { LIMITS } from '../limits.ts';
import { FileProblem } from './problem.ts';

/** Triangles one after the other: nine numbers each, three corners of x, y and z. */
export type Mesh = Float32Array;

/** x, y and z. */
export type Vector = [number, number, number];

/** The colour of each triangle, as red, green and blue from 0 to 255; undefined where the model gives none. */
export type Colours = ([number, number, number] | undefined)[];

/** What readers are told about a model. */
export interface MeshFacts extends Record<string, unknown> {
  triangles: number;
  /** Width, depth and height in millimetres. */
  dimensions: [number, number, number];
}

const STL_HEADER = 84;
const STL_TRIANGLE = 50;

/** The colour of a model, or of a part of it, that gives none. */
export const PLAIN: [number, number, number] = [150, 172, 196];

/** The name of the picture of a model or drawing. */
export const PICTURE = 'picture.webp';

/**
 * Stops before the triangles of a model take more memory and time than a build file may.
 *
 * @throws FileProblem when they are too many
 */
export function refuseTriangles(count: number): void {
  if (count > LIMITS.triangles)
    throw new FileProblem(
      `This model has ${count} triangles. A model can have at most ${LIMITS.triangles}: simplify it and choose it again.`,
    );
}

/** The size of a model. @throws FileProblem when it cannot be built */
export function measure(mesh: Mesh): MeshFacts {
  if (mesh.length === 0) throw new FileProblem('This model is empty.');
  const lowest = [Infinity, Infinity, Infinity];
  const highest = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < mesh.length; at++) {
    const value = mesh[at] ?? Number.NaN;
    if (!Number.isFinite(value))
      throw new FileProblem('A corner of this model has no position: a number is missing.');
    const axis = at % 3;
    if (value < (lowest[axis] ?? 0)) lowest[axis] = value;
    if (value > (highest[axis] ?? 0)) highest[axis] = value;
  }
  const edge = (axis: number) => Math.round(((highest[axis] ?? 0) - (lowest[axis] ?? 0)) * 100) / 100;
  const dimensions: MeshFacts['dimensions'] = [edge(0), edge(1), edge(2)];
  if (dimensions.filter((value) => value > 0).length < 2) throw new FileProblem('This model has no size.');
  if (Math.max(...dimensions) > LIMITS.modelEdge)
    throw new FileProblem('This model is larger than 100 metres. Check its unit.');
  return { triangles: mesh.length / 9, dimensions };
}

/**
 * Whether a model has its outside inside, as one that was mirrored without turning its triangles: slicers may fill what is
 * around it. An open surface has no inside.
 */
export function isInsideOut(mesh: Mesh): boolean {
  let [volume, area] = [0, 0];
  const sum = [0, 0, 0];
  // From a corner of the model, so that one far from the origin loses no digits.
  const [ox = 0, oy = 0, oz = 0] = mesh;
  for (let at = 0; at < mesh.length; at += 9) {
    const corners = mesh.subarray(at, at + 9);
    const [ax = 0, ay = 0, az = 0] = corners;
    const across = acrossOf(corners);
    volume += across[0] * (ax - ox) + across[1] * (ay - oy) + across[2] * (az - oz);
    area += Math.hypot(...across);
    for (const axis of [0, 1, 2] as const) sum[axis] = (sum[axis] ?? 0) + across[axis];
  }
  // The sides of what is closed face every way alike.
  return volume < 0 && Math.hypot(...sum) < area / 1000;
}

/**
 * A binary STL with an empty header, and the normal of each triangle calculated again.
 *
 * @param colours in the unused bytes of each triangle, as Materialise Magics and the viewer read them
 */
export function binaryStl(mesh: Mesh, colours?: Colours): Buffer {
  const count = mesh.length / 9;
  const bytes = Buffer.alloc(STL_HEADER + count * STL_TRIANGLE);
  bytes.writeUInt32LE(count, 80);
  if (colours) bytes.set([...Buffer.from('COLOR='), ...PLAIN, 255]);
  for (let triangle = 0; triangle < count; triangle++) {
    const corners = mesh.subarray(triangle * 9, triangle * 9 + 9);
    const at = STL_HEADER + triangle * STL_TRIANGLE;
    for (const [axis, value] of normalOf(corners).entries()) bytes.writeFloatLE(value, at + axis * 4);
    for (const [index, value] of corners.entries()) bytes.writeFloatLE(value, at + 12 + index * 4);
    if (colours) bytes.writeUInt16LE(packed(colours[triangle] ?? PLAIN), at + 48);
  }
  return bytes;
}

/** Five bits for each of blue, green and red. */
const packed = ([red, green, blue]: [number, number, number]) =>
  ((blue >> 3) << 10) | ((green >> 3) << 5) | (red >> 3);

/** The normal of a triangle, of length 1, or of length 0 for a triangle without area. */
export function normalOf(corners: Mesh): [number, number, number] {
  const [x, y, z] = acrossOf(corners);
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

/** At right angles to a triangle, and twice as long as its area. */
function acrossOf(corners: Mesh): Vector {
  const [ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0, cx = 0, cy = 0, cz = 0] = corners;
  return cross([bx - ax, by - ay, bz - az], [cx - ax, cy - ay, cz - az]);
}

/** The product of two vectors, at right angles to both. */
export function cross([ax, ay, az]: Vector, [bx, by, bz]: Vector): Vector {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

/** The sum of the products of two vectors' parts. */
export function dot([ax, ay, az]: Vector, [bx, by, bz]: Vector): number {
  return ax * bx + ay * by + az * bz;
}
