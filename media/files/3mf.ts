import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, type UnzipFileInfo, unzipSync, zipSync } from 'fflate';
import type { SaxesTagNS } from 'saxes';
import type { JobResult } from '../job.ts';
import { LIMITS } from '../limits.ts';
import { FIRST_OBJECT_ID, Palette } from './3mf-colours.ts';
import { type Colours, type Mesh, measure, refuseTriangles } from './mesh.ts';
import { previewMesh } from './preview-mesh.ts';
import { FileProblem } from './problem.ts';
import { attributeOf, readXml } from './xml.ts';

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
const MAX_PLACED = 100_000;
/** The attributes in which slicers keep what is painted on a triangle, each in a code of its own. */
const PAINTED = /^(?:paint_color|mmu_segmentation)$/;
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

interface Reference {
  object: string;
  transform: number[];
}

interface Part {
  vertices: number[];
  triangles: number[];
  /** The number of the colour of each corner of each triangle. */
  colours: number[];
  components: Reference[];
}

interface Model {
  unit: string;
  objects: Map<string, Part>;
  items: Reference[];
  palette: Palette;
  /** The parts that are placed in its build, each as often as it is used; those without a triangle take work as well. */
  placed: number;
}

/** Triangles with the numbers of the colours of their corners. */
interface Coloured {
  mesh: Mesh;
  colours: Uint16Array;
}

const problem = (reason: string) => new FileProblem(`This 3MF ${reason}`);

/** Writes the meshes that its build names into a new package; all else in it is left behind. */
export async function make3mf(path: string, folder: string): Promise<JobResult> {
  const entries = unpack(await readFile(path));
  const root = rootOf(entries);
  const model: Model = {
    unit: 'millimeter',
    objects: new Map(),
    items: [],
    palette: new Palette(),
    placed: 0,
  };
  for (const name of Object.keys(entries).filter((entry) => /\.model$/i.test(entry)))
    readModel(entries[name] ?? new Uint8Array(), `/${name}`, `/${name}` === root, model);
  const meshes = model.items.map((item) => build(model, item, 0));
  const count = meshes.reduce((sum, { mesh }) => sum + mesh.length, 0);
  refuseTriangles(count / 9);
  const scale = UNITS[model.unit];
  if (!scale) throw problem('has an unknown unit.');
  const whole = new Float32Array(count);
  let at = 0;
  for (const { mesh } of meshes) {
    for (const value of mesh) whole[at++] = value * scale;
  }
  const { palette } = model;
  const facts = {
    ...measure(whole),
    parts: meshes.length,
    unit: model.unit,
    ...(palette.size === 0 ? {} : { colours: palette.size }),
    ...(palette.leftOut.size === 0 ? {} : { leftOut: [...palette.leftOut] }),
  };
  await writeFile(join(folder, 'file.3mf'), pack(meshes, model));
  const { previews, width, height } = await previewMesh(whole, folder, seenColours(meshes, palette));
  return { files: ['file.3mf', ...previews], width, height, file: { type: '3mf', facts, pageTexts: [] } };
}

/** Only what describes the model is unpacked, and never beyond the size that was checked before. */
function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  let [count, total] = [0, 0];
  const filter = ({ name, size, originalSize }: UnzipFileInfo) => {
    if (++count > LIMITS.parts) throw problem(`holds more than ${LIMITS.parts} files.`);
    if (name.startsWith('/') || name.includes('\\') || name.split('/').includes('..'))
      throw problem('refers to something outside it.');
    total += originalSize;
    if (total > LIMITS.unpackedBytes || originalSize > Math.max(size, 1000) * MAX_RATIO)
      throw problem('is too large when unpacked.');
    return name === '_rels/.rels' || /\.model$/i.test(name);
  };
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    throw problem('cannot be unpacked. It may be damaged or encrypted.');
  }
}

function rootOf(entries: Record<string, Uint8Array>): string {
  const relations = entries['_rels/.rels'];
  if (!relations) throw problem('does not say which model it holds.');
  let root: string | undefined;
  readXml(relations, '3MF', {
    open: (tag) => {
      if (tag.local !== 'Relationship') return;
      if (attributeOf(tag, 'TargetMode') === 'External') throw problem('needs another file.');
      if (attributeOf(tag, 'Type') === MODEL_RELATION) root ??= attributeOf(tag, 'Target');
    },
  });
  if (root && !root.startsWith('/')) root = `/${root}`;
  if (!root || !entries[root.slice(1)]) throw problem('does not contain the model that it names.');
  return root;
}

function readModel(bytes: Uint8Array, path: string, isRoot: boolean, model: Model): void {
  let part: Part | undefined;
  /** The colour of the object, for triangles without one. */
  let [group, index]: (string | undefined)[] = [];
  const number = (tag: SaxesTagNS, name: string) => {
    const text = attributeOf(tag, name) ?? '';
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value))
      throw new FileProblem('A corner of this model has no position: a number is missing.');
    return value;
  };
  const reference = (tag: SaxesTagNS): Reference => ({
    object: `${attributeOf(tag, 'path', PRODUCTION) ?? path}#${attributeOf(tag, 'objectid')}`,
    transform: transformOf(attributeOf(tag, 'transform')),
  });
  const readers: Record<string, (tag: SaxesTagNS) => void> = {
    model: (tag) => {
      if (isRoot) model.unit = attributeOf(tag, 'unit') ?? 'millimeter';
    },
    object: (tag) => {
      part = { vertices: [], triangles: [], colours: [], components: [] };
      [group, index] = [attributeOf(tag, 'pid'), attributeOf(tag, 'pindex')];
      model.objects.set(`${path}#${attributeOf(tag, 'id')}`, part);
    },
    vertex: (tag) => {
      part?.vertices.push(number(tag, 'x'), number(tag, 'y'), number(tag, 'z'));
      refuseTriangles((part?.vertices.length ?? 0) / 9);
    },
    triangle: (tag) => {
      part?.triangles.push(number(tag, 'v1'), number(tag, 'v2'), number(tag, 'v3'));
      refuseTriangles((part?.triangles.length ?? 0) / 3);
      // A group without a place in it, or the other way round, has no meaning.
      const [own, first = index] = [attributeOf(tag, 'pid') ?? group, attributeOf(tag, 'p1')];
      const corners = [first, attributeOf(tag, 'p2') ?? first, attributeOf(tag, 'p3') ?? first];
      part?.colours.push(...corners.map((corner) => model.palette.numberOf(path, own, corner)));
      if (Object.values(tag.attributes).some(({ local }) => PAINTED.test(local)))
        model.palette.leftOut.add('colours painted in a slicer');
    },
    component: (tag) => part?.components.push(reference(tag)),
    item: (tag) => {
      if (isRoot) model.items.push(reference(tag));
    },
  };
  readXml(bytes, '3MF', {
    open: (tag) => {
      if (model.palette.read(tag, path, CORE)) return;
      if (tag.uri === CORE && Object.hasOwn(readers, tag.local)) readers[tag.local]?.(tag);
    },
  });
}

function transformOf(text: string | undefined): number[] {
  if (text === undefined) return IDENTITY;
  const numbers = text.trim().split(/\s+/).map(Number);
  if (numbers.length !== 12 || !numbers.every(Number.isFinite))
    throw problem('has a part without a valid position.');
  return numbers;
}

/** The triangles of an object with those of its components, in the place where they are built. */
function build(model: Model, { object, transform }: Reference, depth: number): Coloured {
  const part = model.objects.get(object);
  if (!part) throw problem('uses a part that it does not contain.');
  if (depth > MAX_NESTING) throw problem('holds parts that contain themselves.');
  if (++model.placed > MAX_PLACED) throw problem(`places more than ${MAX_PLACED} parts.`);
  const components = part.components.map((component) => build(model, component, depth + 1));
  const own = new Float32Array(part.triangles.length * 3);
  const corners = part.vertices.length / 3;
  for (const [index, vertex] of part.triangles.entries()) {
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < corners))
      throw new FileProblem('A triangle of this model has a corner that does not exist.');
    own.set(part.vertices.slice(vertex * 3, vertex * 3 + 3), index * 3);
  }
  const mesh = new Float32Array(components.reduce((sum, inner) => sum + inner.mesh.length, own.length));
  refuseTriangles(mesh.length / 9);
  const colours = new Uint16Array(mesh.length / 3);
  let at = 0;
  for (const piece of [{ mesh: own, colours: part.colours }, ...components]) {
    mesh.set(piece.mesh, at);
    colours.set(piece.colours, at / 3);
    at += piece.mesh.length;
  }
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0] = transform;
  for (let corner = 0; corner < mesh.length; corner += 3) {
    const [x = 0, y = 0, z = 0] = mesh.subarray(corner, corner + 3);
    mesh[corner] = x * a + y * d + z * g + j;
    mesh[corner + 1] = x * b + y * e + z * h + k;
    mesh[corner + 2] = x * c + y * f + z * i + l;
  }
  return { mesh, colours };
}

const TYPES =
  '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>';
const RELATIONS = `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="model" Type="${MODEL_RELATION}" Target="/3D/3dmodel.model"/></Relationships>`;

function pack(meshes: Coloured[], { unit, palette }: Model): Uint8Array {
  const parts = [
    `<?xml version="1.0" encoding="UTF-8"?>\n<model unit="${unit}" xmlns="${CORE}"><resources>${palette.written()}`,
  ].map((text) => strToU8(text));
  for (const [index, { mesh, colours }] of meshes.entries()) {
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
      if (a !== b && b !== c && a !== c)
        triangles.push(`<triangle v1="${a}" v2="${b}" v3="${c}"${colourOf(colours, at / 3, palette)}/>`);
    }
    parts.push(
      strToU8(
        `<object id="${index + FIRST_OBJECT_ID}" type="model"${ofObject(colours, palette)}><mesh><vertices>`,
      ),
    );
    parts.push(strToU8([...places.keys()].join('')), strToU8('</vertices><triangles>'));
    parts.push(strToU8(triangles.join('')), strToU8('</triangles></mesh></object>'));
  }
  const items = meshes.map((_, index) => `<item objectid="${index + FIRST_OBJECT_ID}"/>`).join('');
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

/** A colour for each corner, where the three differ, else one for the triangle. */
function colourOf(colours: Uint16Array, at: number, palette: Palette): string {
  const corners = [0, 1, 2].map((corner) => palette.place(colours[at + corner] ?? 0));
  const [first, second, third] = corners;
  if (!first) return '';
  const isOne = [second, third].every((place) => place?.group === first.group && place.index === first.index);
  return ` pid="${first.group}" p1="${first.index}"${isOne ? '' : ` p2="${second?.index ?? first.index}" p3="${third?.index ?? first.index}"`}`;
}

/** An object whose triangles all have a colour names one for them, as the format asks. */
function ofObject(colours: Uint16Array, palette: Palette): string {
  const place = palette.place(colours[0] ?? 0);
  return place && colours.every((number) => number > 0)
    ? ` pid="${place.group}" pindex="${place.index}"`
    : '';
}

/** The colour of each triangle for pictures, or nothing for a model without colours. */
function seenColours(meshes: Coloured[], palette: Palette): Colours | undefined {
  if (palette.size === 0) return undefined;
  return meshes.flatMap(({ colours }) =>
    Array.from({ length: colours.length / 3 }, (_, triangle) => palette.rgb(colours[triangle * 3] ?? 0)),
  );
}
