import { cutText } from '../../../texts/cut-text.ts';
import { LIMITS } from '../../limits.ts';
import { FileProblem } from '../problem.ts';
import { decodeDxf } from './decode.ts';

/** A part of a drawing as the file has it: group codes, and the value of each. */
export interface Entity {
  type: string;
  codes: number[];
  values: string[];
  /** The corners of a polyline of the old form. */
  vertices: Entity[];
}

interface Block {
  /** The point that is laid on the place of the block. */
  base: [number, number];
  isOutside: boolean;
  entities: Entity[];
}

export interface Drawing {
  /** By the number that the header gives. */
  unit: number;
  /** By which the dashes of all line types are enlarged. */
  lineTypeScale: number;
  entities: Entity[];
  /** What lies on the sheet that was open. */
  sheet: Entity[];
  /** By name in lower case: programs find blocks whatever the case. */
  blocks: Map<string, Block>;
  /** By name in lower case, as are the line types and the styles of texts. */
  layers: Map<string, Entity>;
  lineTypes: Map<string, Entity>;
  styles: Map<string, Entity>;
  /** What is said about entities elsewhere, by handle. */
  objects: Map<string, Entity>;
}

/** From here on the groups of an entity belong to an object inside of it. */
const EMBEDDED_OBJECT = 101;
/** From here on they belong to a program that the drawing was extended for. */
const EXTENDED = 1000;
const COMMENT = 999;
/** The sheets that were not open. */
export const SHEET = /^[*$]paper_space/;

/** Reads the sections, tables and blocks of a drawing as plain groups. */
export function readDxf(bytes: Buffer): Drawing {
  const drawing: Drawing = {
    unit: 0,
    lineTypeScale: 1,
    entities: [],
    sheet: [],
    blocks: new Map(),
    layers: new Map(),
    lineTypes: new Map(),
    styles: new Map(),
    objects: new Map(),
  };
  let section = '';
  let block: Block | undefined;
  let last: Entity | undefined;
  let count = 0;
  const addShape = (entity: Entity) => {
    // The corners of a polyline of the old form are entities as well.
    if (entity.type === 'VERTEX') last?.vertices.push(entity);
    if (entity.type === 'VERTEX' || entity.type === 'SEQEND') return;
    if (++count > LIMITS.shapes) throw tooMany();
    last = entity;
    const isOnSheet = numberOf(entity, 67, 0) === 1;
    (block?.entities ?? (isOnSheet ? drawing.sheet : drawing.entities)).push(entity);
  };
  for (const entity of entitiesIn(decodeDxf(bytes))) {
    const name = textOf(entity, 2).trim();
    if (entity.type === 'SECTION') {
      section = name;
      if (section === 'HEADER') {
        drawing.unit = variable(entity, '$INSUNITS', 0);
        drawing.lineTypeScale = variable(entity, '$LTSCALE', 1);
      }
    } else if (entity.type === 'ENDSEC') section = '';
    else if (section === 'BLOCKS' && entity.type === 'BLOCK') {
      block = {
        base: [numberOf(entity, 10, 0), numberOf(entity, 20, 0)],
        // Bound references have the first of these, and attached ones the second as well.
        isOutside: (numberOf(entity, 70, 0) & 4) !== 0 || textOf(entity, 1).trim() !== '',
        entities: [],
      };
      drawing.blocks.set(name.toLowerCase(), block);
    } else if (section === 'BLOCKS' && entity.type === 'ENDBLK') block = undefined;
    else if ((section === 'BLOCKS' && block) || section === 'ENTITIES') addShape(entity);
    else if (section === 'OBJECTS') drawing.objects.set(textOf(entity, 5).trim(), entity);
    else if (section === 'TABLES')
      ({ LAYER: drawing.layers, LTYPE: drawing.lineTypes, STYLE: drawing.styles })[entity.type]?.set(
        name.toLowerCase(),
        entity,
      );
  }
  return drawing;
}

/** Each part of the file that a group of code 0 begins. @throws FileProblem when the file ends before it says so */
function* entitiesIn(text: string): Generator<Entity> {
  const lines = text.replaceAll(/\r\n?/g, '\n');
  let at = lines.search(/\S|$/);
  const next = () => {
    const end = lines.indexOf('\n', at);
    const line = lines.slice(at, end < 0 ? undefined : end);
    at = end < 0 ? lines.length : end + 1;
    return line;
  };
  let entity: Entity | undefined;
  let isOwn = true;
  while (at < lines.length) {
    const [written, value] = [next(), next()];
    if (!/^\s*-?\d{1,5}\s*$/.test(written)) throw damaged();
    const code = Number(written);
    if (code === COMMENT) continue;
    if (code === 0) {
      if (entity) yield entity;
      entity = { type: value.trim(), codes: [], values: [], vertices: [] };
      isOwn = true;
      if (entity.type === 'EOF') return;
    }
    if (code === EMBEDDED_OBJECT || code >= EXTENDED) isOwn = false;
    else if (isOwn && code !== 0) {
      entity?.codes.push(code);
      entity?.values.push(value);
    }
  }
  throw damaged();
}

/** A number of the header, whose names and values follow each other. */
function variable({ codes, values }: Entity, name: string, missing: number): number {
  const at = values.findIndex((value, index) => codes[index] === 9 && value.trim() === name);
  return at < 0 ? missing : checkedNumber(values[at + 1]);
}

/** The refusal of a file that breaks the rules of its format. */
export const damaged = () => new FileProblem('This DXF cannot be read. It may be damaged or cut off.');

/** The refusal of a drawing that would take too long to draw; a block counts each time that it is placed. */
export const tooMany = () =>
  new FileProblem(
    `This drawing has more than ${LIMITS.shapes} lines and shapes, counted as often as its blocks are placed. Simplify it and choose it again.`,
  );

/** The refusal of a drawing whose parts do not lie in one plane, and so have no true place in a flat one. */
export const notFlat = () =>
  new FileProblem(
    'This DXF is not flat: parts of it are tilted, or lie at different heights. Flatten it and choose it again, or upload the shape as STL, 3MF or STEP.',
  );

/** The first value of a group, or what stands for it where it is missing. */
export const textOf = ({ codes, values }: Entity, code: number, missing = '') =>
  values[codes.indexOf(code)] ?? missing;

/** @throws FileProblem when the group is there and no number, or is missing and nothing stands for it */
export function numberOf(entity: Entity, code: number, missing = Number.NaN): number {
  return checkedNumber(entity.values[entity.codes.indexOf(code)] ?? missing);
}

/** The values of all groups with one of these codes, in the order of the file. */
export const textsOf = ({ codes, values }: Entity, ...wanted: number[]) =>
  values.filter((_, index) => wanted.includes(codes[index] ?? 0));

/**
 * The same for one code, as numbers.
 *
 * @throws FileProblem when one of them is no number
 */
export const numbersOf = (entity: Entity, code: number): number[] => textsOf(entity, code).map(checkedNumber);

/**
 * The number that a value states.
 *
 * @throws FileProblem when it states none, or is missing
 */
export function checkedNumber(value: string | number | undefined): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof value === 'string' && value.trim() !== '' && Number.isNaN(number))
    throw new FileProblem(
      `A number of this DXF cannot be read (“${cutText(value.trim(), 20)}”). Save it with numbers like 1.5 and choose it again.`,
    );
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw new FileProblem(
      'A number is missing in this DXF. It may be damaged: save it again and choose it again.',
    );
  return number;
}
