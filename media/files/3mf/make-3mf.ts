import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { JobResult } from '../../job.ts';
import { type Colours, isInsideOut, type Mesh, measure, refuseTriangles } from '../mesh.ts';
import { previewMesh } from '../preview-mesh.ts';
import { FileProblem } from '../problem.ts';
import { FIRST_OBJECT_ID, Palette } from './colours.ts';
import {
  CORE,
  MODEL_RELATION,
  MODIFIERS,
  type Model,
  type Part,
  type Reference,
  readModel,
  rootOf,
} from './read-model.ts';
import { readNotes } from './slicer.ts';
import { problem, unpack } from './unpack.ts';

/** In millimetres. */
const UNITS: Record<string, number> = {
  micron: 0.001,
  millimeter: 1,
  centimeter: 10,
  inch: 25.4,
  foot: 304.8,
  meter: 1000,
};
const MAX_NESTING = 10;
const MAX_PLACED = 100_000;
const SETTINGS = /^Metadata\/.*\.(?:config|xml|json|gcode)$|^Cura\//i;
/** Triangles with the numbers of the colours of their corners. */
interface Coloured {
  mesh: Mesh;
  colours: Uint16Array;
  isSurface?: boolean;
}

/** Writes the meshes that its build names into a new package; all else in it is left behind. */
export async function make3mf(path: string, folder: string): Promise<JobResult> {
  const { entries, others } = await unpack(path);
  const root = rootOf(entries);
  const named = (pattern: RegExp) => [...entries].filter(([name]) => pattern.test(name));
  const model: Model = {
    unit: 'millimeter',
    objects: new Map(),
    items: [],
    palette: new Palette(),
    notes: readNotes(named(/\.config$/i).map(([, bytes]) => bytes)),
    leftOut: new Set(),
    names: 0,
    placed: 0,
  };
  const { palette, leftOut } = model;
  for (const [name, bytes] of named(/\.model$/i)) readModel(bytes, `/${name}`, `/${name}` === root, model);
  if ([...others, ...entries.keys()].some((name) => SETTINGS.test(name))) leftOut.add('print settings');
  if (model.names > 1) leftOut.add('names of parts');
  const meshes = model.items.map((item) => build(model, item, 0)).filter(({ mesh }) => mesh.length > 0);
  const count = meshes.reduce((sum, { mesh }) => sum + mesh.length, 0);
  refuseTriangles(count / 9);
  if (count === 0 && leftOut.size > 0)
    throw problem(
      `is empty without its ${[...leftOut].join(' and ')}. Export the shape as a mesh of triangles.`,
    );
  const scale = UNITS[model.unit];
  if (!scale) throw problem('has an unknown unit. Export it in millimetres.');
  const whole = new Float32Array(count);
  let at = 0;
  for (const { mesh } of meshes) {
    for (const value of mesh) whole[at++] = value * scale;
  }
  const facts = {
    ...measure(whole),
    ...(meshes.some(({ mesh, isSurface }) => !isSurface && isInsideOut(mesh)) && { isInsideOut: true }),
    parts: meshes.length,
    unit: model.unit,
    ...(palette.size === 0 ? {} : { colours: palette.size }),
    ...(leftOut.size === 0 ? {} : { leftOut: [...leftOut].sort() }),
  };
  await writeFile(join(folder, 'file.3mf'), pack(meshes, model));
  const { previews, width, height } = await previewMesh(whole, folder, seenColours(meshes, palette));
  return { files: ['file.3mf', ...previews], width, height, file: { type: '3mf', facts, pageTexts: [] } };
}

/** The triangles of an object with those of its components, in the place where they are built. */
function build(model: Model, { object, transform }: Reference, depth: number): Coloured {
  const part = model.objects.get(object);
  if (!part) throw problem('uses a part that it does not contain.');
  if (depth > MAX_NESTING) throw problem('holds parts that contain themselves.');
  if (++model.placed > MAX_PLACED) throw problem(`places more than ${MAX_PLACED} parts.`);
  if (part.isLeftOut) {
    model.leftOut.add(part.isLeftOut);
    return NOTHING;
  }
  const components = part.components.map((component) => {
    const isShape = !model.notes.components.has(`${part.id}/${component.object.split('#').at(-1)}`);
    if (!isShape) model.leftOut.add(MODIFIERS);
    return isShape ? build(model, component, depth + 1) : NOTHING;
  });
  const { triangles, colours: ownColours } = shapeOf(part, model);
  const own = new Float32Array(triangles.length * 3);
  const corners = part.vertices.length / 3;
  for (const [index, vertex] of triangles.entries()) {
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < corners))
      throw new FileProblem('A triangle of this model has a corner that does not exist.');
    own.set(part.vertices.slice(vertex * 3, vertex * 3 + 3), index * 3);
  }
  const mesh = new Float32Array(components.reduce((sum, inner) => sum + inner.mesh.length, own.length));
  refuseTriangles(mesh.length / 9);
  const colours = new Uint16Array(mesh.length / 3);
  let at = 0;
  for (const piece of [{ mesh: own, colours: ownColours }, ...components]) {
    mesh.set(piece.mesh, at);
    colours.set(piece.colours, at / 3);
    at += piece.mesh.length;
  }
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0] = transform;
  const volume = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  if (!volume)
    throw problem('has a part that its position makes flat. Export the shape as a mesh of triangles.');
  for (let corner = 0; corner < mesh.length; corner += 3) {
    const [x = 0, y = 0, z = 0] = mesh.subarray(corner, corner + 3);
    mesh[corner] = x * a + y * d + z * g + j;
    mesh[corner + 1] = x * b + y * e + z * h + k;
    mesh[corner + 2] = x * c + y * f + z * i + l;
  }
  // What is mirrored has its outside inside until its triangles run the other way round.
  if (volume < 0) turnAround(mesh, colours);
  return { mesh, colours, isSurface: part.isSurface };
}

function turnAround(mesh: Mesh, colours: Uint16Array) {
  for (let triangle = 0; triangle < mesh.length / 9; triangle++) {
    const [second, third] = [triangle * 3 + 1, triangle * 3 + 2];
    const corner = mesh.slice(second * 3, second * 3 + 3);
    mesh.copyWithin(second * 3, third * 3, third * 3 + 3);
    mesh.set(corner, third * 3);
    [colours[second], colours[third]] = [colours[third] ?? 0, colours[second] ?? 0];
  }
}

const NOTHING: Coloured = { mesh: new Float32Array(), colours: new Uint16Array() };

/** The triangles of a part without those that a slicer only uses. */
function shapeOf(part: Part, { notes, leftOut }: Model): Pick<Part, 'triangles' | 'colours'> {
  const ranges = notes.ranges.get(part.id) ?? [];
  if (ranges.length === 0) return part;
  leftOut.add(MODIFIERS);
  const count = part.triangles.length / 3;
  // How many more ranges begin at a triangle than end before it.
  const steps = new Int32Array(count + 1);
  for (const [first, last] of ranges) {
    steps[Math.min(first, count)] = (steps[Math.min(first, count)] ?? 0) + 1;
    steps[Math.min(last + 1, count)] = (steps[Math.min(last + 1, count)] ?? 0) - 1;
  }
  const shape: Pick<Part, 'triangles' | 'colours'> = { triangles: [], colours: [] };
  let inside = 0;
  for (let triangle = 0; triangle < count; triangle++) {
    inside += steps[triangle] ?? 0;
    if (inside > 0) continue;
    for (const list of ['triangles', 'colours'] as const)
      shape[list].push(...part[list].slice(triangle * 3, triangle * 3 + 3));
  }
  return shape;
}

const TYPES =
  '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>';
const RELATIONS = `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="model" Type="${MODEL_RELATION}" Target="/3D/3dmodel.model"/></Relationships>`;

function pack(meshes: Coloured[], { unit, palette }: Model): Uint8Array {
  const parts = [
    `<?xml version="1.0" encoding="UTF-8"?>\n<model unit="${unit}" xmlns="${CORE}"><resources>${palette.written()}`,
  ].map((text) => strToU8(text));
  for (const [index, { mesh, colours, isSurface }] of meshes.entries()) {
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
        `<object id="${index + FIRST_OBJECT_ID}" type="${isSurface ? 'surface' : 'model'}"${ofObject(colours, palette)}><mesh><vertices>`,
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
