import type { SaxesTagNS } from 'saxes';
import { refuseTriangles } from '../mesh.ts';
import { FileProblem } from '../problem.ts';
import { attributeOf, readXml } from '../xml.ts';
import { MATERIAL, type Palette } from './colours.ts';
import type { SlicerNotes } from './slicer.ts';
import { problem } from './unpack.ts';

export const CORE = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02';
/** The same parts in the draft of the format, which Windows 8.1 wrote. */
const DRAFT = 'http://schemas.microsoft.com/3dmanufacturing/2013/01';
const isCore = (uri: string) => uri === CORE || uri === DRAFT;
const PRODUCTION = 'http://schemas.microsoft.com/3dmanufacturing/production/2015/06';
export const MODEL_RELATION = 'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel';
/** The attributes in which slicers keep what is painted on a triangle, each in a code of its own. */
const PAINTED: [RegExp, string][] = [
  [/^(?:paint_color|mmu_segmentation)$/, 'colours painted in a slicer'],
  [
    /^(?:paint_(?:supports|seam|fuzzy_skin)|custom_(?:supports|seam)|fuzzy_skin)$/,
    'supports and seams painted in a slicer',
  ],
];
/** What extensions of the format add to the meshes, in words that follow "holds". */
const EXTENSIONS: [RegExp, string][] = [
  [/\/beamlattice\//, 'lattices'],
  [/\/slice\//, 'slices'],
  [/\/(?:volumetric|implicit)\//, 'volumes without a surface'],
  [/\/boolean(?:operations)?\//, 'parts that are cut out of others'],
  [/\/displacement\//, 'displaced surfaces'],
  [/\/securecontent\//, 'encrypted parts'],
];
/** The attributes and settings by which slicers mark an object that is not printed as it is. */
const MODIFIER = /^cura:(?:anti_overhang|cutting|infill|support)_mesh$/;
/** The types of an object that are no part of the shape. */
const TYPES_LEFT_OUT: Record<string, string> = {
  support: 'supports',
  solidsupport: 'supports',
  other: 'parts that are not printed',
};
export const MODIFIERS = 'modifiers and supports of a slicer';
/** Namespaces whose parts are read, or say nothing about the shape. */
const KNOWN = new Set([
  CORE,
  DRAFT,
  PRODUCTION,
  MATERIAL,
  'http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07',
  'http://www.w3.org/XML/1998/namespace',
  'http://www.w3.org/2000/xmlns/',
]);
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

export interface Reference {
  object: string;
  transform: number[];
}

export interface Part {
  id: string;
  /** The name of what it is, when that is no part of the shape. */
  isLeftOut: string | undefined;
  isSurface: boolean;
  vertices: number[];
  triangles: number[];
  /** The number of the colour of each corner of each triangle. */
  colours: number[];
  components: Reference[];
}

export interface Model {
  unit: string;
  objects: Map<string, Part>;
  items: Reference[];
  palette: Palette;
  notes: SlicerNotes;
  /** What is not kept, in words. */
  leftOut: Set<string>;
  /** The number of objects that have a name. */
  names: number;
  /** The parts that are placed in its build, each as often as it is used; those without a triangle take work as well. */
  placed: number;
}

/** The path of the model that a package names. @throws FileProblem when there is none */
export function rootOf(entries: Map<string, Uint8Array>): string {
  const relations = entries.get('_rels/.rels');
  if (!relations)
    throw new FileProblem('This is a ZIP file, and no 3MF. Unpack it and choose the files that it holds.');
  let root: string | undefined;
  readXml(relations, '3MF', {
    open: (tag) => {
      if (tag.local !== 'Relationship') return;
      if (attributeOf(tag, 'TargetMode') === 'External') throw problem('needs another file.');
      if (attributeOf(tag, 'Type') === MODEL_RELATION) root ??= attributeOf(tag, 'Target');
    },
  });
  if (root && !root.startsWith('/')) root = `/${root}`;
  if (!root || !entries.has(root.slice(1))) throw problem('does not contain the model that it names.');
  return root;
}

/** Reads the objects of a model into `model`, and of the package's own one what is built. */
export function readModel(bytes: Uint8Array, path: string, isRoot: boolean, model: Model): void {
  let part: Part | undefined;
  /** The colour of the object, for triangles without one. */
  let [group, index]: (string | undefined)[] = [];
  let required: (string | undefined)[] = [];
  /** The setting of an object whose value is being read. */
  let setting = '';
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
  const readers: Record<string, (tag: SaxesTagNS) => unknown> = {
    model: (tag) => {
      const prefixes = attributeOf(tag, 'requiredextensions')?.trim().split(/\s+/) ?? [];
      required = prefixes.map((prefix) => tag.ns[prefix]);
      if (isRoot) model.unit = attributeOf(tag, 'unit') ?? 'millimeter';
    },
    object: (tag) => {
      const [id = '', type = 'model'] = [attributeOf(tag, 'id'), attributeOf(tag, 'type')];
      part = {
        id,
        isLeftOut: TYPES_LEFT_OUT[type],
        isSurface: type === 'surface',
        vertices: [],
        triangles: [],
        colours: [],
        components: [],
      };
      [group, index] = [attributeOf(tag, 'pid'), attributeOf(tag, 'pindex')];
      model.objects.set(`${path}#${id}`, part);
      if (attributeOf(tag, 'name')?.trim()) model.names++;
    },
    metadata: (tag) => {
      setting = attributeOf(tag, 'name') ?? '';
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
      // The names of corners and colours are shorter.
      for (const { local } of Object.values(tag.attributes))
        if (local.length > 4)
          for (const [pattern, note] of PAINTED) if (pattern.test(local)) model.leftOut.add(note);
    },
    // Those of the draft.
    color: () => model.leftOut.add('colours'),
    component: (tag) => part?.components.push(reference(tag)),
    item: (tag) => {
      if (isRoot && attributeOf(tag, 'printable') === '0') model.leftOut.add('parts that are not printed');
      else if (isRoot) model.items.push(reference(tag));
    },
  };
  const refuseExtension = (uri: string) => {
    if (uri === '' || KNOWN.has(uri)) return;
    const [, note] = EXTENSIONS.find(([pattern]) => pattern.test(uri)) ?? [];
    if (required.includes(uri))
      throw problem(
        `holds ${note ?? 'parts of an extension of the format'}, which cannot be kept. Turn the whole shape into a mesh of triangles and export it again.`,
      );
    if (note) model.leftOut.add(note);
  };
  readXml(bytes, '3MF', {
    open: (tag) => {
      refuseExtension(tag.uri);
      for (const { uri, local, value } of Object.values(tag.attributes)) {
        refuseExtension(uri);
        if (local === 'meshresolution' && value === 'lowres')
          throw problem(
            'holds a rough mesh that stands for its slices. Export the whole shape as a mesh of triangles.',
          );
      }
      if (model.palette.read(tag, path, CORE, model.leftOut)) return;
      if (isCore(tag.uri) && Object.hasOwn(readers, tag.local)) readers[tag.local]?.(tag);
      else if (!KNOWN.has(tag.uri) && !EXTENSIONS.some(([pattern]) => pattern.test(tag.uri)))
        model.leftOut.add('parts of extensions of the format');
    },
    text: (text) => {
      if (part && MODIFIER.test(setting) && /true/i.test(text)) part.isLeftOut = MODIFIERS;
    },
    close: (tag) => {
      setting = '';
      if (isCore(tag.uri) && tag.local === 'object') part = undefined;
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
