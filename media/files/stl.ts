import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobResult } from '../job.ts';
import { drawMesh } from './draw-mesh.ts';
import { binaryStl, type Mesh, measure, PICTURE, refuseTriangles } from './mesh.ts';
import { FileProblem } from './problem.ts';

const HEADER = 84;
const TRIANGLE = 50;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** Words of a text STL that carry no corner; what follows a name is its author's. */
const OTHER_LINES = /^(?:solid|endsolid|facet|endfacet|outer loop|endloop)\b/i;

/** Binary if its length is the one that its header states, text if it begins like text. */
export function isStl(bytes: Buffer): boolean {
  return isBinary(bytes) || isText(bytes) || declaresTooMuch(bytes);
}

const isBinary = (bytes: Buffer) =>
  bytes.length >= HEADER && bytes.length === HEADER + bytes.readUInt32LE(80) * TRIANGLE;
const isText = (bytes: Buffer) =>
  /^\s*solid\b/i.test(bytes.toString('latin1', 0, 256)) && !bytes.subarray(0, 1024).includes(0);
/** A header of an STL whose triangles are missing, or do not end where it says. */
const declaresTooMuch = (bytes: Buffer) =>
  bytes.length >= HEADER &&
  bytes.readUInt32LE(80) > 0 &&
  (bytes.subarray(0, 80).every((byte) => byte === 0) || bytes.toString('latin1', 0, 5) === 'solid');

/** Writes the triangles again; what stood in the header, in names and between them is gone. */
export async function makeStl(path: string, folder: string): Promise<JobResult> {
  const bytes = await readFile(path);
  const mesh = isBinary(bytes) ? readBinary(bytes) : isText(bytes) ? readText(bytes) : refuseLength(bytes);
  const facts = measure(mesh);
  await writeFile(join(folder, 'file.stl'), binaryStl(mesh));
  const size = await drawMesh(mesh, join(folder, PICTURE));
  return { files: ['file.stl', PICTURE], ...size, file: { type: 'stl', facts, pageTexts: [] } };
}

function refuseLength(bytes: Buffer): never {
  refuseTriangles(bytes.readUInt32LE(80));
  throw new FileProblem('This STL is not as long as its header says. It may be damaged.');
}

function readBinary(bytes: Buffer): Mesh {
  const count = bytes.readUInt32LE(80);
  refuseTriangles(count);
  const mesh = new Float32Array(count * 9);
  for (let triangle = 0; triangle < count; triangle++)
    for (let index = 0; index < 9; index++)
      mesh[triangle * 9 + index] = bytes.readFloatLE(HEADER + triangle * TRIANGLE + 12 + index * 4);
  return mesh;
}

function readText(bytes: Buffer): Mesh {
  const numbers: number[] = [];
  let inFacet = 0;
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(10, at);
    const end = newline < 0 ? bytes.length : newline;
    if (end - at > 1000) throw new FileProblem('This STL cannot be read: a line is too long.');
    const line = bytes.toString('latin1', at, end).trim();
    at = end + 1;
    if (line === '') continue;
    const [word = '', ...values] = line.split(/\s+/);
    if (word.toLowerCase() === 'vertex') {
      if (values.length !== 3 || !values.every((value) => NUMBER.test(value)))
        throw new FileProblem('A corner of this model has no position: a number is missing.');
      numbers.push(...values.map(Number));
      inFacet++;
    } else if (!OTHER_LINES.test(line.replaceAll(/\s+/g, ' ')))
      throw new FileProblem('This STL cannot be read: it holds something other than triangles.');
    if (word.toLowerCase() === 'endfacet') {
      if (inFacet !== 3) throw new FileProblem('A face of this STL is not a triangle.');
      inFacet = 0;
      refuseTriangles(numbers.length / 9);
    }
  }
  if (inFacet !== 0) throw new FileProblem('This STL is cut off.');
  return Float32Array.from(numbers);
}
