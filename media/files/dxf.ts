import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import DxfParser, {
  type IArcEntity,
  type ICircleEntity,
  type IEntity,
  type ILineEntity,
  type ILwpolylineEntity,
  type IPointEntity,
  type IPolylineEntity,
  type ITextEntity,
} from 'dxf-parser';
import type { JobResult } from '../job.ts';
import { LIMITS } from '../limits.ts';
import { PICTURE } from './mesh.ts';
import { FileProblem } from './problem.ts';
import { drawSvg, escaped } from './svg.ts';

/** In millimetres, by the number that the header gives; a drawing without a unit is taken as millimetres. */
const UNITS: Record<number, number> = { 0: 1, 1: 25.4, 2: 304.8, 4: 1, 5: 10, 6: 1000 };
/** Notes about the drawing, which no cutter needs. */
const LEFT_OUT = new Set(['DIMENSION', 'ATTDEF']);
const MAX_TEXT = 250;

interface Shape {
  dxf: [number, string | number][];
  svg: string;
  corners: [number, number][];
}

/** Writes the lines, arcs and texts of a drawing again in the oldest form, which every program reads. */
export async function makeDxf(path: string, folder: string, progress: () => void): Promise<JobResult> {
  const drawing = parse(await readFile(path, 'utf8'));
  progress();
  const unit = Number(drawing.header?.$INSUNITS ?? 0);
  const scale = UNITS[unit];
  if (!scale) throw new FileProblem('This DXF has an unknown unit.');
  const kept = drawing.entities.filter(({ type }) => !LEFT_OUT.has(type));
  if (kept.length === 0) throw new FileProblem('This DXF is empty.');
  if (kept.length > LIMITS.shapes)
    throw new FileProblem(
      `This drawing has more than ${LIMITS.shapes} lines and shapes. Simplify it and choose it again.`,
    );
  const layers = [...new Set(kept.map(({ layer }) => layer))];
  const shapes = kept.map((entity) => shapeOf(entity, String(layers.indexOf(entity.layer))));
  const box = boxOf(shapes, scale);
  await writeFile(join(folder, 'file.dxf'), write(shapes, unit));
  progress();
  const [width, height] = [box.width || 1, box.height || 1];
  const margin = Math.max(width, height) * 0.03;
  const view = [box.left - margin, -box.top - margin, width + 2 * margin, height + 2 * margin];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="${Math.max(1, Math.round((1600 * (view[3] ?? 1)) / (view[2] ?? 1)))}" viewBox="${view.join(' ')}"><g fill="none" stroke="#17202a" stroke-width="${Math.max(width, height) / 500}">${shapes.map((shape) => shape.svg).join('')}</g></svg>`;
  const size = await drawSvg(svg, join(folder, PICTURE));
  const dimensions = [box.width, box.height].map((edge) => Math.round(edge * scale * 100) / 100);
  const facts = { dimensions, layers: layers.length, ...(unit === 0 ? {} : { unit }) };
  return { files: ['file.dxf', PICTURE], ...size, file: { type: 'dxf', facts, pageTexts: [] } };
}

function parse(text: string) {
  try {
    const drawing = new DxfParser().parseSync(text);
    if (drawing) return drawing;
  } catch {
    // The library's words are for programmers.
  }
  throw new FileProblem('This DXF cannot be read. It may be damaged or cut off.');
}

function shapeOf(entity: IEntity, layer: string): Shape {
  const head = (type: string): Shape['dxf'] => [
    [0, type],
    [8, layer],
  ];
  switch (entity.type) {
    case 'LINE': {
      const [a, b] = (entity as ILineEntity).vertices.map(({ x, y }) => [number(x), number(y)] as const);
      if (!a || !b) throw damaged();
      const svg = `<path d="M${a[0]} ${-a[1]}L${b[0]} ${-b[1]}"/>`;
      return {
        dxf: [...head('LINE'), [10, a[0]], [20, a[1]], [11, b[0]], [21, b[1]]],
        svg,
        corners: [[...a], [...b]],
      };
    }
    case 'CIRCLE': {
      const { center, radius } = entity as ICircleEntity;
      const [x, y, r] = [number(center.x), number(center.y), number(radius)];
      const svg = `<circle cx="${x}" cy="${-y}" r="${r}"/>`;
      return {
        dxf: [...head('CIRCLE'), [10, x], [20, y], [40, r]],
        svg,
        corners: [
          [x - r, y - r],
          [x + r, y + r],
        ],
      };
    }
    case 'ARC': {
      const { center, radius, startAngle, endAngle } = entity as IArcEntity;
      const [x, y, r, from, to] = [center.x, center.y, radius, startAngle, endAngle].map(number) as [
        number,
        number,
        number,
        number,
        number,
      ];
      const turn = (((to - from) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
      const at = (angle: number): [number, number] => [x + r * Math.cos(angle), y + r * Math.sin(angle)];
      const [start, end] = [at(from), at(to)];
      const svg = `<path d="M${start[0]} ${-start[1]}A${r} ${r} 0 ${turn > Math.PI ? 1 : 0} 0 ${end[0]} ${-end[1]}"/>`;
      const corners = Array.from({ length: 33 }, (_, step) => at(from + (turn * step) / 32));
      const degrees = (angle: number) => (angle * 180) / Math.PI;
      return {
        dxf: [...head('ARC'), [10, x], [20, y], [40, r], [50, degrees(from)], [51, degrees(to)]],
        svg,
        corners,
      };
    }
    case 'LWPOLYLINE':
    case 'POLYLINE':
      return polyline(entity as ILwpolylineEntity | IPolylineEntity, head);
    case 'POINT': {
      const { x, y } = (entity as IPointEntity).position;
      const point: [number, number] = [number(x), number(y)];
      return { dxf: [...head('POINT'), [10, point[0]], [20, point[1]]], svg: '', corners: [point] };
    }
    case 'TEXT': {
      const { startPoint, textHeight, rotation = 0, text } = entity as ITextEntity;
      const [x, y, size, turn] = [startPoint.x, startPoint.y, textHeight, rotation].map(number) as [
        number,
        number,
        number,
        number,
      ];
      const words = text.replaceAll(/\p{C}/gu, '').slice(0, MAX_TEXT);
      const svg = `<text x="${x}" y="${-y}" font-size="${size}" fill="#17202a" stroke="none" transform="rotate(${-turn} ${x} ${-y})">${escaped(words)}</text>`;
      return {
        dxf: [...head('TEXT'), [10, x], [20, y], [40, size], [50, turn], [1, words]],
        svg,
        corners: [[x, y]],
      };
    }
    default:
      throw new FileProblem(
        `This DXF holds ${/^\w{1,30}$/.test(entity.type) ? entity.type : 'other'} parts, which are not accepted. Explode blocks, turn curves into polylines, and choose it again.`,
      );
  }
}

function polyline(entity: ILwpolylineEntity | IPolylineEntity, head: (type: string) => Shape['dxf']): Shape {
  if ('isPolyfaceMesh' in entity && (entity.isPolyfaceMesh || entity.is3dPolygonMesh || entity.is3dPolyline))
    throw new FileProblem('This DXF holds a solid shape. Send shapes as STL, 3MF or STEP.');
  const vertices = entity.vertices.map(({ x, y, bulge = 0 }) => ({
    x: number(x),
    y: number(y),
    bulge: number(bulge),
  }));
  const [first] = vertices;
  if (!first || vertices.length > LIMITS.shapes) throw damaged();
  const isClosed = Boolean(entity.shape);
  const path = [`M${first.x} ${-first.y}`];
  for (const [index, { x, y, bulge }] of vertices.entries()) {
    const next = vertices[index + 1] ?? (isClosed ? first : undefined);
    if (!next) break;
    const radius = (Math.hypot(next.x - x, next.y - y) * (1 + bulge ** 2)) / (4 * Math.abs(bulge));
    path.push(
      bulge === 0
        ? `L${next.x} ${-next.y}`
        : `A${radius} ${radius} 0 ${Math.abs(bulge) > 1 ? 1 : 0} ${bulge > 0 ? 0 : 1} ${next.x} ${-next.y}`,
    );
  }
  const dxf: Shape['dxf'] = [...head('POLYLINE'), [66, 1], [70, isClosed ? 1 : 0]];
  for (const { x, y, bulge } of vertices) dxf.push(...head('VERTEX'), [10, x], [20, y], [42, bulge]);
  dxf.push(...head('SEQEND'));
  return { dxf, svg: `<path d="${path.join('')}"/>`, corners: vertices.map(({ x, y }) => [x, y]) };
}

const damaged = () => new FileProblem('This DXF cannot be read. It may be damaged or cut off.');

function number(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new FileProblem('A corner of this drawing has no place: a number is missing.');
  return value;
}

function boxOf(shapes: Shape[], scale: number) {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { corners } of shapes)
    for (const [x, y] of corners) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      bottom = Math.min(bottom, y);
      top = Math.max(top, y);
    }
  const [width, height] = [right - left, top - bottom];
  if (Math.max(width, height) * scale > LIMITS.modelEdge)
    throw new FileProblem('This drawing is larger than 100 metres. Check its unit.');
  return { left, top, width, height };
}

function write(shapes: Shape[], unit: number): string {
  const pairs: Shape['dxf'] = [
    [0, 'SECTION'],
    [2, 'HEADER'],
    [9, '$ACADVER'],
    [1, 'AC1009'],
    [9, '$INSUNITS'],
    [70, unit],
    [0, 'ENDSEC'],
    [0, 'SECTION'],
    [2, 'ENTITIES'],
  ];
  const end: Shape['dxf'] = [
    [0, 'ENDSEC'],
    [0, 'EOF'],
  ];
  return [...pairs, ...shapes.flatMap(({ dxf }) => dxf), ...end]
    .map(([code, value]) => `${code}\n${value}\n`)
    .join('');
}
