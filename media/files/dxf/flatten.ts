import { LIMITS } from '../../limits.ts';
import { FileProblem } from '../problem.ts';
import { combined, IN_PLACE, moved, type Placement, type Point, placed, rotated, scaled } from './affine.ts';
import { type Drawing, type Entity, notFlat, numberOf, textOf, tooMany } from './read-dxf.ts';

/** An entity with the place to which its blocks take it. */
export interface Placed {
  entity: Entity;
  place: Placement;
  layer: string;
}

/** Notes about the drawing, its fills, and the frame of its paper: no outline that is cut or traced. */
const LEFT_OUT: Record<string, string> = {
  DIMENSION: 'dimensions',
  ARC_DIMENSION: 'dimensions',
  LARGE_RADIAL_DIMENSION: 'dimensions',
  HATCH: 'hatching',
  LEADER: 'notes with arrows',
  MULTILEADER: 'notes with arrows',
  MLEADER: 'notes with arrows',
  TOLERANCE: 'notes with arrows',
  ATTDEF: 'fields of blocks',
  VIEWPORT: 'sheet layout',
};
const MAX_NESTING = 50;
/** The groups that all placed entities have together, which is what drawing them costs. */
const MAX_GROUPS = 5_000_000;

/**
 * The entities of a drawing where its blocks place them, and the names of what is left out. What is left out is never
 * needed to cut the outline; all else that is not known is refused later.
 *
 * @throws FileProblem when blocks contain themselves, or place more than a drawing can have
 */
export function flatten({ entities, blocks, hiddenLayers }: Drawing): {
  shapes: Placed[];
  leftOut: string[];
} {
  const shapes: Placed[] = [];
  const leftOut = new Set<string>();
  let [steps, groups] = [0, 0];

  const add = (list: Entity[], place: Placement, blockLayer: string, inside: string[]) => {
    for (const entity of list) {
      const own = textOf(entity, 8, '0');
      // Layer 0 of a block is the layer on which the block is placed.
      const layer = own === '0' && inside.length > 0 ? blockLayer : own;
      const note = LEFT_OUT[entity.type];
      if (numberOf(entity, 67, 0) === 1) leftOut.add('sheet layout');
      else if (hiddenLayers.has(layer) || numberOf(entity, 60, 0) === 1) leftOut.add('hidden parts');
      else if (note) leftOut.add(note);
      else if (entity.type === 'INSERT') insert(entity, place, layer, inside);
      else {
        count(entity);
        shapes.push({ entity, place: combined(place, facing(entity)), layer });
      }
    }
  };

  const count = ({ groups: own, vertices }: Entity) => {
    groups += vertices.reduce((sum, vertex) => sum + vertex.groups.length, own.length);
    if (++steps > LIMITS.shapes || groups > MAX_GROUPS) throw tooMany();
  };

  const insert = (entity: Entity, place: Placement, layer: string, inside: string[]) => {
    const name = textOf(entity, 2).toLowerCase();
    const block = blocks.get(name);
    if (!block) throw new FileProblem('This DXF places a block that it does not contain.');
    if (block.isOutside)
      throw new FileProblem(
        'This DXF needs another file. Bind or explode it in your program and choose it again.',
      );
    if (inside.includes(name) || inside.length >= MAX_NESTING)
      throw new FileProblem('This DXF holds blocks that contain themselves.');
    const at: Point = [numberOf(entity, 10), numberOf(entity, 20)];
    const [across, up] = [numberOf(entity, 41, 1), numberOf(entity, 42, 1)];
    if (across === 0 || up === 0) throw new FileProblem('This DXF places a block with no size.');
    const [columns, rows] = [numberOf(entity, 70, 1) || 1, numberOf(entity, 71, 1) || 1];
    if (!(columns > 0 && rows > 0 && columns * rows <= LIMITS.shapes)) throw tooMany();
    const toPlace = [facing(entity), moved(at), rotated(numberOf(entity, 50, 0))].reduce(combined, place);
    const own = combined(scaled(across, up), moved([-block.base[0], -block.base[1]]));
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        count(entity);
        const step: Point = [column * numberOf(entity, 44, 0), row * numberOf(entity, 45, 0)];
        add(block.entities, combined(combined(toPlace, moved(step)), own), layer, [...inside, name]);
      }
  };

  add(entities, IN_PLACE, '0', []);
  return { shapes, leftOut: [...leftOut].sort() };
}

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

export const cornerOf = (place: Placement, entity: Entity, x = 10, y = 20): Point =>
  placed(place, [numberOf(entity, x), numberOf(entity, y)]);
