import sharp from 'sharp';
import { type Colours, cross, dot, type Mesh, normalOf, PLAIN, type Vector } from './mesh.ts';

const WIDTH = 1200;
const HEIGHT = 900;
/** Drawn this much larger and reduced, which smooths the edges. */
const OVERSAMPLING = 2;
const MARGIN = 0.9;
/** The pixels of all triangles together; keeps triangles that all fill the picture from taking hours. */
const BUDGET = 1_000_000_000;
/** What beginning a row of a triangle costs, in pixels. */
const ROW = 2;
/** A cube in dashes, for a model that cannot be drawn. */
const NEUTRAL = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="-80 -60 160 120"><rect x="-80" y="-60" width="160" height="120" fill="#fff"/><path d="M0-24 21-12V12L0 24-21 12V-12ZM-21-12 0 0 21-12M0 0V24" fill="none" stroke="rgb(${PLAIN})" stroke-width="2" stroke-dasharray="4 3"/></svg>`,
);

const across = unit([1, 1, 0]);
const away = unit([-1, 1, -0.7]);
const up = cross(across, away);
const light = unit([0.2, -0.8, 1]);

/**
 * A picture of a model from the front, a little from above and from its side, without a graphics card. A model whose
 * triangles lie over each other too often gets a picture that shows none.
 */
export async function drawMesh(mesh: Mesh, path: string, colours?: Colours) {
  const [width, height] = [WIDTH * OVERSAMPLING, HEIGHT * OVERSAMPLING];
  const pixels = paint(mesh, width, height, colours);
  const picture = pixels ? sharp(pixels, { raw: { width, height, channels: 3 } }) : sharp(NEUTRAL);
  const info = await picture.resize(WIDTH, HEIGHT).webp({ quality: 85, effort: 3 }).toFile(path);
  return { width: info.width, height: info.height };
}

/** The pixels of the picture, or nothing when they are more work than a picture may be. */
function paint(mesh: Mesh, width: number, height: number, colours?: Colours): Buffer | undefined {
  const seen = project(mesh, width, height);
  const depths = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
  const pixels = Buffer.alloc(width * height * 3, 255);
  let budget = BUDGET;
  for (let at = 0; at < mesh.length; at += 9) {
    // Triangles seen from behind are lit as well: many programs turn some of them the wrong way round.
    const shade = 0.35 + 0.65 * Math.abs(dot(normalOf(mesh.subarray(at, at + 9)), light));
    const [red, green, blue] = (colours?.[at / 9] ?? PLAIN).map((part) => part * shade) as Vector;
    const corners = [0, 3, 6].map((corner) => [...seen.subarray(at + corner, at + corner + 3)] as Vector);
    const [high, middle, low] = corners.sort((one, other) => one[1] - other[1]) as [Vector, Vector, Vector];
    // The margin keeps every corner inside of the picture.
    const rows = [high, middle, low].map(([, y]) => Math.ceil(y - 0.5)) as Vector;
    budget -= ROW * (rows[2] - rows[0]);
    for (const half of [0, 1] as const) {
      let y = rows[half];
      const [long, short] = [edge(high, low, y), half === 0 ? edge(high, middle, y) : edge(middle, low, y)];
      const [longStep, shortStep, end] = [long.dx, short.dx, rows[half + 1] ?? 0];
      let [one, other] = [long.x, short.x];
      // The pixels of a row whose middles lie between the long edge and a short one.
      for (; y < end; y++, one += longStep, other += shortStep) {
        const from = Math.ceil(Math.min(one, other));
        const right = Math.max(one, other);
        if (from > right) continue;
        const to = Math.floor(right);
        budget -= to - from;
        const depth = long.z + long.dz * (y - rows[half]);
        const perPixel = one === other ? 0 : (short.z + short.dz * (y - rows[half]) - depth) / (other - one);
        for (let x = from; x <= to; x++) {
          const place = y * width + x;
          const own = depth + perPixel * (x - one);
          if (own >= (depths[place] ?? 0)) continue;
          depths[place] = own;
          pixels[place * 3] = red;
          pixels[place * 3 + 1] = green;
          pixels[place * 3 + 2] = blue;
        }
      }
    }
    if (budget < 0) return undefined;
  }
  return pixels;
}

/** Where an edge crosses the middle of a row of pixels, and how much further on it is in each row below. */
function edge([ax, ay, az]: Vector, [bx, by, bz]: Vector, row: number) {
  const [dx, dz] = [(bx - ax) / (by - ay), (bz - az) / (by - ay)];
  return { x: ax - 0.5 + (row + 0.5 - ay) * dx, dx, z: az + (row + 0.5 - ay) * dz, dz };
}

/** The corners in pixels, with their distance from the eye as the third number. */
function project(mesh: Mesh, width: number, height: number): Float64Array {
  const seen = new Float64Array(mesh.length);
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < mesh.length; at += 3) {
    const corner: Vector = [mesh[at] ?? 0, mesh[at + 1] ?? 0, mesh[at + 2] ?? 0];
    const [x, y] = [dot(corner, across), -dot(corner, up)];
    seen.set([x, y, dot(corner, away)], at);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const scale = MARGIN * Math.min(width / (right - left || 1), height / (bottom - top || 1));
  for (let at = 0; at < seen.length; at += 3) {
    seen[at] = width / 2 + ((seen[at] ?? 0) - (left + right) / 2) * scale;
    seen[at + 1] = height / 2 + ((seen[at + 1] ?? 0) - (top + bottom) / 2) * scale;
  }
  return seen;
}

function unit(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}
