import { cutText } from '../../../texts/cut-text.ts';
import { CONTINUOUS, type Look, lookOfLayer, nameOf } from './look.ts';
import { checkedNumber, type Drawing, type Entity, numbersOf } from './read-dxf.ts';

const MAX_DECIMALS = 8;
const DECIMALS = 10 ** MAX_DECIMALS;
const MAX_NAME = 31;
const MAX_DASHES = 12;

/** The layer that every drawing has. */
const UNNAMED = '0';

/** The layers and line types of the new drawing. */
export interface Tables {
  /** What an entity says of its look. */
  groupsOf: (look: Look) => string;
  /** The lengths of dashes and, below 0, of gaps; none of a continuous line. */
  dashesOf: (look: Look) => number[];
  /** The names of the layers as the file has them, which are words of its author. */
  names: () => string[];
  layerCount: () => number;
  layers: () => string[];
  lineTypes: () => string[];
}

/** Collects the layers and line types that shapes use. Names are written of the letters that the oldest form knows. */
export function tablesOf(drawing: Drawing, leaveOut: (name: string) => void): Tables {
  const layers = new Map<string, { read: string; name: string; look: Look; groups: string }>();
  const lineTypes = new Map<string, { name: string; dashes: number[] }>();
  const taken = new Set(['', 'bylayer', 'byblock', CONTINUOUS]);

  // From where to go on counting, for names that become the same.
  const numbers = new Map<string, number>();

  const ownName = (read: string): string => {
    const plain = read
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^A-Za-z0-9$_-]/g, '_');
    let name = cutText(plain, MAX_NAME);
    const key = name.toLowerCase();
    let number = numbers.get(key) ?? 1;
    while (taken.has(name.toLowerCase())) name = `${cutText(plain, MAX_NAME - 7)}-${++number}`;
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
    const groups = written([
      [0, 'LAYER'],
      [2, name],
      [70, 0],
      [62, look.colour],
      [6, lineTypeOf(look).name],
    ]);
    const made = { read, name, look, groups };
    layers.set(key, made);
    return made;
  };

  return {
    groupsOf: (look) => {
      const layer = layerOf(look.layer);
      const lineType = lineTypeOf(look).name;
      return [
        group(8, layer.name),
        lineType === lineTypeOf(layer.look).name ? '' : group(6, lineType),
        look.colour === layer.look.colour ? '' : group(62, look.colour),
      ].join('');
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

/** The length after which a line’s dashes repeat; gaps are negative numbers. */
export const lengthOf = (dashes: number[]) => dashes.reduce((sum, dash) => sum + Math.abs(dash), 0);

const lineType = (name: string, dashes: number[], says = '') =>
  written([
    [0, 'LTYPE'],
    [2, name],
    [70, 0],
    [3, says],
    [72, 65],
    [73, dashes.length],
    [40, lengthOf(dashes)],
    ...dashes.map((dash): [number, number] => [49, dash]),
  ]);

const table = (name: string, entries: string[]) =>
  [
    written([
      [0, 'TABLE'],
      [2, name],
      [70, entries.length],
    ]),
    ...entries,
    group(0, 'ENDTAB'),
  ].join('');

/** A drawing in the oldest form, which every program reads. */
export function writeDxf(shapes: string[], tables: Tables, unit: number): string {
  return [
    written([
      [0, 'SECTION'],
      [2, 'HEADER'],
      [9, '$ACADVER'],
      [1, 'AC1009'],
      [9, '$INSUNITS'],
      [70, unit],
      [0, 'ENDSEC'],
      [0, 'SECTION'],
      [2, 'TABLES'],
    ]),
    table('LTYPE', [lineType(CONTINUOUS.toUpperCase(), [], 'Solid line'), ...tables.lineTypes()]),
    table('LAYER', tables.layers()),
    written([
      [0, 'ENDSEC'],
      [0, 'SECTION'],
      [2, 'ENTITIES'],
    ]),
    ...shapes,
    written([
      [0, 'ENDSEC'],
      [0, 'EOF'],
    ]),
  ].join('');
}

/** A pair of a group code and a value, as a file has it. */
export const group = (code: number, value: string | number) =>
  `${code}\n${typeof value === 'number' ? decimal(value) : value}\n`;

const written = (groups: [code: number, value: string | number][]) =>
  groups.map(([code, value]) => group(code, value)).join('');

/** Without an exponent, which some programs do not read. */
function decimal(value: number): string {
  const rounded = Math.round(checkedNumber(value) * DECIMALS) / DECIMALS;
  // Within these bounds numbers are written plainly by themselves, and sooner.
  return rounded === 0 || (Math.abs(rounded) > 1e-6 && Math.abs(rounded) < 1e20)
    ? `${rounded}`
    : value.toFixed(MAX_DECIMALS);
}
