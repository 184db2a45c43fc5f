import type { Point } from '../affine.ts';
import { combined, IN_PLACE, moved, placed, rotated, scaled } from '../affine.ts';
import { escaped } from '../xml.ts';
import { bulgeCorners } from './curves.ts';
import { widthOf } from './text.ts';
import { group } from './write-dxf.ts';

/** Where a point lies in the picture, as it is written there. */
type Seen = (point: Point) => string;

/** A part of the new drawing: as the file has it, as it is drawn in the picture, and the corners of the space it takes. */
export interface Shape {
  dxf: string;
  /** The data of the paths of lines, which may be drawn in one with those of others. */
  paths?: (seen: Seen) => string[];
  /** Whether the line has no length. */
  isDot?: boolean;
  /** The element of a face or a text. */
  filled?: (seen: Seen) => string;
  corners: Point[];
  /** The corners of what it takes in the picture, of a text: the size of the drawing is that of its lines. */
  room?: Point[];
  /** Its length, of what may be dashed. */
  length?: number;
  /** What it says, of a text. */
  words?: string[];
}

/** A corner, with the bulge of the line that leaves it: the tangent of a quarter of the arc's angle. */
export type BulgedPoint = [x: number, y: number, bulge: number];

/** A longer line is drawn in pieces: each stretch of a path is compared with all others of the path that it may cross. */
const CORNERS_IN_A_PATH = 100;
const head = (type: string, look: string) => group(0, type) + look;
const at = ([x, y]: Point, code = 10) => group(code, x) + group(code + 10, y);

/**
 * A straight line.
 *
 * @param look the groups of the entity’s layer, line type and colour
 */
export const lineShape = (look: string, from: Point, to: Point): Shape => ({
  dxf: head('LINE', look) + at(from) + at(to, 11),
  paths: (seen) => [`M${seen(from)}L${seen(to)}`],
  corners: [from, to],
  length: Math.hypot(to[0] - from[0], to[1] - from[1]),
});

/** A single point, which is drawn as a dot. */
export const pointShape = (look: string, point: Point): Shape => ({
  dxf: head('POINT', look) + at(point),
  paths: (seen) => [`M${seen(point)}h0`],
  isDot: true,
  corners: [point],
});

/** A whole circle; `arcShape` draws a part of one. */
export const circleShape = (look: string, centre: Point, radius: number): Shape => ({
  dxf: head('CIRCLE', look) + at(centre) + group(40, radius),
  paths: (seen) => [
    `M${seen([centre[0] - radius, centre[1]])}a${radius} ${radius} 0 0 0 ${2 * radius} 0a${radius} ${radius} 0 0 0 ${-2 * radius} 0Z`,
  ],
  corners: [-radius, radius].map((edge) => [centre[0] + edge, centre[1] + edge]),
  length: 2 * Math.PI * radius,
});

/** @param from in radians, anticlockwise to `to` */
export function arcShape(look: string, centre: Point, radius: number, from: number, to: number): Shape {
  const full = 2 * Math.PI;
  const sweep = (((to - from) % full) + full) % full || full;
  const on = (angle: number): Point => [
    centre[0] + radius * Math.cos(angle),
    centre[1] + radius * Math.sin(angle),
  ];
  const [start, end] = [on(from), on(from + sweep)];
  const quarter = Math.PI / 2;
  const quarters = Array.from({ length: 5 }, (_, index) => (Math.ceil(from / quarter) + index) * quarter);
  const degrees = (angle: number) => ((((angle * 180) / Math.PI) % 360) + 360) % 360;
  return {
    dxf:
      head('ARC', look) + at(centre) + group(40, radius) + group(50, degrees(from)) + group(51, degrees(to)),
    paths: (seen) => [`M${seen(start)}A${radius} ${radius} 0 ${sweep > Math.PI ? 1 : 0} 0 ${seen(end)}`],
    corners: [start, end, ...quarters.filter((angle) => angle < from + sweep).map(on)],
    length: sweep * radius,
  };
}

/** @param tolerance of the corners that measure its arcs */
export function polylineShape(
  look: string,
  points: BulgedPoint[],
  isClosed: boolean,
  tolerance: number,
): Shape {
  const corners: Point[] = [];
  /** The end of each stretch, and the arc on which it is reached. */
  const stretches: { end: Point; arc: string }[] = [];
  for (const [index, [x, y, bulge]] of points.entries()) {
    corners.push([x, y]);
    const next = points[index + 1] ?? (isClosed ? points[0] : undefined);
    if (!next) break;
    const end: Point = [next[0], next[1]];
    const length = Math.hypot(end[0] - x, end[1] - y);
    if (bulge === 0 || length === 0) {
      stretches.push({ end, arc: 'L' });
      continue;
    }
    corners.push(...bulgeCorners([x, y], end, bulge, IN_PLACE, tolerance));
    const radius = (length * (1 + bulge ** 2)) / (4 * Math.abs(bulge));
    const turn = `${Math.abs(bulge) > 1 ? 1 : 0} ${bulge > 0 ? 0 : 1}`;
    stretches.push({ end, arc: `A${radius} ${radius} 0 ${turn} ` });
  }
  const vertices = points.map(
    ([x, y, bulge]) => head('VERTEX', look) + at([x, y]) + (bulge === 0 ? '' : group(42, bulge)),
  );
  return {
    dxf: [
      head('POLYLINE', look) + group(66, 1) + group(70, isClosed ? 1 : 0),
      ...vertices,
      head('SEQEND', look),
    ].join(''),
    paths: (seen) => {
      const paths: string[] = [];
      for (let from = 0; from === 0 || from < stretches.length; from += CORNERS_IN_A_PATH) {
        const [x, y] = points[from] ?? [0, 0];
        const along = stretches.slice(from, from + CORNERS_IN_A_PATH);
        paths.push(`M${seen([x, y])}${along.map(({ end, arc }) => arc + seen(end)).join('')}`);
      }
      return paths;
    },
    corners,
    length: corners.reduce((sum, [x, y], index) => {
      const [beforeX, beforeY] = corners[index - 1] ?? [x, y];
      return sum + Math.hypot(x - beforeX, y - beforeY);
    }, 0),
  };
}

/** A filled face of three or four corners, the last two of which the format has in turn. */
export function solidShape(look: string, corners: [Point, Point, Point, Point]): Shape {
  const [a, b, c, d] = corners;
  return {
    dxf: head('SOLID', look) + corners.map((corner, index) => at(corner, 10 + index)).join(''),
    filled: (seen) => `<path d="M${[a, b, d, c].map(seen).join('L')}Z" fill="currentColor"/>`,
    corners,
  };
}

export interface Words {
  text: string;
  /** Left below, unless they are aligned. */
  start: Point;
  height: number;
  /** In degrees. */
  turn: number;
  /** By which the letters are wider. */
  stretch?: number;
  /** By which they lean, in degrees. */
  slant?: number;
  isBackwards?: boolean;
  isUpsideDown?: boolean;
  /** The format's own numbers for how the words lie about the second point. */
  aligned?: { across: number; up: number; point: Point };
}

/** Drawings give the height of capitals, and fonts that of a line. */
const LINE_OF_CAPITAL = 1.4;
/** The distance of the baseline below the point of a text: at the bottom, in the middle or on top. */
const LIFTS = [0, -0.3, 0.5, 1];
const FITTED = new Set([3, 5]);

/** Words as the drawing aligns, fits, leans or mirrors them. */
export function textShape(look: string, words: Words): Shape {
  const { text, start, height, turn, stretch = 1, slant = 0, isBackwards, isUpsideDown, aligned } = words;
  // Words that are fitted between two points begin at the first.
  const isFitted = FITTED.has(aligned?.across ?? 0);
  const place = isFitted ? start : (aligned?.point ?? start);
  const side = isFitted ? 0 : ({ 1: 0.5, 2: 1, 4: 0.5 }[aligned?.across ?? 0] ?? 0);
  const lift = height * ((aligned?.across === 4 ? 0.5 : LIFTS[aligned?.up ?? 0]) ?? 0);
  const anchor = { 0: 'start', 0.5: 'middle', 1: 'end' }[side];
  const lean = Math.tan((slant * Math.PI) / 180);
  const natural = widthOf(text) * height;
  const fit = Math.hypot((aligned?.point[0] ?? 0) - start[0], (aligned?.point[1] ?? 0) - start[1]) / natural;
  const wide = isFitted ? fit : stretch;
  // Of the two ways to fit, one enlarges the letters and the other widens them.
  const tall = aligned?.across === 3 ? fit : 1;
  const [across, up] = [isBackwards ? -1 : 1, isUpsideDown ? -1 : 1];
  const filled = (seen: Seen) =>
    `<text font-size="${height * LINE_OF_CAPITAL}" text-anchor="${anchor}" fill="currentColor" stroke="none" transform="translate(${seen(place)}) rotate(${-turn}) scale(${across} ${up}) matrix(${wide} 0 ${-lean} ${tall} 0 ${lift})">${escaped(text)}</text>`;
  const alignment = aligned ? group(72, aligned.across) + at(aligned.point, 11) + group(73, aligned.up) : '';
  const width = natural * wide;
  const lying = combined(combined(moved(place), rotated(turn)), scaled(across, up));
  return {
    dxf: [
      head('TEXT', look) + at(start) + group(40, height) + group(1, writable(text)) + group(50, turn),
      stretch === 1 ? '' : group(41, stretch),
      slant === 0 ? '' : group(51, slant),
      isBackwards || isUpsideDown ? group(71, (isBackwards ? 2 : 0) + (isUpsideDown ? 4 : 0)) : '',
      alignment,
    ].join(''),
    filled,
    corners: [place],
    room: [0, 1].flatMap((end) =>
      [-0.4, 1.1].map((edge) => placed(lying, [width * (end - side), edge * height - lift])),
    ),
    words: [text],
  };
}

/** The oldest form knows only the letters of ASCII and a few signs; others are written by their number. */
const SIGNS: Record<string, string> = { Ø: '%%c', '±': '%%p', '°': '%%d', '%%': '%%%%%%', '\\': '\\U+005C' };
const writable = (text: string) =>
  text.replaceAll(
    /%%|\\(?=[MU]\+)|[^\x20-\x7e]/g,
    (sign) => SIGNS[sign] ?? `\\U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
