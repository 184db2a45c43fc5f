import { escaped } from '../svg.ts';
import type { Point } from './affine.ts';
import { IN_PLACE } from './affine.ts';
import { bulgeCorners } from './curves.ts';

export type Group = [number, string | number];

/** A part of the new drawing: as groups, as it is drawn in the picture, and the corners of the space it takes. */
export interface Shape {
  dxf: Group[];
  svg: string;
  corners: Point[];
  /** What it says, of a text. */
  words?: string[];
}

/** A corner, with the bulge of the line that leaves it: the tangent of a quarter of the arc's angle. */
export type BulgedPoint = [x: number, y: number, bulge: number];

/** A longer line is drawn in pieces: each stretch of a path is compared with all others of the path that it may cross. */
const CORNERS_IN_A_PATH = 100;
const INK = '#17202a';
const head = (type: string, layer: string): Group[] => [
  [0, type],
  [8, layer],
];
const at = ([x, y]: Point, code = 10): Group[] => [
  [code, x],
  [code + 10, y],
];
/** The picture has its Y axis downwards. */
const seen = ([x, y]: Point) => `${x} ${-y}`;

export const lineShape = (layer: string, from: Point, to: Point): Shape => ({
  dxf: [...head('LINE', layer), ...at(from), ...at(to, 11)],
  svg: `<path d="M${seen(from)}L${seen(to)}"/>`,
  corners: [from, to],
});

export const pointShape = (layer: string, point: Point): Shape => ({
  dxf: [...head('POINT', layer), ...at(point)],
  svg: '',
  corners: [point],
});

export const circleShape = (layer: string, centre: Point, radius: number): Shape => ({
  dxf: [...head('CIRCLE', layer), ...at(centre), [40, radius]],
  svg: `<circle cx="${centre[0]}" cy="${-centre[1]}" r="${radius}"/>`,
  corners: [-radius, radius].map((edge) => [centre[0] + edge, centre[1] + edge]),
});

/** @param from in radians, anticlockwise to `to` */
export function arcShape(layer: string, centre: Point, radius: number, from: number, to: number): Shape {
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
    dxf: [...head('ARC', layer), ...at(centre), [40, radius], [50, degrees(from)], [51, degrees(to)]],
    svg: `<path d="M${seen(start)}A${radius} ${radius} 0 ${sweep > Math.PI ? 1 : 0} 0 ${seen(end)}"/>`,
    corners: [start, end, ...quarters.filter((angle) => angle < from + sweep).map(on)],
  };
}

/** @param tolerance of the corners that measure its arcs */
export function polylineShape(
  layer: string,
  points: BulgedPoint[],
  isClosed: boolean,
  tolerance: number,
): Shape {
  const path: string[] = [];
  const corners: Point[] = [];
  for (const [index, [x, y, bulge]] of points.entries()) {
    if (index % CORNERS_IN_A_PATH === 0) path.push(`${index === 0 ? '' : '"/>'}<path d="M${seen([x, y])}`);
    corners.push([x, y]);
    const next = points[index + 1] ?? (isClosed ? points[0] : undefined);
    if (!next) break;
    const end: Point = [next[0], next[1]];
    const length = Math.hypot(end[0] - x, end[1] - y);
    if (bulge === 0 || length === 0) {
      path.push(`L${seen(end)}`);
      continue;
    }
    corners.push(...bulgeCorners([x, y], end, bulge, IN_PLACE, tolerance));
    const radius = (length * (1 + bulge ** 2)) / (4 * Math.abs(bulge));
    path.push(`A${radius} ${radius} 0 ${Math.abs(bulge) > 1 ? 1 : 0} ${bulge > 0 ? 0 : 1} ${seen(end)}`);
  }
  const vertices = points.flatMap(([x, y, bulge]): Group[] => [
    ...head('VERTEX', layer),
    ...at([x, y]),
    ...(bulge === 0 ? [] : [[42, bulge] as Group]),
  ]);
  return {
    dxf: [...head('POLYLINE', layer), [66, 1], [70, isClosed ? 1 : 0], ...vertices, ...head('SEQEND', layer)],
    svg: `${path.join('')}"/>`,
    corners,
  };
}

/** A filled face of three or four corners, the last two of which the format has in turn. */
export function solidShape(layer: string, corners: [Point, Point, Point, Point]): Shape {
  const [a, b, c, d] = corners;
  return {
    dxf: [...head('SOLID', layer), ...corners.flatMap((corner, index) => at(corner, 10 + index))],
    svg: `<path d="M${[a, b, d, c].map(seen).join('L')}Z" fill="${INK}"/>`,
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
  /** The format's own numbers for how the words lie about the second point. */
  aligned?: { across: number; up: number; point: Point };
}

export function textShape(layer: string, { text, start, height, turn, aligned }: Words): Shape {
  const place = aligned?.point ?? start;
  const anchor = ['start', 'middle', 'end', 'start', 'middle'][aligned?.across ?? 0] ?? 'start';
  // The baseline is moved by a third of the height where the words are centred on their point.
  const lift = { 2: 0.36, 3: 0.72 }[aligned?.up ?? 0] ?? 0;
  const svg = `<text x="${place[0]}" y="${-place[1] + lift * height}" font-size="${height}" text-anchor="${anchor}" fill="${INK}" stroke="none" transform="rotate(${-turn} ${seen(place)})">${escaped(text)}</text>`;
  const groups: Group[] = aligned ? [[72, aligned.across], ...at(aligned.point, 11), [73, aligned.up]] : [];
  return {
    dxf: [...head('TEXT', layer), ...at(start), [40, height], [1, writable(text)], [50, turn], ...groups],
    svg,
    corners: [place],
    words: [text],
  };
}

/** The oldest form knows only the letters of ASCII; others are written by their number. */
const writable = (text: string) =>
  text.replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
