import {
  angleOf,
  evenScale,
  isMirrored,
  type Placement,
  type Point,
  placed,
  radians,
  turned,
} from '../affine.ts';
import { FileProblem } from '../problem.ts';
import { bulgeCorners, ellipseCorners, splineCorners } from './curves.ts';
import { drawParagraphs, drawText } from './draw-text.ts';
import { cornerOf, NO_SIZE, type Placed } from './flatten.ts';
import { checkedNumber, damaged, type Entity, notFlat, numberOf, numbersOf } from './read-dxf.ts';
import {
  arcShape,
  type BulgedPoint,
  circleShape,
  lineShape,
  pointShape,
  polylineShape,
  type Shape,
  solidShape,
} from './shapes.ts';

const FULL = 2 * Math.PI;
const SOLIDS = new Set('3DFACE 3DSOLID BODY REGION MESH SURFACE EXTRUDEDSURFACE REVOLVEDSURFACE'.split(' '));

/**
 * An entity in its place as shapes of the new drawing.
 *
 * @param leaveOut is told the name of what is not kept
 * @throws FileProblem when it is none that is kept
 */
export function drawEntity(
  { entity, place }: Placed,
  look: string,
  tolerance: number,
  leaveOut: (name: string) => void,
): Shape[] {
  if (hasNoSize(entity)) {
    leaveOut(NO_SIZE);
    return [];
  }
  switch (entity.type) {
    case 'LINE':
      refuseHeights([numberOf(entity, 30, 0), numberOf(entity, 31, 0)], tolerance);
      return [lineShape(look, cornerOf(place, entity), cornerOf(place, entity, 11, 21))];
    case 'POINT':
      return [pointShape(look, cornerOf(place, entity))];
    case 'CIRCLE':
      return [drawArc(entity, place, look, tolerance, 0, FULL)];
    case 'ARC':
      return [
        drawArc(entity, place, look, tolerance, radians(numberOf(entity, 50)), radians(numberOf(entity, 51))),
      ];
    case 'ELLIPSE':
      return [drawEllipse(entity, place, look, tolerance)];
    case 'SPLINE': {
      const corners = splineCorners(entity, place, tolerance).map(([x, y]): BulgedPoint => [x, y, 0]);
      return [polylineShape(look, corners, false, tolerance)];
    }
    case 'LWPOLYLINE':
      return [
        drawPolyline(lightCorners(entity), (numberOf(entity, 70, 0) & 1) === 1, place, look, tolerance),
      ];
    case 'POLYLINE':
      return [
        drawPolyline(
          oldCorners(entity, tolerance),
          (numberOf(entity, 70, 0) & 1) === 1,
          place,
          look,
          tolerance,
        ),
      ];
    case 'SOLID':
    case 'TRACE': {
      const third = cornerOf(place, entity, 12, 22);
      const fourth = numbersOf(entity, 13).length > 0 ? cornerOf(place, entity, 13, 23) : third;
      return [solidShape(look, [cornerOf(place, entity), cornerOf(place, entity, 11, 21), third, fourth])];
    }
    case 'TEXT':
    case 'ATTRIB':
      return drawText(entity, place, look, leaveOut);
    case 'MTEXT':
      return drawParagraphs(entity, place, look, leaveOut);
    default:
      throw refused(entity.type);
  }
}

/** Nothing is drawn by it: programs leave such parts behind after an edit. */
function hasNoSize(entity: Entity): boolean {
  const zero = (code: number) => numbersOf(entity, code)[0] === 0;
  const onOne = ([[x, y] = [0, 0], ...rest]: number[][]) =>
    rest.every(([nextX, nextY]) => nextX === x && nextY === y);
  switch (entity.type) {
    case 'LINE':
      return [10, 20, 30].every((code) => numberOf(entity, code, 0) === numberOf(entity, code + 1, 0));
    case 'CIRCLE':
    case 'ARC':
      return zero(40);
    case 'ELLIPSE':
      return zero(40) || (zero(11) && zero(21));
    case 'LWPOLYLINE':
      return onOne(lightCorners(entity));
    case 'POLYLINE':
      return onOne(entity.vertices.map((vertex) => [numberOf(vertex, 10), numberOf(vertex, 20)]));
    case 'TEXT':
    case 'MTEXT':
    case 'ATTRIB':
      return zero(40);
    default:
      return false;
  }
}

function refused(type: string): FileProblem {
  if (SOLIDS.has(type)) return solid();
  const name = /^\w{1,30}$/.test(type) ? type : 'other';
  return new FileProblem(
    `This DXF holds ${name} parts, which cannot be kept. Explode them into lines in your program, or remove them, and choose the file again.`,
  );
}

const solid = () =>
  new FileProblem(
    'This DXF holds faces, regions or a solid. Explode them into lines and choose it again, or upload the shape as STL, 3MF or STEP.',
  );

function refuseHeights(heights: number[], tolerance: number): void {
  if (heights.some((height) => Math.abs(height - (heights[0] ?? 0)) > tolerance)) throw notFlat();
}

function positive(value: number): number {
  if (!(value > 0)) throw damaged();
  return value;
}

/** Circles and arcs stay what they are, unless a block stretches them. */
function drawArc(
  entity: Entity,
  place: Placement,
  look: string,
  tolerance: number,
  from: number,
  to: number,
): Shape {
  const centre: Point = [numberOf(entity, 10), numberOf(entity, 20)];
  const radius = positive(numberOf(entity, 40));
  // A whole turn is often written with fewer digits than the machine has.
  const isCircle = Math.abs(Math.abs(to - from) - FULL) < 1e-6;
  const scale = evenScale(place);
  if (scale === undefined) {
    const sweep = (((to - from) % FULL) + FULL) % FULL || FULL;
    const [major, minor] = [turned(place, [radius, 0]), turned(place, [0, radius])];
    return along(look, ellipseCorners(placed(place, centre), major, minor, from, sweep, tolerance), sweep);
  }
  if (isCircle) return circleShape(look, placed(place, centre), radius * scale);
  const [start, end] = [from, to].map((angle) =>
    angleOf(turned(place, [Math.cos(angle), Math.sin(angle)])),
  ) as [number, number];
  const ends: [number, number] = isMirrored(place) ? [end, start] : [start, end];
  return arcShape(look, placed(place, centre), radius * scale, ...ends);
}

function drawEllipse(entity: Entity, place: Placement, look: string, tolerance: number): Shape {
  refuseHeights([0, numberOf(entity, 31, 0)], tolerance);
  const major: Point = [numberOf(entity, 11), numberOf(entity, 21)];
  positive(Math.hypot(...major));
  const ratio = positive(numberOf(entity, 40)) * Math.sign(numberOf(entity, 230, 1));
  const [from, to] = [numberOf(entity, 41, 0), numberOf(entity, 42, FULL)];
  // A whole turn is often written with fewer digits than the machine has.
  const isWhole = Math.abs(to - from) >= FULL - 1e-6;
  const sweep = isWhole ? FULL : (((to - from) % FULL) + FULL) % FULL || FULL;
  const minor: Point = [-major[1] * ratio, major[0] * ratio];
  const corners = ellipseCorners(
    cornerOf(place, entity),
    turned(place, major),
    turned(place, minor),
    from,
    sweep,
    tolerance,
  );
  return along(look, corners, sweep);
}

/** A polyline through these corners, which is closed when they make a whole turn. */
function along(look: string, corners: Point[], sweep: number): Shape {
  const isWhole = sweep >= FULL - 1e-9;
  const points = (isWhole ? corners.slice(0, -1) : corners).map(([x, y]): BulgedPoint => [x, y, 0]);
  return polylineShape(look, points, isWhole, 1);
}

/** The corners of the newer form of polyline, in which each begins with its X. */
function lightCorners(entity: Entity): BulgedPoint[] {
  const corners: BulgedPoint[] = [];
  for (const [index, code] of entity.codes.entries()) {
    const value = entity.values[index];
    if (code === 10) corners.push([checkedNumber(value), Number.NaN, 0]);
    const last = corners.at(-1);
    if (last && code === 20) last[1] = checkedNumber(value);
    if (last && code === 42) last[2] = checkedNumber(value);
  }
  for (const [, y] of corners) checkedNumber(y);
  return corners;
}

function oldCorners(entity: Entity, tolerance: number): BulgedPoint[] {
  const kind = numberOf(entity, 70, 0);
  // A mesh of faces.
  if ((kind & (16 | 64)) !== 0) throw solid();
  // The frame of a curve that was fitted is no part of it.
  const corners = entity.vertices.filter((vertex) => (numberOf(vertex, 70, 0) & 16) === 0);
  refuseHeights(
    corners.map((vertex) => numberOf(vertex, 30, 0)),
    tolerance,
  );
  return corners.map((vertex) => [numberOf(vertex, 10), numberOf(vertex, 20), numberOf(vertex, 42, 0)]);
}

function drawPolyline(
  corners: BulgedPoint[],
  isClosed: boolean,
  place: Placement,
  look: string,
  tolerance: number,
): Shape {
  if (corners.length === 0) throw damaged();
  const keepsArcs = evenScale(place) !== undefined;
  const sign = isMirrored(place) ? -1 : 1;
  const points: BulgedPoint[] = [];
  for (const [index, [x, y, bulge]] of corners.entries()) {
    points.push([...placed(place, [x, y]), keepsArcs ? bulge * sign : 0]);
    const next = corners[index + 1] ?? (isClosed ? corners[0] : undefined);
    if (keepsArcs || bulge === 0 || !next || (next[0] === x && next[1] === y)) continue;
    const along = bulgeCorners([x, y], [next[0], next[1]], bulge, place, tolerance).slice(0, -1);
    points.push(...along.map(([px, py]): BulgedPoint => [px, py, 0]));
  }
  return polylineShape(look, points, isClosed, tolerance);
}
