import DxfParser, { type IEntity } from 'dxf-parser';
import { LIMITS } from '../../limits.ts';
import { FileProblem } from '../problem.ts';

/** A part of a drawing as the file has it: pairs of a group code and a value, in their order. */
export interface Entity {
  type: string;
  groups: [number, string | number][];
  /** Of a polyline of the old form. */
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
  entities: Entity[];
  /** By name in lower case: programs find blocks whatever the case. */
  blocks: Map<string, Block>;
  /** The names of layers that are switched off or frozen. */
  hiddenLayers: Set<string>;
}

/** What the library reads itself. */
const STRUCTURE = new Set(['SECTION', 'ENDSEC', 'BLOCK', 'ENDBLK', 'TABLE', 'ENDTAB', 'EOF']);
const MAX_ENTITY_TYPES = 500;
/** From here on the groups of an entity belong to an object inside of it. */
const EMBEDDED_OBJECT = 101;
/** The last code of those that describe a shape, but for the extrusion direction. */
const MAX_SHAPE_CODE = 79;
const EXTRUSION = [210, 220, 230];

type Handler = Parameters<DxfParser['registerEntityHandler']>[0];

/**
 * Reads the sections, blocks and layers of a drawing by the library, and each entity as its plain groups: the library's own
 * readers know no weights of splines and drop corners of some polylines, and entities it does not know it passes over.
 */
export function readDxf(text: string): Drawing {
  const parser = new DxfParser();
  const names = namesIn(text);
  let count = 0;
  for (const name of names) {
    if (STRUCTURE.has(name)) continue;
    class Groups {
      ForEntityName = name;
      parseEntity(scanner: { next(): { code: number; value: string | number } }) {
        // The corners of a polyline of the old form are entities as well.
        if (name !== 'VERTEX' && ++count > LIMITS.shapes) throw tooMany();
        return { type: name, groups: readGroups(scanner) };
      }
    }
    parser.registerEntityHandler(Groups as unknown as Handler);
  }
  const read = parse(parser, text);
  const blocks = Object.values(read.blocks ?? {}).map(
    ({ name, position, type = 0, xrefPath, entities = [] }): [string, Block] => [
      name.toLowerCase(),
      {
        base: [position?.x ?? 0, position?.y ?? 0],
        isOutside: (type & 4) !== 0 || Boolean(xrefPath),
        entities: withVertices(entities),
      },
    ],
  );
  const layers = Object.values(read.tables?.layer?.layers ?? {});
  return {
    unit: Number(read.header?.$INSUNITS ?? 0),
    entities: withVertices(read.entities ?? []),
    blocks: new Map(blocks),
    hiddenLayers: new Set(
      layers.filter(({ visible, frozen }) => visible === false || frozen).map(({ name }) => name),
    ),
  };
}

/** The names of all entities, as the library divides the text into groups. */
function namesIn(text: string): Set<string> {
  const lines = text.split(/\r\n|\r|\n/);
  const names = new Set<string>();
  for (let at = 0; at + 1 < lines.length; at += 2)
    if (Number.parseInt(lines[at] ?? '', 10) === 0) names.add((lines[at + 1] ?? '').trim());
  if (names.size > MAX_ENTITY_TYPES) throw damaged();
  return names;
}

function parse(parser: DxfParser, text: string) {
  try {
    const drawing = parser.parseSync(text);
    if (drawing) return drawing;
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    // The library's words are for programmers.
  }
  throw damaged();
}

function readGroups(scanner: { next(): { code: number; value: string | number } }): Entity['groups'] {
  const groups: Entity['groups'] = [];
  let isOwn = true;
  for (let { code, value } = scanner.next(); code !== 0; { code, value } = scanner.next()) {
    if (code === EMBEDDED_OBJECT) isOwn = false;
    // The handle of the entity and the name of its line type are of no use outside of its file.
    if (isOwn && (code <= MAX_SHAPE_CODE || EXTRUSION.includes(code)) && code !== 5 && code !== 6)
      groups.push([code, value]);
  }
  return groups;
}

/** Polylines of the old form with the corners that follow them. */
function withVertices(read: IEntity[]): Entity[] {
  const entities: Entity[] = [];
  for (const { type, groups } of read as unknown as Entity[]) {
    if (type === 'VERTEX') entities.at(-1)?.vertices.push({ type, groups, vertices: [] });
    else if (type !== 'SEQEND') entities.push({ type, groups, vertices: [] });
  }
  return entities;
}

export const damaged = () => new FileProblem('This DXF cannot be read. It may be damaged or cut off.');

export const tooMany = () =>
  new FileProblem(
    `This drawing has more than ${LIMITS.shapes} lines and shapes, counted as often as its blocks are placed. Simplify it and choose it again.`,
  );

export const notFlat = () =>
  new FileProblem(
    'This DXF is not flat: parts of it are tilted, or lie at different heights. Flatten it and choose it again, or upload the shape as STL, 3MF or STEP.',
  );

/** The first value of a group, or what stands for it where it is missing. */
export const textOf = (entity: Entity, code: number, missing = '') =>
  String(entity.groups.find(([own]) => own === code)?.[1] ?? missing);

/** @throws FileProblem when the group is there and no number, or is missing and nothing stands for it */
export function numberOf(entity: Entity, code: number, missing = Number.NaN): number {
  const value = entity.groups.find(([own]) => own === code)?.[1] ?? missing;
  return checkedNumber(value);
}

export const numbersOf = (entity: Entity, code: number): number[] =>
  entity.groups.filter(([own]) => own === code).map(([, value]) => checkedNumber(value));

export function checkedNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new FileProblem('A corner of this drawing has no position: a number is missing.');
  return value;
}
