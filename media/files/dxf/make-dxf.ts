import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobResult } from '../../job.ts';
import { LIMITS } from '../../limits.ts';
import type { Point } from '../affine.ts';
import { PICTURE } from '../mesh.ts';
import { drawingTexts } from '../page-text.ts';
import { FileProblem } from '../problem.ts';
import { canDraw, FONTS, rendered, writePicture } from '../svg/make-svg.ts';
import { isSamePicture } from '../svg/same-picture.ts';
import { TOLERANCE } from './curves.ts';
import { drawEntity } from './draw-entity.ts';
import { flatten } from './flatten.ts';
import { EXACT_COLOURS, inkInFile, type Look } from './look.ts';
import { checkedNumber, type Drawing, type Entity, numberOf, readDxf, textOf } from './read-dxf.ts';
import type { Shape } from './shapes.ts';
import { TEXT_STYLES } from './text.ts';
import { lengthOf, type Tables, tablesOf, writeDxf } from './write-dxf.ts';

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
/** The corners of all shapes together: curves have many. */
const MAX_CORNERS = 500_000;

/** The dashes of the whole picture. */
const MAX_DASHES = 100_000;
/** Parts of the drawing's size: of a line's width, and the shortest dashes that are seen apart. */
const LINE_WIDTH = 1 / 500;
const SHORTEST_DASHES = 1 / 250;
/** In letters: each stretch of a path is compared with all others of the path that it may cross. */
const MAX_PATH = 2000;

interface Drawn extends Shape {
  look: Look;
}

/**
 * Writes the outlines and texts of a drawing again in the oldest form, which every program reads.
 *
 * @throws FileProblem when what was written, read and drawn again, is not what was read
 */
export async function makeDxf(path: string, folder: string): Promise<JobResult> {
  // The parts of a large drawing are given back before they are read again.
  const { text, scale, seen, picture, result } = await written(path, folder);
  const again = shapesOf(readDxf(Buffer.from(text)), scale, () => {});
  if (!isSamePicture(picture, rendered(svgOf(again.shapes, seen, again.tables))))
    throw new FileProblem(
      'A part of this DXF would be lost or look different. Explode its blocks, turn its curves into polylines, and choose it again.',
    );
  return result;
}

async function written(path: string, folder: string) {
  const drawing = readDxf(await readFile(path));
  const { unit } = drawing;
  const scale = UNITS[unit];
  if (!scale)
    throw new FileProblem(
      `This DXF is drawn in a unit that is not read here ($INSUNITS ${unit}). Save it in millimetres or inches and choose it again.`,
    );
  const names = new Set<string>();
  const leaveOut = (name: string) => names.add(name);
  const { shapes, tables } = shapesOf(drawing, scale, leaveOut);
  const words = shapes.flatMap(({ words = [] }) => words);
  if (!canDraw(words.join(''))) leaveOut('some letters in the image');
  const leftOut = [...names].sort();
  if (shapes.length === 0)
    throw new FileProblem(
      leftOut.length === 0
        ? 'This DXF is empty.'
        : `This DXF is empty without its ${leftOut.join(' and ')}. Draw its outlines as lines and choose it again.`,
    );
  const seen = boxOf(
    shapes.flatMap(({ corners, room = [] }) => [...corners, ...room]),
    scale,
  );
  const outlines = shapes.flatMap(({ corners }) => corners);
  const measured = outlines.length === 0 ? seen : boxOf(outlines, scale);
  const parts = shapes.map(({ dxf }) => dxf);
  const text = writeDxf(parts, tables, unit);
  await writeFile(join(folder, 'file.dxf'), text);
  const drawn = rendered(svgOf(shapes, seen, tables));
  const size = await writePicture(drawn, join(folder, PICTURE));
  // The file has the nearest of 255 colours.
  const picture = names.has(EXACT_COLOURS) ? rendered(svgOf(shapes, seen, tables, inkInFile)) : drawn;
  const dimensions = [measured.width, measured.height].map((edge) => Math.round(edge * scale * 100) / 100);
  const facts = {
    dimensions,
    layers: tables.layerCount(),
    ...(unit === 0 ? { sizeIf: 'if drawn in millimetres' } : { unit }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
  const pageTexts = drawingTexts([...tables.names(), ...words]);
  const file = { type: 'dxf' as const, facts, pageTexts };
  const result = { files: ['file.dxf', PICTURE], ...size, file };
  return { text, scale, seen, picture, result };
}

function shapesOf(drawing: Drawing, scale: number, leaveOut: (name: string) => void) {
  const placed = flatten(drawing, leaveOut);
  const tables = tablesOf(drawing, leaveOut);
  const shapes: Drawn[] = [];
  let corners = 0;
  for (const one of placed) {
    for (const shape of drawEntity(one, tables.groupsOf(one.look), TOLERANCE / scale, leaveOut)) {
      corners += shape.corners.length;
      if (corners > MAX_CORNERS)
        throw new FileProblem(
          `The lines and curves of this drawing have more than ${MAX_CORNERS} corners. Simplify it and choose it again.`,
        );
      const room = one.isNote ? { room: [...shape.corners, ...(shape.room ?? [])], corners: [] } : {};
      shapes.push({ ...shape, ...room, look: one.look });
      if (shape.words) noteStyle(one.entity, drawing, leaveOut);
    }
  }
  return { shapes, tables };
}

/** Names what the style of a text has beside the plain font of all programs. */
function noteStyle(entity: Entity, { styles }: Drawing, leaveOut: (name: string) => void) {
  const style = styles.get(textOf(entity, 7, 'standard').trim().toLowerCase());
  if (!style) return;
  if (!/^(?:txt(?:\.shx)?)?$/i.test(textOf(style, 3).trim())) leaveOut(FONTS);
  const isOwn = (code: number) => entity.type !== 'MTEXT' && entity.codes.includes(code);
  const isStyled =
    (numberOf(style, 41, 1) || 1) !== 1 || numberOf(style, 50, 0) !== 0 || (numberOf(style, 71, 0) & 6) !== 0;
  if (isStyled && ![41, 51, 71].some(isOwn)) leaveOut(TEXT_STYLES);
}

type Box = ReturnType<typeof boxOf>;

function boxOf(corners: Point[], scale: number) {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
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

function svgOf(shapes: Drawn[], box: Box, tables: Tables, inkOf = ({ ink }: Look) => ink): string {
  const [width, height] = [box.width || 1, box.height || 1];
  const edge = Math.max(width, height);
  const margin = edge * 0.03;
  const [across, up] = [width + 2 * margin, height + 2 * margin];
  const line = edge * LINE_WIDTH;
  // The Y axis points downwards, and all is measured from the drawing's own corner: the library counts with seven digits.
  const seen = ([x, y]: Point) => `${x - box.left} ${box.top - y}`;
  let budget = MAX_DASHES;
  const dashing = ({ look, length = 0 }: Drawn): string => {
    const dashes = tables.dashesOf(look);
    const period = lengthOf(dashes);
    const count = (length / period) * dashes.length;
    // Shorter dashes are seen as one line, in other programs as well, and so is a line shorter than its dashes.
    if (!(period > edge * SHORTEST_DASHES) || length < period || count > budget) return '';
    budget -= count;
    const lengths = dashes.map((dash) => Math.max(Math.abs(dash), line));
    return ` stroke-dasharray="${lengths.join(' ')}"`;
  };
  // The lines that look the same are few paths, since each path costs the library as much as several lines. Which of two
  // lines lies above the other is no part of a DXF; what is filled stays above what came before it.
  const drawn: string[] = [];
  const lines = new Map<string, string>();
  const endPath = (group: string) => {
    drawn.push(`${group}<path d="${lines.get(group)}"/></g>`);
    lines.delete(group);
  };
  for (const shape of shapes) {
    const ink = inkOf(shape.look);
    // The library takes the colour of a line from where the line's colour is named, and no further out.
    const group = `<g color="${ink}" stroke="${ink}"${shape.isDot ? ' class="point"' : dashing(shape)}>`;
    for (const path of shape.paths?.(seen) ?? []) {
      const joined = (lines.get(group) ?? '') + path;
      lines.set(group, joined);
      if (joined.length > MAX_PATH) endPath(group);
    }
    if (!shape.filled) continue;
    [...lines.keys()].forEach(endPath);
    drawn.push(`${group}${shape.filled(seen)}</g>`);
  }
  [...lines.keys()].forEach(endPath);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="${Math.max(1, Math.round((1600 * up) / across))}" viewBox="${-margin} ${-margin} ${across} ${up}"><style>.point{stroke-linecap:round;stroke-width:${3 * line}}</style><g font-family="sans-serif" fill="none" stroke-width="${line}">${drawn.join('')}</g></svg>`;
}
