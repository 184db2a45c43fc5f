type Groups = (string | number)[];

interface Drawing {
  entities: Groups;
  /** By their names. */
  blocks?: Record<string, Groups>;
  /** Layers with their colours; a negative one is switched off. */
  layers?: Record<string, number>;
  unit?: number;
}

const section = (name: string, content: Groups): Groups => [0, 'SECTION', 2, name, ...content, 0, 'ENDSEC'];

/** A drawing as a CAD program exports it. */
export function drawing({ entities, blocks = {}, layers = {}, unit = 4 }: Drawing): string {
  const tables = Object.entries(layers).flatMap(([name, colour]) => [
    0,
    'LAYER',
    2,
    name,
    70,
    0,
    62,
    colour,
    6,
    'CONTINUOUS',
  ]);
  const held = Object.entries(blocks).flatMap(([name, content]) => [
    ...[0, 'BLOCK', 8, '0', 2, name, 70, 0, 10, 0, 20, 0, 30, 0],
    ...content,
    ...[0, 'ENDBLK', 8, '0'],
  ]);
  return [
    ...section('HEADER', [9, '$ACADVER', 1, 'AC1015', 9, '$INSUNITS', 70, unit]),
    ...section('TABLES', [0, 'TABLE', 2, 'LAYER', 70, 1, ...tables, 0, 'ENDTAB']),
    ...section('BLOCKS', held),
    ...section('ENTITIES', entities),
    ...[0, 'EOF', ''],
  ].join('\n');
}

export const line = (x: number, y: number, endX: number, endY: number, layer = 'CUT'): Groups => [
  ...[0, 'LINE', 8, layer, 10, x, 20, y, 30, 0, 11, endX, 21, endY, 31, 0],
];
export const circle = (x: number, y: number, radius: number): Groups => [
  ...[0, 'CIRCLE', 8, 'CUT', 10, x, 20, y, 40, radius],
];
export const insert = (name: string, more: Groups = []): Groups => [
  ...[0, 'INSERT', 2, name],
  ...more,
  ...[8, 'CUT', 10, 0, 20, 0, 30, 0],
];
/** Corners with the bulges of the lines that leave them. */
export const lightPolyline = (corners: number[][], isClosed: boolean): Groups => [
  ...[0, 'LWPOLYLINE', 5, '2F', 100, 'AcDbEntity', 8, 'CUT', 100, 'AcDbPolyline'],
  ...[90, corners.length, 70, isClosed ? 1 : 0, 43, 0],
  // The newest programs number the corners, which the format allows.
  ...corners.flatMap(([x = 0, y = 0, bulge = 0], index) => [10, x, 20, y, 42, bulge, 91, index]),
];

interface Spline {
  degree: number;
  knots: (number | string)[];
  control: number[][];
  weights?: number[];
}

export const spline = ({ degree, knots, control, weights = [] }: Spline): Groups => [
  ...[0, 'SPLINE', 8, 'CUT', 70, 8, 71, degree, 72, knots.length, 73, control.length, 74, 0],
  ...knots.flatMap((knot) => [40, knot]),
  ...weights.flatMap((weight) => [41, weight]),
  ...control.flatMap(([x = 0, y = 0]) => [10, x, 20, y, 30, 0]),
];

/** A circle of three arcs, which only a spline with weights can be. */
export function circleOfWeights(radius: number): Groups {
  const control = [0, 1, 2, 3, 4, 5, 6].map((index) => {
    const angle = (index * Math.PI) / 3 - Math.PI / 2;
    const length = index % 2 === 0 ? radius : 2 * radius;
    return [length * Math.cos(angle), length * Math.sin(angle)];
  });
  return spline({
    degree: 2,
    knots: [0, 0, 0, 1, 1, 2, 2, 3, 3, 3],
    control,
    weights: [1, 0.5, 1, 0.5, 1, 0.5, 1],
  });
}

export interface Written {
  type: string;
  layer: string;
  /** Both ends of a line, all corners of a polyline. */
  points: [number, number][];
  bulges: number[];
  radius: number;
  angles: [number, number];
  isClosed: boolean;
  text: string;
}

/** The shapes of a rewritten drawing, read without the reader that is tested. */
export function shapesOf(text: string): Written[] {
  const lines = text.trim().split('\n');
  const shapes: Written[] = [];
  for (let at = lines.lastIndexOf('ENTITIES') + 1; at < lines.length; at += 2) {
    const [code, value] = [Number(lines[at]), lines[at + 1] ?? ''];
    const last = shapes.at(-1);
    if (code === 0 && value === 'ENDSEC') break;
    if (code === 0 && value !== 'VERTEX' && value !== 'SEQEND')
      shapes.push({
        type: value,
        layer: '',
        points: [],
        bulges: [],
        radius: 0,
        angles: [0, 0],
        isClosed: false,
        text: '',
      });
    if (!last || code === 0) continue;
    if (code >= 10 && code <= 13) last.points.push([Number(value), Number.NaN]);
    if (code >= 20 && code <= 23) (last.points.at(-1) ?? [])[1] = Number(value);
    if (code === 8) last.layer = value;
    if (code === 40) last.radius = Number(value);
    if (code === 42) last.bulges.push(Number(value));
    if (code === 50) last.angles[0] = Number(value);
    if (code === 51) last.angles[1] = Number(value);
    if (code === 70) last.isClosed = value === '1';
    if (code === 1) last.text = value;
  }
  return shapes;
}

/** The enclosed area, of a polyline without bulges. */
export const areaOf = ({ points }: Written) =>
  Math.abs(
    points.reduce((sum, [x, y], index) => {
      const [nextX, nextY] = points[(index + 1) % points.length] ?? [0, 0];
      return sum + (x * nextY - nextX * y) / 2;
    }, 0),
  );
