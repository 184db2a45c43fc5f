import sharp from 'sharp';
import { type Colours, type Mesh, normalOf, PLAIN } from './mesh.ts';
import { FileProblem } from './problem.ts';

const WIDTH = 1200;
const HEIGHT = 900;
/** Drawn this much larger and reduced, which smooths the edges. */
const OVERSAMPLING = 2;
const MARGIN = 0.9;
/** More than a real model needs many times over; keeps triangles that all fill the picture from taking hours. */
const PIXEL_BUDGET = 500_000_000;

const across = unit([1, 1, 0]);
const away = unit([-1, 1, -0.7]);
const up = cross(across, away);
const light = unit([0.2, -0.8, 1]);

type Vector = [number, number, number];

/** A picture of a model from the front, a little from above and from its side, without a graphics card. */
export async function drawMesh(mesh: Mesh, path: string, colours?: Colours) {
  const [width, height] = [WIDTH * OVERSAMPLING, HEIGHT * OVERSAMPLING];
  const seen = project(mesh, width, height);
  const depths = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
  const pixels = Buffer.alloc(width * height * 3, 255);
  let budget = PIXEL_BUDGET;
  for (let at = 0; at < mesh.length; at += 9) {
    const triangle = seen.subarray(at, at + 9);
    const [ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0, cx = 0, cy = 0, cz = 0] = triangle;
    const left = Math.max(0, Math.floor(Math.min(ax, bx, cx)));
    const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx)));
    const top = Math.max(0, Math.floor(Math.min(ay, by, cy)));
    const bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by, cy)));
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    budget -= (right - left + 1) * (bottom - top + 1);
    if (budget < 0) throw new FileProblem('The triangles of this model overlap too often to be drawn.');
    if (area === 0) continue;
    // Triangles seen from behind are lit as well: many programs turn some of them the wrong way round.
    const shade = 0.35 + 0.65 * Math.abs(dot(normalOf(mesh.subarray(at, at + 9)), light));
    const colour = colours?.[at / 9] ?? PLAIN;
    for (let y = top; y <= bottom; y++)
      for (let x = left; x <= right; x++) {
        const [px, py] = [x + 0.5, y + 0.5];
        const b = ((px - ax) * (cy - ay) - (cx - ax) * (py - ay)) / area;
        const c = ((bx - ax) * (py - ay) - (px - ax) * (by - ay)) / area;
        if (b < 0 || c < 0 || b + c > 1) continue;
        const depth = az + b * (bz - az) + c * (cz - az);
        const place = y * width + x;
        if (depth >= (depths[place] ?? 0)) continue;
        depths[place] = depth;
        for (let channel = 0; channel < 3; channel++)
          pixels[place * 3 + channel] = (colour[channel] ?? 0) * shade;
      }
  }
  const info = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize(WIDTH, HEIGHT)
    .webp({ quality: 85, effort: 3 })
    .toFile(path);
  return { width: info.width, height: info.height };
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

function dot([ax, ay, az]: Vector, [bx, by, bz]: Vector): number {
  return ax * bx + ay * by + az * bz;
}

function cross([ax, ay, az]: Vector, [bx, by, bz]: Vector): Vector {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

function unit(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}
