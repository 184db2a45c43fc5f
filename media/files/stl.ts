import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobResult } from '../job.ts';
import { drawMesh } from './draw-mesh.ts';
import {
  binaryStl,
  type Colours,
  isInsideOut,
  type Mesh,
  measure,
  PICTURE,
  refuseTriangles,
} from './mesh.ts';
import { FileProblem } from './problem.ts';

const HEADER = 84;
const TRIANGLE = 50;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const COMMA_NUMBER = /^[+-]?\d*,\d+(?:e[+-]?\d+)?$/i;
/** Words of a text STL that carry no corner; what follows a name is its author's. */
const OTHER_LINES = /^(?:solid|endsolid|facet|endfacet|outer loop|endloop)\b/i;
const COMMENT = /^(?:#|\/\/|;)/;
const TEXT_BEGINNING = /^(?:\xef\xbb\xbf)?(?:\s*(?:#|\/\/|;)[^\n\r]*[\n\r])*\s*solid\b/i;
const WIDE_TEXT = /^(?:\xff\xfe)?s\0o\0l\0i\0d\0|^(?:\xfe\xff)?\0s\0o\0l\0i\0d/i;
/** Stands before the colour of the model in the header of a binary STL whose triangles have colours. */
const COLOURED = 'COLOR=';

/** Binary if its length is the one that its header states, text if it begins like text. */
export function isStl(bytes: Buffer): boolean {
  return isBinary(bytes) || isText(bytes) || isWide(bytes) || beginsWithTriangle(bytes);
}

const beginning = (bytes: Buffer) => bytes.toString('latin1', 0, 1024);
const isText = (bytes: Buffer) => TEXT_BEGINNING.test(beginning(bytes)) && !beginning(bytes).includes('\0');
const isWide = (bytes: Buffer) => WIDE_TEXT.test(beginning(bytes));

/** The number of triangles. A program that does not know it when it begins leaves its place empty or full. */
function countOf(bytes: Buffer): number {
  const stated = bytes.readUInt32LE(80);
  const held = (bytes.length - HEADER) / TRIANGLE;
  const isOpen = stated === 0 || stated === 0xffffffff;
  return isOpen && Number.isInteger(held) && beginsWithTriangle(bytes) ? held : stated;
}

/** Some programs fill the last block with zeros, or end with a line break. */
function isBinary(bytes: Buffer): boolean {
  if (bytes.length < HEADER) return false;
  const end = HEADER + countOf(bytes) * TRIANGLE;
  const behind = bytes.subarray(end);
  return bytes.length >= end && (behind.length < TRIANGLE || behind.every((byte) => byte === 0));
}

/** Whether a file begins as a binary STL does, whatever its header says of its length. */
function beginsWithTriangle(bytes: Buffer): boolean {
  if (bytes.length < HEADER + TRIANGLE) return false;
  const numbers = Array.from({ length: 12 }, (_, index) => Math.abs(bytes.readFloatLE(HEADER + index * 4)));
  return (
    Math.hypot(...numbers.slice(0, 3)) < 1.01 &&
    // Zeros are found in much that is no STL.
    (bytes.readUInt32LE(80) !== 0 || numbers.some((number) => number > 0)) &&
    numbers.every((number) => number === 0 || (number > 1e-9 && number < 1e9))
  );
}

/** Writes the triangles again; what stood in the header, in names and between them is gone. */
export async function makeStl(path: string, folder: string): Promise<JobResult> {
  const bytes = await readFile(path);
  if (isWide(bytes)) throw new FileProblem('This STL is written in UTF-16. Export it again as a binary STL.');
  const { mesh, colours, names } = isBinary(bytes)
    ? readBinary(bytes)
    : isText(bytes)
      ? readText(bytes)
      : refuseLength(bytes);
  const facts = {
    ...measure(mesh),
    ...(isInsideOut(mesh) && { isInsideOut: true }),
    ...(names > 1 && { leftOut: ['names of parts'] }),
  };
  await writeFile(join(folder, 'file.stl'), binaryStl(mesh, colours));
  const size = await drawMesh(mesh, join(folder, PICTURE), colours);
  return { files: ['file.stl', PICTURE], ...size, file: { type: 'stl', facts, pageTexts: [] } };
}

interface Read {
  mesh: Mesh;
  colours?: Colours;
  /** The number of parts that have a name. */
  names: number;
}

function refuseLength(bytes: Buffer): never {
  const stated = bytes.readUInt32LE(80);
  const held = Math.floor((bytes.length - HEADER) / TRIANGLE);
  throw new FileProblem(
    `The header of this STL says ${stated} triangles, but it holds ${held < stated ? 'only ' : ''}${held}. It may be cut off: export it again.`,
  );
}

function readBinary(bytes: Buffer): Read {
  const count = countOf(bytes);
  refuseTriangles(count);
  const mesh = new Float32Array(count * 9);
  for (let triangle = 0; triangle < count; triangle++)
    for (let index = 0; index < 9; index++)
      mesh[triangle * 9 + index] = bytes.readFloatLE(HEADER + triangle * TRIANGLE + 12 + index * 4);
  const colours = coloursIn(bytes, count);
  return { mesh, names: 0, ...(colours && { colours }) };
}

/**
 * The colours in the spare bytes of each triangle, in either way of writing them: after the colour of the whole model in
 * the header, which a triangle has whose highest bit is set, or each in the other order with that bit set.
 */
function coloursIn(bytes: Buffer, count: number): Colours | undefined {
  const spare = Array.from({ length: count }, (_, triangle) =>
    bytes.readUInt16LE(HEADER + triangle * TRIANGLE + 48),
  );
  const parts = (value: number) =>
    [0, 5, 10].map((shift) => Math.round((((value >> shift) & 31) * 255) / 31)) as [number, number, number];
  const at = bytes.subarray(0, 80).indexOf(COLOURED);
  if (at >= 0) {
    const [red = 0, green = 0, blue = 0] = bytes.subarray(at + COLOURED.length);
    return spare.map((value) => (value & 0x8000 ? [red, green, blue] : parts(value)));
  }
  if (!spare.some((value) => value & 0x8000)) return undefined;
  return spare.map((value) =>
    value & 0x8000 ? (parts(value).reverse() as [number, number, number]) : undefined,
  );
}

const cutOff = () => new FileProblem('This STL is cut off. Export it again.');

function readText(bytes: Buffer): Read {
  const numbers: number[] = [];
  let [inFacet, names] = [0, 0];
  for (let at = bytes[0] === 0xef ? 3 : 0; at < bytes.length; ) {
    let end = at;
    while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) end++;
    const isLast = end === bytes.length;
    if (end - at > 1000)
      throw new FileProblem('This STL cannot be read: a line is too long. Export it again as a binary STL.');
    const line = bytes.toString('latin1', at, end).trim();
    at = end + 1;
    if (line === '' || COMMENT.test(line)) continue;
    const [word = '', ...values] = line.split(/\s+/);
    if (word.toLowerCase() === 'solid') names++;
    if (word.toLowerCase() === 'vertex') {
      if (values.some((value) => COMMA_NUMBER.test(value)))
        throw new FileProblem('This STL has commas in its numbers. Export it again with decimal points.');
      if (values.length !== 3 || !values.every((value) => NUMBER.test(value)))
        throw isLast
          ? cutOff()
          : new FileProblem('A corner of this model has no position: a number is missing.');
      numbers.push(...values.map(Number));
      inFacet++;
    } else if (!OTHER_LINES.test(line.replaceAll(/\s+/g, ' ')))
      throw isLast
        ? cutOff()
        : new FileProblem(
            'This STL cannot be read: it holds something other than triangles. Export it again as a binary STL.',
          );
    if (word.toLowerCase() === 'endfacet') {
      if (inFacet !== 3)
        throw new FileProblem(
          'A face of this STL is not a triangle. Divide it into triangles and export it again.',
        );
      inFacet = 0;
      refuseTriangles(numbers.length / 9);
    }
  }
  if (inFacet !== 0) throw cutOff();
  return { mesh: Float32Array.from(numbers), names };
}
