import { letters } from './decode.ts';
import { type Drawing, type Entity, numberOf, numbersOf, textOf } from './read-dxf.ts';

/** The look of a shape, after its layer and the blocks around it. */
export interface Look {
  /** Its name, in which case does not count. */
  layer: string;
  /** By its number of 1 to 255. */
  colour: number;
  /** As it is drawn on white paper. */
  ink: string;
  /** In lower case. */
  lineType: string;
  lineTypeScale: number;
}

const BY_BLOCK = 0;
const BY_LAYER = 256;
export const CONTINUOUS = 'continuous';
export const EXACT_COLOURS = 'exact colours';
const FIRST_COLOURS = [
  0xff0000, 0xffff00, 0x00ff00, 0x00ffff, 0x0000ff, 0xff00ff, 0xffffff, 0x808080, 0xc0c0c0,
];
const GREYS = [0x333333, 0x505050, 0x696969, 0x828282, 0xbebebe, 0xffffff];
/** Ten colours of a hue: five shades, each followed by a paler one. */
const SHADES = [255, 165, 127, 76, 38];
const HUES = 24;
/** By the numbers 1 to 255, as AutoCAD shows them. */
const COLOURS = [
  ...FIRST_COLOURS,
  ...Array.from({ length: HUES * 10 }, (_, index) => {
    const hue = (Math.floor(index / 10) * 6) / HUES;
    const shade = SHADES[Math.floor((index % 10) / 2)] ?? 0;
    // Red, green and blue, which are full at a sixth of the circle to both sides of themselves.
    return [0, 4, 2].reduce((colour, offset) => {
      const pure = Math.max(0, Math.min(1, Math.abs(((hue + offset) % 6) - 3) - 1));
      return colour * 256 + Math.floor(shade * (index % 2 === 1 ? (1 + pure) / 2 : pure));
    }, 0);
  }),
  ...GREYS,
];
/** The brightest ink that is seen on white paper, of 255; of what is brighter the hue stays. */
const BRIGHTEST = 170;
const INK = '#17202a';

/** What the blocks around nothing give. */
const PLAIN: Look = { layer: '0', colour: 7, ink: INK, lineType: CONTINUOUS, lineTypeScale: 1 };

/** The look of an entity inside of a block that looks so, or in the drawing itself; what is not kept is named. */
export function lookOf(
  entity: Entity,
  drawing: Drawing,
  block: Look | undefined,
  leaveOut: (name: string) => void,
): Look {
  const own = textOf(entity, 8, '0').trim();
  // Layer 0 of a block is the layer on which the block is placed.
  const layer = own === '0' && block ? block.layer : own;
  const number = numberOf(entity, 62, BY_LAYER);
  const lineType = textOf(entity, 6, 'bylayer').trim().toLowerCase();
  const ofLayer = lookOfLayer(layer, drawing, leaveOut);
  const ofBlock = block ?? { ...PLAIN, layer };
  if (isWide(entity)) leaveOut('line widths');
  if (numberOf(entity, 39, 0) !== 0) leaveOut('thicknesses');
  if (numberOf(entity, 440, 0) % 0x1000000 !== 0 && numberOf(entity, 440, 0) >= 0x2000000)
    leaveOut('transparency');
  const colour =
    number === BY_BLOCK
      ? ofBlock
      : (colourOf(entity, number, leaveOut) ?? { colour: ofLayer.colour, ink: ofLayer.ink });
  return {
    layer,
    colour: colour.colour,
    ink: colour.ink,
    lineType:
      lineType === 'bylayer' ? ofLayer.lineType : lineType === 'byblock' ? ofBlock.lineType : lineType,
    lineTypeScale: numberOf(entity, 48, 1),
  };
}

/** The look that a layer gives to what says nothing else. */
export function lookOfLayer(name: string, { layers }: Drawing, leaveOut: (name: string) => void): Look {
  const layer = layers.get(name.toLowerCase());
  if (!layer) return { ...PLAIN, layer: name };
  if (isWide(layer)) leaveOut('line widths');
  const colour = colourOf(layer, Math.abs(numberOf(layer, 62, 7)), leaveOut) ?? PLAIN;
  const lineType = textOf(layer, 6, CONTINUOUS).trim().toLowerCase();
  return { ...colour, layer: name, lineType, lineTypeScale: 1 };
}

/** The name of a layer or line type as the file has it, with its letters. */
export const nameOf = (table: Map<string, Entity>, name: string): string => {
  const entry = table.get(name.toLowerCase());
  return letters(entry ? textOf(entry, 2).trim() : name);
};

/** Whether lines are drawn wider than by default. */
const isWide = (entity: Entity) =>
  numberOf(entity, 370, 0) > 0 ||
  (/POLYLINE$/.test(entity.type) && [40, 41, 43].some((code) => numbersOf(entity, code).some(Boolean)));

function colourOf(entity: Entity, number: number, leaveOut: (name: string) => void) {
  const exact = numbersOf(entity, 420)[0];
  if (exact === undefined) {
    const colour = COLOURS[number - 1];
    return colour === undefined ? undefined : { colour: number, ink: INKS[number - 1] ?? INK };
  }
  // Black on white paper is the colour of plain lines.
  if (exact === 0) return PLAIN;
  const nearest = nearestTo(exact);
  if (COLOURS[nearest - 1] !== exact) leaveOut(EXACT_COLOURS);
  return { colour: nearest, ink: inkOf(exact) };
}

const partsOf = (colour: number) => [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255] as const;

function nearestTo(colour: number): number {
  const [red, green, blue] = partsOf(colour);
  let [nearest, least] = [0, Infinity];
  for (const [index, [r, g, b]] of PARTS.entries()) {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < least) [nearest, least] = [index + 1, distance];
  }
  return nearest;
}

/** Programs draw on black: white is the colour of plain lines, and pale colours are darkened. */
function inkOf(colour: number): string {
  const [red, green, blue] = partsOf(colour);
  const light = 0.3 * red + 0.59 * green + 0.11 * blue;
  if (light > 250) return INK;
  const parts = [red, green, blue].map((part) => Math.round(part * Math.min(1, BRIGHTEST / light)));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

const PARTS = COLOURS.map(partsOf);
const INKS = COLOURS.map(inkOf);

/** The ink of a look as the file has its colour. */
export const inkInFile = ({ colour }: Look) => INKS[colour - 1] ?? INK;
