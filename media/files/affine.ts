export type Point = [number, number];

/** Where a point goes: x' = ax + cy + e, y' = bx + dy + f. */
export type Placement = [a: number, b: number, c: number, d: number, e: number, f: number];

export const IN_PLACE: Placement = [1, 0, 0, 1, 0, 0];

/** The place to which a point goes. */
export const placed = ([a, b, c, d, e, f]: Placement, [x, y]: Point): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
];

/** The same for a direction, which has no place. */
export const turned = ([a, b, c, d]: Placement, [x, y]: Point): Point => [a * x + c * y, b * x + d * y];

/** First the inner, then the outer. */
export function combined(outer: Placement, inner: Placement): Placement {
  if (inner === IN_PLACE) return outer;
  const [[a, b], [c, d]] = [turned(outer, [inner[0], inner[1]]), turned(outer, [inner[2], inner[3]])];
  const [e, f] = placed(outer, [inner[4], inner[5]]);
  return [a, b, c, d, e, f];
}

/** The placement that shifts everything by a vector. */
export const moved = ([x, y]: Point): Placement => [1, 0, 0, 1, x, y];
/** The placement that stretches from the origin; a negative factor mirrors. */
export const scaled = (x: number, y: number): Placement => [x, 0, 0, y, 0, 0];
/** An angle as `Math` takes it; files give degrees. */
export const radians = (degrees: number) => (degrees * Math.PI) / 180;
/** The direction of a vector, in radians from the x axis towards the y axis. */
export const angleOf = ([x, y]: Point) => Math.atan2(y, x);
/** The placement that turns around the origin, from the x axis towards the y axis. */
export function rotated(degrees: number): Placement {
  const angle = radians(degrees);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, 0, 0];
}

/** Whether a placement turns a shape over, so that its arcs run the other way. */
export const isMirrored = ([a, b, c, d]: Placement) => a * d - b * c < 0;

/** The factor by which all lengths grow alike, or undefined where circles become ellipses. */
export function evenScale([a, b, c, d]: Placement): number | undefined {
  const [across, up] = [Math.hypot(a, b), Math.hypot(c, d)];
  const isEven = Math.abs(across - up) <= 1e-9 * across && Math.abs(a * c + b * d) <= 1e-9 * across * up;
  return isEven ? across : undefined;
}
