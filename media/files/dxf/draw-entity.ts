import { FileProblem } from '../problem.ts';
import { evenScale, isMirrored, type Placement, type Point, placed, turned } from './affine.ts';
import { bulgeCorners, ellipseCorners, splineCorners } from './curves.ts';
import { cornerOf, type Placed } from './flatten.ts';
import { checkedNumber, damaged, type Entity, notFlat, numberOf, numbersOf, textOf } from './read-dxf.ts';
import {
  arcShape,
  type BulgedPoint,
  circleShape,
  lineShape,
  pointShape,
  polylineShape,
  type Shape,
  solidShape,
  textShape,
} from './shapes.ts';
import { linesOfText, plainText } from './text.ts';

const FULL = 2 * Math.PI;
const SOLIDS = new Set('3DFACE 3DSOLID BODY REGION MESH SURFACE EXTRUDEDSURFACE REVOLVEDSURFACE'.split(' '));

/** An entity in its place as shapes of the new drawing. @throws FileProblem when it is none that is kept */
export function drawEntity({ entity, place }: Placed, layer: string, tolerance: number): Shape[] {
  switch (entity.type) {
    case 'LINE':
      refuseHeights([numberOf(entity, 30, 0), numberOf(entity, 31, 0)], tolerance);
      return [lineShape(layer, cornerOf(place, entity), cornerOf(place, entity, 11, 21))];
    case 'POINT':
      return [pointShape(layer, cornerOf(place, entity))];
    case 'CIRCLE':
      return [drawArc(entity, place, layer, tolerance, 0, FULL)];
    case 'ARC':
      return [
        drawArc(
          entity,
          place,
          layer,
          tolerance,
          radians(numberOf(entity, 50)),
          radians(numberOf(entity, 51)),
        ),
      ];
    case 'ELLIPSE':
      return [drawEllipse(entity, place, layer, tolerance)];
    case 'SPLINE': {
      const corners = splineCorners(entity, place, tolerance).map(([x, y]): BulgedPoint => [x, y, 0]);
      return [polylineShape(layer, corners, false, tolerance)];
    }
    case 'LWPOLYLINE':
      return [
        drawPolyline(lightCorners(entity), (numberOf(entity, 70, 0) & 1) === 1, place, layer, tolerance),
      ];
    case 'POLYLINE':
      return [
        drawPolyline(
          oldCorners(entity, tolerance),
          (numberOf(entity, 70, 0) & 1) === 1,
          place,
          layer,
          tolerance,
        ),
      ];
    case 'SOLID':
    case 'TRACE': {
      const third = cornerOf(place, entity, 12, 22);
      const fourth = numbersOf(entity, 13).length > 0 ? cornerOf(place, entity, 13, 23) : third;
      return [solidShape(layer, [cornerOf(place, entity), cornerOf(place, entity, 11, 21), third, fourth])];
    }
    case 'TEXT':
    case 'ATTRIB':
      return drawText(entity, place, layer);
    case 'MTEXT':
      return drawParagraphs(entity, place, layer);
    default:
      throw refused(entity.type);
  }
}

function refused(type: string): FileProblem {
  if (SOLIDS.has(type)) return solid();
  const name = /^\w{1,30}$/.test(type) ? type : 'other';
  return new FileProblem(
    `This DXF holds ${name} parts, which cannot be kept. Explode them into lines in your program, or remove them, and choose the file again.`,
  );
}

const solid = () => new FileProblem('This DXF holds a solid shape. Upload it as STL, 3MF or STEP.');
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const angleOf = ([x, y]: Point) => Math.atan2(y, x);

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
  layer: string,
  tolerance: number,
  from: number,
  to: number,
): Shape {
  const centre: Point = [numberOf(entity, 10), numberOf(entity, 20)];
  const radius = positive(numberOf(entity, 40));
  const isCircle = entity.type === 'CIRCLE';
  const scale = evenScale(place);
  if (scale === undefined) {
    const sweep = (((to - from) % FULL) + FULL) % FULL || FULL;
    const [major, minor] = [turned(place, [radius, 0]), turned(place, [0, radius])];
    return along(layer, ellipseCorners(placed(place, centre), major, minor, from, sweep, tolerance), sweep);
  }
  if (isCircle) return circleShape(layer, placed(place, centre), radius * scale);
  const [start, end] = [from, to].map((angle) =>
    angleOf(turned(place, [Math.cos(angle), Math.sin(angle)])),
  ) as [number, number];
  const ends: [number, number] = isMirrored(place) ? [end, start] : [start, end];
  return arcShape(layer, placed(place, centre), radius * scale, ...ends);
}

function drawEllipse(entity: Entity, place: Placement, layer: string, tolerance: number): Shape {
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
  return along(layer, corners, sweep);
}

/** A polyline through these corners, which is closed when they make a whole turn. */
function along(layer: string, corners: Point[], sweep: number): Shape {
  const isWhole = sweep >= FULL - 1e-9;
  const points = (isWhole ? corners.slice(0, -1) : corners).map(([x, y]): BulgedPoint => [x, y, 0]);
  return polylineShape(layer, points, isWhole, 1);
}

/** The corners of the newer form of polyline, in which each begins with its X. */
function lightCorners(entity: Entity): BulgedPoint[] {
  const corners: BulgedPoint[] = [];
  for (const [code, value] of entity.groups) {
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
  layer: string,
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
  return polylineShape(layer, points, isClosed, tolerance);
}

/** Words stay readable: a block may turn and enlarge them, and never mirrors them. */
function drawText(entity: Entity, place: Placement, layer: string): Shape[] {
  // The field of a block can be hidden.
  if (entity.type === 'ATTRIB' && (numberOf(entity, 70, 0) & 1) === 1) return [];
  const text = plainText(textOf(entity, 1));
  const { height, turn } = lying(place, numberOf(entity, 40), numberOf(entity, 50, 0));
  const start = cornerOf(place, entity);
  const [across, up] = [numberOf(entity, 72, 0), numberOf(entity, entity.type === 'ATTRIB' ? 74 : 73, 0)];
  if (text === '') return [];
  if ((across === 0 && up === 0) || numbersOf(entity, 11).length === 0)
    return [textShape(layer, { text, start, height, turn })];
  const aligned = { across, up, point: cornerOf(place, entity, 11, 21) };
  return [textShape(layer, { text, start, height, turn, aligned })];
}

function lying(place: Placement, height: number, degrees: number) {
  const angle = radians(degrees);
  const turn = (angleOf(turned(place, [Math.cos(angle), Math.sin(angle)])) * 180) / Math.PI;
  const up = Math.hypot(...turned(place, [-Math.sin(angle), Math.cos(angle)]));
  return { height: positive(height) * up, turn };
}

/** Texts of several lines become one text a line; how their words are styled is left behind. */
function drawParagraphs(entity: Entity, place: Placement, layer: string): Shape[] {
  const all = entity.groups.filter(([code]) => code === 3 || code === 1).map(([, value]) => value);
  const lines = linesOfText(all.join(''));
  const degrees =
    numbersOf(entity, 11).length > 0
      ? (Math.atan2(numberOf(entity, 21), numberOf(entity, 11)) * 180) / Math.PI
      : numberOf(entity, 50, 0);
  const { height, turn } = lying(place, numberOf(entity, 40), degrees);
  const attached = numberOf(entity, 71, 1);
  const [column, row] = [(attached - 1) % 3, Math.floor((attached - 1) / 3)];
  const spacing = (height * 5) / 3;
  const first =
    { 0: -height, 1: ((lines.length - 1) * spacing - height) / 2 }[row] ?? (lines.length - 1) * spacing;
  const [x, y] = cornerOf(place, entity);
  return lines.flatMap((text, index) => {
    if (text === '') return [];
    const down = first - index * spacing;
    const point: Point = [x - down * Math.sin(radians(turn)), y + down * Math.cos(radians(turn))];
    const aligned = column === 0 ? {} : { aligned: { across: column, up: 0, point } };
    return [textShape(layer, { text, start: point, height, turn, ...aligned })];
  });
}
