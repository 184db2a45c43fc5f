import { Vector3, Vector4 } from 'three';
import { NURBSCurve } from 'three/addons/curves/NURBSCurve.js';
import { type Placement, type Point, placed, turned } from '../affine.ts';
import { FileProblem } from '../problem.ts';
import { damaged, type Entity, notFlat, numberOf, numbersOf, tooMany } from './read-dxf.ts';

/** The distance at which a polyline may lie from the curve it stands for, in millimetres. */
export const TOLERANCE = 0.01;
const MAX_DEGREE = 10;
const MAX_CURVE_CORNERS = 100_000;
/** A span is halved at most this often, and checked at these parts of it. */
const MAX_HALVINGS = 12;
const CHECKED_AT = [0.21, 0.5, 0.77];

/**
 * Corners along an arc of an ellipse, which is centre + cos t · major + sin t · minor.
 *
 * @param sweep from `start` on, in radians; negative is clockwise
 */
export function ellipseCorners(
  centre: Point,
  major: Point,
  minor: Point,
  start: number,
  sweep: number,
  tolerance: number,
): Point[] {
  // A chord lies at most step² / 8 of the longest radius from the curve.
  const radius = Math.hypot(...major) + Math.hypot(...minor);
  const longest = Math.min(Math.PI / 8, Math.sqrt((8 * tolerance) / radius));
  // Quarters of a whole turn end where it is widest.
  const steps = 4 * Math.ceil(Math.abs(sweep) / longest / 4);
  if (!(steps <= MAX_CURVE_CORNERS)) throw tooMany();
  return Array.from({ length: steps + 1 }, (_, step) => {
    const [cos, sin] = [Math.cos(start + (sweep * step) / steps), Math.sin(start + (sweep * step) / steps)];
    return [centre[0] + cos * major[0] + sin * minor[0], centre[1] + cos * major[1] + sin * minor[1]];
  });
}

/** Corners along the bulge of a polyline between two corners, without the first of them. */
export function bulgeCorners(
  [x, y]: Point,
  [endX, endY]: Point,
  bulge: number,
  place: Placement,
  tolerance: number,
) {
  // The centre lies on the perpendicular through the middle of the chord.
  const offset = (1 - bulge ** 2) / (4 * bulge);
  const centre: Point = [(x + endX) / 2 - (endY - y) * offset, (y + endY) / 2 + (endX - x) * offset];
  const [fromX, fromY] = [x - centre[0], y - centre[1]];
  const [major, minor] = [turned(place, [fromX, fromY]), turned(place, [-fromY, fromX])];
  return ellipseCorners(placed(place, centre), major, minor, 0, 4 * Math.atan(bulge), tolerance).slice(1);
}

/** Corners along a spline of an entity, with its weights and knots. */
export function splineCorners(entity: Entity, place: Placement, tolerance: number): Point[] {
  const [degree, knots] = [numberOf(entity, 71, 3), numbersOf(entity, 40)];
  const [xs, ys, zs, weights] = [10, 20, 30, 41].map((code) => numbersOf(entity, code)) as [
    number[],
    number[],
    number[],
    number[],
  ];
  if (xs.length === 0)
    throw new FileProblem(
      'This DXF holds a curve that is given only by points, and each program draws it differently. Turn it into a polyline and choose the file again.',
    );
  const isSound =
    Number.isInteger(degree) &&
    degree >= 1 &&
    degree <= MAX_DEGREE &&
    xs.length > degree &&
    ys.length === xs.length &&
    knots.length === xs.length + degree + 1 &&
    knots.every((knot, index) => knot >= (knots[index - 1] ?? knot)) &&
    (knots[degree] ?? 0) < (knots[xs.length] ?? 0) &&
    (weights.length === 0 || weights.length === xs.length) &&
    weights.every((weight) => weight > 0);
  if (!isSound)
    throw new FileProblem(
      'A spline of this DXF is damaged: its degree, knots and weights do not belong together.',
    );
  if (zs.some((z) => Math.abs(z - (zs[0] ?? 0)) > tolerance)) throw notFlat();

  const control = xs.map((x, index) => {
    const [px, py] = placed(place, [x, ys[index] ?? 0]);
    return new Vector4(px, py, 0, weights[index] ?? 1);
  });
  const curve = new NURBSCurve(degree, knots, control, degree, xs.length);
  const target = new Vector3();
  const [first, last] = [knots[degree] ?? 0, knots[xs.length] ?? 0];
  const at = (knot: number): Point => {
    curve.getPoint(Math.min(1, (knot - first) / (last - first)), target);
    return [target.x, target.y];
  };
  // Between two knots the curve has no corner.
  const ends = [...new Set(knots.slice(degree, xs.length + 1))];
  const corners = [at(first)];
  for (const [index, end] of ends.slice(1).entries()) {
    const start = ends[index] ?? first;
    addCorners(at, start, end, at(start), at(end), tolerance, MAX_HALVINGS, corners);
    if (corners.length > MAX_CURVE_CORNERS) throw tooMany();
  }
  return corners;
}

function addCorners(
  at: (knot: number) => Point,
  start: number,
  end: number,
  from: Point,
  to: Point,
  tolerance: number,
  halvings: number,
  corners: Point[],
): void {
  const isStraight = CHECKED_AT.every(
    (part) => distance(at(start + (end - start) * part), from, to) <= tolerance / 2,
  );
  if (isStraight || halvings === 0) {
    if (!isStraight) throw damaged();
    corners.push(to);
    return;
  }
  const middle = (start + end) / 2;
  const half = at(middle);
  addCorners(at, start, middle, from, half, tolerance, halvings - 1, corners);
  addCorners(at, middle, end, half, to, tolerance, halvings - 1, corners);
}

/** The distance of a point from the line between two others. */
function distance([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}
