import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobResult } from '../../job.ts';
import { LIMITS } from '../../limits.ts';
import { PICTURE } from '../mesh.ts';
import { drawingTexts } from '../page-text.ts';
import { FileProblem } from '../problem.ts';
import { drawSvg } from '../svg.ts';
import { TOLERANCE } from './curves.ts';
import { drawEntity } from './draw-entity.ts';
import { flatten } from './flatten.ts';
import { checkedNumber, readDxf, tooMany } from './read-dxf.ts';
import type { Group, Shape } from './shapes.ts';

/** In millimetres, by the number that the header gives; a drawing without a unit is taken as millimetres. */
const UNITS: Record<number, number> = {
  0: 1,
  1: 25.4,
  2: 304.8,
  4: 1,
  5: 10,
  6: 1000,
  9: 0.0254,
  13: 0.001,
  14: 100,
};
/** Of all shapes together: curves have many. */
const MAX_CORNERS = 500_000;
const MAX_DECIMALS = 8;

/** Writes the outlines and texts of a drawing again in the oldest form, which every program reads. */
export async function makeDxf(path: string, folder: string): Promise<JobResult> {
  const drawing = readDxf(await readFile(path, 'utf8'));
  const { unit } = drawing;
  const scale = UNITS[unit];
  if (!scale) throw new FileProblem('This DXF has an unknown unit.');
  const { shapes: placed, leftOut } = flatten(drawing);
  const layers = [...new Set(placed.map(({ layer }) => layer))];
  const shapes: Shape[] = [];
  let corners = 0;
  for (const one of placed) {
    for (const shape of drawEntity(one, String(layers.indexOf(one.layer)), TOLERANCE / scale)) {
      corners += shape.corners.length;
      if (corners > MAX_CORNERS) throw tooMany();
      shapes.push(shape);
    }
  }
  if (shapes.length === 0)
    throw new FileProblem(
      leftOut.length === 0
        ? 'This DXF is empty.'
        : `This DXF is empty without its ${leftOut.join(' and ')}. Draw its outlines as lines and choose it again.`,
    );
  const box = boxOf(shapes, scale);
  await writeFile(join(folder, 'file.dxf'), write(shapes, unit));
  const size = await draw(shapes, box, join(folder, PICTURE));
  const dimensions = [box.width, box.height].map((edge) => Math.round(edge * scale * 100) / 100);
  const facts = {
    dimensions,
    layers: layers.length,
    ...(unit === 0 ? {} : { unit }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
  const words = shapes.flatMap(({ words = [] }) => words);
  return {
    files: ['file.dxf', PICTURE],
    ...size,
    file: { type: 'dxf', facts, pageTexts: drawingTexts(words) },
  };
}

type Box = ReturnType<typeof boxOf>;

function boxOf(shapes: Shape[], scale: number) {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { corners } of shapes)
    for (const [x, y] of corners) {
      left = Math.min(left, checkedNumber(x));
      right = Math.max(right, x);
      bottom = Math.min(bottom, checkedNumber(y));
      top = Math.max(top, y);
    }
  const [width, height] = [right - left, top - bottom];
  if (!(Math.max(width, height) * scale <= LIMITS.modelEdge))
    throw new FileProblem('This drawing is larger than 100 metres. Check its unit.');
  return { left, top, width, height };
}

function draw(shapes: Shape[], box: Box, path: string) {
  const [width, height] = [box.width || 1, box.height || 1];
  const margin = Math.max(width, height) * 0.03;
  const [across, up] = [width + 2 * margin, height + 2 * margin];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="${Math.max(1, Math.round((1600 * up) / across))}" viewBox="${box.left - margin} ${-box.top - margin} ${across} ${up}"><g fill="none" stroke="#17202a" stroke-width="${Math.max(width, height) / 500}">${shapes.map((shape) => shape.svg).join('')}</g></svg>`;
  return drawSvg(svg, path);
}

function write(shapes: Shape[], unit: number): string {
  const header: Group[] = [
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
  const end: Group[] = [
    [0, 'ENDSEC'],
    [0, 'EOF'],
  ];
  return [header, ...shapes.map(({ dxf }) => dxf), end]
    .flat()
    .map(([code, value]) => `${code}\n${typeof value === 'number' ? decimal(value) : value}\n`)
    .join('');
}

/** Without an exponent, which some programs do not read. */
function decimal(value: number): string {
  const text = checkedNumber(value)
    .toFixed(MAX_DECIMALS)
    .replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}
