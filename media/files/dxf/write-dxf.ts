import { CONTINUOUS, type Look, lookOfLayer, nameOf } from './look.ts';
import { checkedNumber, type Drawing, type Entity, numbersOf } from './read-dxf.ts';
import type { Group } from './shapes.ts';

const MAX_DECIMALS = 8;
const MAX_NAME = 31;
const MAX_DASHES = 12;

/** The layer that every drawing has. */
const UNNAMED = '0';

/** The layers and line types of the new drawing. */
export interface Tables {
  /** What an entity says of its look. */
  groupsOf: (look: Look) => Group[];
  /** The lengths of dashes and, below 0, of gaps; none of a continuous line. */
  dashesOf: (look: Look) => number[];
  /** The names of the layers as the file has them, which are words of its author. */
  names: () => string[];
  layerCount: () => number;
  layers: () => Group[][];
  lineTypes: () => Group[][];
}

/** Collects the layers and line types that shapes use. Names are written of the letters that the oldest form knows. */
export function tablesOf(drawing: Drawing, leaveOut: (name: string) => void): Tables {
  const layers = new Map<string, { read: string; name: string; look: Look; groups: Group[] }>();
  const lineTypes = new Map<string, { name: string; dashes: number[] }>();
  const taken = new Set(['', 'bylayer', 'byblock', CONTINUOUS]);

  // From where to go on counting, for names that become the same.
  const numbers = new Map<string, number>();

  const ownName = (read: string): string => {
    const plain = read
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^A-Za-z0-9$_-]/g, '_');
    let name = plain.slice(0, MAX_NAME);
    const key = name.toLowerCase();
    let number = numbers.get(key) ?? 1;
    while (taken.has(name.toLowerCase())) name = `${plain.slice(0, MAX_NAME - 7)}-${++number}`;
    numbers.set(key, number);
    taken.add(name.toLowerCase());
    return name;
  };

  const lineTypeOf = ({ lineType, lineTypeScale }: Look) => {
    const key = `${lineTypeScale} ${lineType}`;
    const found = lineTypes.get(key);
    if (found) return found;
    const entry = drawing.lineTypes.get(lineType);
    const dashes = entry ? dashesOf(entry, lineTypeScale * drawing.lineTypeScale, leaveOut) : [];
    if (!entry && lineType !== CONTINUOUS) leaveOut('line types');
    const name =
      dashes.length === 0 ? CONTINUOUS.toUpperCase() : ownName(nameOf(drawing.lineTypes, lineType));
    const made = { name, dashes };
    lineTypes.set(key, made);
    return made;
  };

  const layerOf = (layer: string) => {
    const key = layer.toLowerCase();
    const found = layers.get(key);
    if (found) return found;
    const look = lookOfLayer(layer, drawing, leaveOut);
    const read = nameOf(drawing.layers, layer);
    const name = ownName(read);
    if (name !== read) leaveOut('special letters of layer names');
    const groups: Group[] = [
      [0, 'LAYER'],
      [2, name],
      [70, 0],
      [62, look.colour],
      [6, lineTypeOf(look).name],
    ];
    const made = { read, name, look, groups };
    layers.set(key, made);
    return made;
  };

  return {
    groupsOf: (look) => {
      const layer = layerOf(look.layer);
      const lineType = lineTypeOf(look).name;
      return [
        [8, layer.name],
        ...(lineType === lineTypeOf(layer.look).name ? [] : [[6, lineType] as Group]),
        ...(look.colour === layer.look.colour ? [] : [[62, look.colour] as Group]),
      ];
    },
    dashesOf: (look) => lineTypeOf(look).dashes,
    names: () => [...layers.values()].map(({ read }) => read).filter((read) => read !== UNNAMED),
    layerCount: () => layers.size,
    layers: () => [...layers.values()].map(({ groups }) => groups),
    lineTypes: () =>
      [...lineTypes.values()].flatMap(({ name, dashes }) =>
        dashes.length === 0 ? [] : [lineType(name, dashes)],
      ),
  };
}

function dashesOf(entry: Entity, scale: number, leaveOut: (name: string) => void): number[] {
  if (numbersOf(entry, 74).some(Boolean)) leaveOut('symbols in line types');
  const dashes = numbersOf(entry, 49).map((dash) => dash * scale);
  const isSound = scale > 0 && dashes.length <= MAX_DASHES && lengthOf(dashes) > 0;
  if (!isSound && dashes.length > 0) leaveOut('line types');
  return isSound ? dashes : [];
}

export const lengthOf = (dashes: number[]) => dashes.reduce((sum, dash) => sum + Math.abs(dash), 0);

const lineType = (name: string, dashes: number[]): Group[] => [
  [0, 'LTYPE'],
  [2, name],
  [70, 0],
  [3, ''],
  [72, 65],
  [73, dashes.length],
  [40, lengthOf(dashes)],
  ...dashes.map((dash): Group => [49, dash]),
];

const CONTINUOUS_LINE: Group[] = [
  [0, 'LTYPE'],
  [2, CONTINUOUS.toUpperCase()],
  [70, 0],
  [3, 'Solid line'],
  [72, 65],
  [73, 0],
  [40, 0],
];

const table = (name: string, entries: Group[][]): Group[] => [
  [0, 'TABLE'],
  [2, name],
  [70, entries.length],
  ...entries.flat(),
  [0, 'ENDTAB'],
];

/** A drawing in the oldest form, which every program reads. */
export function writeDxf(shapes: Group[][], tables: Tables, unit: number): string {
  const start: Group[] = [
    [0, 'SECTION'],
    [2, 'HEADER'],
    [9, '$ACADVER'],
    [1, 'AC1009'],
    [9, '$INSUNITS'],
    [70, unit],
    [0, 'ENDSEC'],
    [0, 'SECTION'],
    [2, 'TABLES'],
    ...table('LTYPE', [CONTINUOUS_LINE, ...tables.lineTypes()]),
    ...table('LAYER', tables.layers()),
    [0, 'ENDSEC'],
    [0, 'SECTION'],
    [2, 'ENTITIES'],
  ];
  const end: Group[] = [
    [0, 'ENDSEC'],
    [0, 'EOF'],
  ];
  return [start, ...shapes, end]
    .flat()
    .map(([code, value]) => `${code}\n${typeof value === 'number' ? decimal(value) : value}\n`)
    .join('');
}

/** Without an exponent, which some programs do not read. */
function decimal(value: number): string {
  const text = checkedNumber(value)
    .toFixed(MAX_DECIMALS)
    .replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}
