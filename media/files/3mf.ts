import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, type UnzipFileInfo, unzipSync, zipSync } from 'fflate';
import type { SaxesTagNS } from 'saxes';
import type { JobResult } from '../job.ts';
import { LIMITS } from '../limits.ts';
import { type Mesh, measure, refuseTriangles } from './mesh.ts';
import { previewMesh } from './preview-mesh.ts';
import { FileProblem } from './problem.ts';
import { readXml } from './xml.ts';

const CORE = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02';
const PRODUCTION = 'http://schemas.microsoft.com/3dmanufacturing/production/2015/06';
const MODEL_RELATION = 'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel';
/** In millimetres. */
const UNITS: Record<string, number> = {
  micron: 0.001,
  millimeter: 1,
  centimeter: 10,
  inch: 25.4,
  foot: 304.8,
  meter: 1000,
};
const MAX_RATIO = 200;
const MAX_NESTING = 10;
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

interface Reference {
  object: string;
  transform: number[];
}

interface Part {
  vertices: number[];
  triangles: number[];
  components: Reference[];
}

interface Model {
  unit: string;
  objects: Map<string, Part>;
  items: Reference[];
}

const problem = (reason: string) => new FileProblem(`This 3MF ${reason}`);

/** Writes the meshes that its build names into a new package; all else in it is left behind. */
export async function make3mf(path: string, folder: string, progress: () => void): Promise<JobResult> {
  const entries = unpack(await readFile(path));
  const root = rootOf(entries, progress);
  const model: Model = { unit: 'millimeter', objects: new Map(), items: [] };
  for (const name of Object.keys(entries).filter((entry) => /\.model$/i.test(entry)))
    readModel(entries[name] ?? new Uint8Array(), `/${name}`, `/${name}` === root, model, progress);
  const meshes = model.items.map((item) => build(model, item, 0));
  refuseTriangles(meshes.reduce((sum, { length }) => sum + length / 9, 0));
  const scale = UNITS[model.unit];
  if (!scale) throw problem('has an unknown unit.');
  const whole = Float32Array.from({ length: meshes.reduce((sum, { length }) => sum + length, 0) });
  let at = 0;
  for (const mesh of meshes) {
    for (const value of mesh) whole[at++] = value * scale;
  }
  const facts = { ...measure(whole), parts: meshes.length, unit: model.unit };
  progress();
  await writeFile(join(folder, 'file.3mf'), pack(meshes, model.unit, progress));
  const { previews, width, height } = await previewMesh(whole, folder, progress);
  return { files: ['file.3mf', ...previews], width, height, file: { type: '3mf', facts, pageTexts: [] } };
}

/** Only what describes the model is unpacked, and never beyond the size that was checked before. */
function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  let [count, total] = [0, 0];
  const filter = ({ name, size, originalSize }: UnzipFileInfo) => {
    if (++count > LIMITS.parts) throw problem(`holds more than ${LIMITS.parts} files.`);
    if (name.startsWith('/') || name.includes('\\') || name.split('/').includes('..'))
      throw problem('names a place outside of it.');
    total += originalSize;
    if (total > LIMITS.unpackedBytes || originalSize > Math.max(size, 1000) * MAX_RATIO)
      throw problem('unpacks to too much.');
    return name === '_rels/.rels' || /\.model$/i.test(name);
  };
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    throw problem('cannot be unpacked. It may be damaged or encrypted.');
  }
}

function rootOf(entries: Record<string, Uint8Array>, progress: () => void): string {
  const relations = entries['_rels/.rels'];
  if (!relations) throw problem('does not say which model it holds.');
  let root: string | undefined;
  readXml(relations, '3MF', {
    progress,
    open: (tag) => {
      if (tag.local !== 'Relationship') return;
      if (read(tag, 'TargetMode') === 'External') throw problem('needs another file.');
      if (read(tag, 'Type') === MODEL_RELATION) root ??= read(tag, 'Target');
    },
  });
  if (root && !root.startsWith('/')) root = `/${root}`;
  if (!root || !entries[root.slice(1)]) throw problem('does not hold the model that it names.');
  return root;
}

function read(tag: SaxesTagNS, name: string, uri = ''): string | undefined {
  return Object.values(tag.attributes).find((value) => value.local === name && value.uri === uri)?.value;
}

function readModel(
  bytes: Uint8Array,
  path: string,
  isRoot: boolean,
  model: Model,
  progress: () => void,
): void {
  let part: Part | undefined;
  const number = (tag: SaxesTagNS, name: string) => {
    const text = read(tag, name) ?? '';
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value))
      throw new FileProblem('A corner of this model has no place: a number is missing.');
    return value;
  };
  const reference = (tag: SaxesTagNS): Reference => ({
    object: `${read(tag, 'path', PRODUCTION) ?? path}#${read(tag, 'objectid')}`,
    transform: transformOf(read(tag, 'transform')),
  });
  const readers: Record<string, (tag: SaxesTagNS) => void> = {
    model: (tag) => {
      if (isRoot) model.unit = read(tag, 'unit') ?? 'millimeter';
    },
    object: (tag) => {
      part = { vertices: [], triangles: [], components: [] };
      model.objects.set(`${path}#${read(tag, 'id')}`, part);
    },
    vertex: (tag) => {
      part?.vertices.push(number(tag, 'x'), number(tag, 'y'), number(tag, 'z'));
      refuseTriangles((part?.vertices.length ?? 0) / 9);
    },
    triangle: (tag) => {
      part?.triangles.push(number(tag, 'v1'), number(tag, 'v2'), number(tag, 'v3'));
      refuseTriangles((part?.triangles.length ?? 0) / 3);
    },
    component: (tag) => part?.components.push(reference(tag)),
    item: (tag) => {
      if (isRoot) model.items.push(reference(tag));
    },
  };
  readXml(bytes, '3MF', {
    progress,
    open: (tag) => {
      if (tag.uri === CORE && Object.hasOwn(readers, tag.local)) readers[tag.local]?.(tag);
    },
  });
}

function transformOf(text: string | undefined): number[] {
  if (text === undefined) return IDENTITY;
  const numbers = text.trim().split(/\s+/).map(Number);
  if (numbers.length !== 12 || !numbers.every(Number.isFinite)) throw problem('places a part nowhere.');
  return numbers;
}

/** The triangles of an object with those of its components, in the place where they are built. */
function build(model: Model, { object, transform }: Reference, depth: number): Mesh {
  const part = model.objects.get(object);
  if (!part) throw problem('uses a part that it does not hold.');
  if (depth > MAX_NESTING) throw problem('holds parts that contain themselves.');
  const numbers: Mesh[] = part.components.map((component) => build(model, component, depth + 1));
  const own = new Float32Array(part.triangles.length * 3);
  const corners = part.vertices.length / 3;
  for (const [index, vertex] of part.triangles.entries()) {
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < corners))
      throw new FileProblem('A triangle of this model has a corner that does not exist.');
    own.set(part.vertices.slice(vertex * 3, vertex * 3 + 3), index * 3);
  }
  const mesh = new Float32Array(own.length + numbers.reduce((sum, { length }) => sum + length, 0));
  refuseTriangles(mesh.length / 9);
  let at = 0;
  for (const piece of [own, ...numbers]) {
    mesh.set(piece, at);
    at += piece.length;
  }
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0] = transform;
  for (let corner = 0; corner < mesh.length; corner += 3) {
    const [x = 0, y = 0, z = 0] = mesh.subarray(corner, corner + 3);
    mesh[corner] = x * a + y * d + z * g + j;
    mesh[corner + 1] = x * b + y * e + z * h + k;
    mesh[corner + 2] = x * c + y * f + z * i + l;
  }
  return mesh;
}

const TYPES =
  '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>';
const RELATIONS = `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="model" Type="${MODEL_RELATION}" Target="/3D/3dmodel.model"/></Relationships>`;

function pack(meshes: Mesh[], unit: string, progress: () => void): Uint8Array {
  const parts = [
    `<?xml version="1.0" encoding="UTF-8"?>\n<model unit="${unit}" xmlns="${CORE}"><resources>`,
  ].map((text) => strToU8(text));
  for (const [index, mesh] of meshes.entries()) {
    const places = new Map<string, number>();
    const triangles: string[] = [];
    for (let at = 0; at < mesh.length; at += 9) {
      const [a, b, c] = [0, 3, 6].map((corner) => {
        const [x, y, z] = mesh.subarray(at + corner, at + corner + 3);
        const vertex = `<vertex x="${x}" y="${y}" z="${z}"/>`;
        const place = places.get(vertex) ?? places.size;
        places.set(vertex, place);
        return place;
      });
      // A triangle of fewer than three corners is no triangle in this format.
      if (a !== b && b !== c && a !== c) triangles.push(`<triangle v1="${a}" v2="${b}" v3="${c}"/>`);
      progress();
    }
    parts.push(strToU8(`<object id="${index + 1}" type="model"><mesh><vertices>`));
    parts.push(strToU8([...places.keys()].join('')), strToU8('</vertices><triangles>'));
    parts.push(strToU8(triangles.join('')), strToU8('</triangles></mesh></object>'));
  }
  const items = meshes.map((_, index) => `<item objectid="${index + 1}"/>`).join('');
  parts.push(strToU8(`</resources><build>${items}</build></model>`));
  return zipSync(
    {
      '[Content_Types].xml': strToU8(TYPES),
      '_rels/.rels': strToU8(RELATIONS),
      '3D/3dmodel.model': Buffer.concat(parts),
    },
    { mtime: '1980-01-01' },
  );
}
