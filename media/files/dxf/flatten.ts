import { LIMITS } from '../../limits.ts';
import { combined, IN_PLACE, moved, type Placement, type Point, placed, rotated, scaled } from '../affine.ts';
import { FileProblem } from '../problem.ts';
import { type Look, lookOf } from './look.ts';
import { type Drawing, type Entity, notFlat, numberOf, SHEET, textOf, textsOf, tooMany } from './read-dxf.ts';

/** An entity with the place to which its blocks take it, and how it is drawn. */
export interface Placed {
  entity: Entity;
  place: Placement;
  look: Look;
  /** A part of a dimension, which does not count towards the size of the drawing. */
  isNote: boolean;
}

/** Notes about the drawing, its fills, and what lies behind it: no outline that is cut or traced. */
const LEFT_OUT: Record<string, string> = {
  DIMENSION: 'dimensions',
  ARC_DIMENSION: 'dimensions',
  LARGE_RADIAL_DIMENSION: 'dimensions',
  HATCH: 'hatching',
  MPOLYGON: 'hatching',
  LEADER: 'notes with arrows',
  MULTILEADER: 'notes with arrows',
  MLEADER: 'notes with arrows',
  TOLERANCE: 'notes with arrows',
  ATTDEF: 'fields of blocks',
  VIEWPORT: 'frames of views',
  IMAGE: 'images',
  PDFUNDERLAY: 'images',
  DWFUNDERLAY: 'images',
  DGNUNDERLAY: 'images',
  OLEFRAME: 'images',
  OLE2FRAME: 'images',
  XLINE: 'construction lines',
  RAY: 'construction lines',
};
export const NO_SIZE = 'parts without size';
const MAX_NESTING = 50;
/** The groups that all placed entities have together, which is what drawing them costs. */
const MAX_GROUPS = 5_000_000;

/** What the entities of a block take from the place of the block. */
interface Around {
  place: Placement;
  /** The height of the place. */
  z: number;
  look?: Look;
  /** The blocks that it is inside of. */
  inside: string[];
  isNote: boolean;
}

/**
 * The entities of a drawing where its blocks place them. What is left out is never needed to cut the outline; all else that
 * is not known is refused later.
 *
 * @param leaveOut is told the name of what is not kept
 * @throws FileProblem when blocks contain themselves, or place more than a drawing can have
 */
export function flatten(drawing: Drawing, leaveOut: (name: string) => void): Placed[] {
  const { blocks } = drawing;
  const boundaries = boundariesOf(drawing.objects);
  const shapes: Placed[] = [];
  const heights = new Set<number>();
  let [steps, groups] = [0, 0];

  const add = (list: Entity[], around: Around) => {
    for (const entity of list) {
      count(entity);
      const look = lookOf(entity, drawing, around.look, leaveOut);
      const note = LEFT_OUT[entity.type];
      if (isHidden(drawing.layers.get(look.layer.toLowerCase())) || numberOf(entity, 60, 0) === 1)
        leaveOut('hidden parts');
      else if (note === 'dimensions' && blocks.get(blockOf(entity))?.entities.length)
        open(entity, { ...around, look, isNote: true });
      else if (note) leaveOut(note);
      else if (entity.type === 'INSERT') insert(entity, { ...around, look });
      // The points of a dimension are where it was measured, and are not drawn.
      else if (entity.type !== 'POINT' || !around.isNote) {
        heights.add(Math.round((around.z + numberOf(entity, 38, 0) + numberOf(entity, 30, 0)) * 1e4));
        shapes.push({ entity, place: combined(around.place, facing(entity)), look, isNote: around.isNote });
      }
    }
  };

  const count = ({ codes, vertices }: Entity) => {
    groups += vertices.reduce((sum, vertex) => sum + vertex.codes.length, codes.length);
    if (++steps > LIMITS.shapes || groups > MAX_GROUPS) throw tooMany();
  };

  /** Adds the entities of a block. */
  const open = (entity: Entity, around: Around) => {
    const name = blockOf(entity);
    if (around.inside.includes(name) || around.inside.length >= MAX_NESTING)
      throw new FileProblem(
        'This DXF holds blocks that contain themselves. Explode them and choose it again.',
      );
    count(entity);
    add(blocks.get(name)?.entities ?? [], { ...around, inside: [...around.inside, name] });
  };

  const insert = (entity: Entity, around: Around) => {
    const block = blocks.get(blockOf(entity));
    if (!block)
      throw new FileProblem(
        'This DXF places a block that it does not contain. Remove it, or insert the block again, and choose the file again.',
      );
    if (block.isOutside)
      throw new FileProblem(
        'This DXF needs another file. Bind or explode it in your program and choose it again.',
      );
    if (holdsOne(entity, boundaries))
      throw new FileProblem(
        'This DXF shows a block in part, and its hidden part cannot be cut off. Explode and trim it in your program and choose it again.',
      );
    const at: Point = [numberOf(entity, 10), numberOf(entity, 20)];
    const [across, up] = [numberOf(entity, 41, 1), numberOf(entity, 42, 1)];
    if (across === 0 || up === 0) {
      leaveOut(NO_SIZE);
      return;
    }
    const [columns, rows] = [numberOf(entity, 70, 1) || 1, numberOf(entity, 71, 1) || 1];
    if (!(columns > 0 && rows > 0 && columns * rows <= LIMITS.shapes)) throw tooMany();
    const toPlace = [facing(entity), moved(at), rotated(numberOf(entity, 50, 0))].reduce(
      combined,
      around.place,
    );
    const own = combined(scaled(across, up), moved([-block.base[0], -block.base[1]]));
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const step: Point = [column * numberOf(entity, 44, 0), row * numberOf(entity, 45, 0)];
        const place = combined(combined(toPlace, moved(step)), own);
        open(entity, { ...around, place, z: around.z + numberOf(entity, 30, 0) });
      }
  };

  const start: Around = { place: IN_PLACE, z: 0, inside: [], isNote: false };
  const otherSheets = [...blocks].some(([name, { entities }]) => SHEET.test(name) && hasLines(entities));
  if (drawing.entities.length > 0 || !hasLines(drawing.sheet)) {
    add(drawing.entities, start);
    if (hasLines(drawing.sheet) || (otherSheets && shapes.length > 0)) leaveOut('sheet layout');
    else if (otherSheets)
      throw new FileProblem(
        'The lines of this DXF lie on a sheet. Move them to model space and choose it again.',
      );
  } else {
    add(drawing.sheet, start);
    if (otherSheets) leaveOut('other sheets');
  }
  if (heights.size > 1) leaveOut('different heights');
  return shapes;
}

const blockOf = (entity: Entity) => textOf(entity, 2).trim().toLowerCase();
const hasLines = (entities: Entity[]) => entities.some(({ type }) => type !== 'VIEWPORT');

/** Switched off or frozen. */
const isHidden = (layer: Entity | undefined) =>
  layer !== undefined && (numberOf(layer, 62, 7) < 0 || (numberOf(layer, 70, 0) & 1) === 1);

/** The handles of what shows a block in part: a boundary in force, the dictionary that holds it, and the one around that. */
function boundariesOf(objects: Drawing['objects']): Set<string> {
  const handles = new Set<string>();
  for (const [handle, object] of objects)
    if (object.type === 'SPATIAL_FILTER' && numberOf(object, 71, 1) === 1) handles.add(handle);
  for (let level = 0; level < 2 && handles.size > 0; level++)
    for (const [handle, object] of [...objects]) if (holdsOne(object, handles)) handles.add(handle);
  return handles;
}

const holdsOne = (entity: Entity, handles: Set<string>) =>
  textsOf(entity, 350, 360).some((handle) => handles.has(handle.trim()));

/** Entities whose points are given in a plane of their own, which may show the drawing its back. */
const OF_OWN_PLANE = new Set(
  'CIRCLE ARC LWPOLYLINE POLYLINE TEXT ATTRIB SOLID TRACE INSERT ELLIPSE'.split(' '),
);

function facing(entity: Entity): Placement {
  if (!OF_OWN_PLANE.has(entity.type)) return IN_PLACE;
  const [x, y, z] = [numberOf(entity, 210, 0), numberOf(entity, 220, 0), numberOf(entity, 230, 1)];
  if (Math.abs(x) > 1e-6 || Math.abs(y) > 1e-6 || z === 0) throw notFlat();
  // The points of an ellipse are the drawing's own; only its direction follows from the plane.
  return z < 0 && entity.type !== 'ELLIPSE' ? scaled(-1, 1) : IN_PLACE;
}

/**
 * A point of an entity, where it comes to lie in the drawing.
 *
 * @param x the code of the group with its first coordinate
 * @param y the code of the group with its second
 */
export const cornerOf = (place: Placement, entity: Entity, x = 10, y = 20): Point =>
  placed(place, [numberOf(entity, x), numberOf(entity, y)]);
