import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { makeFile } from '../media/files/make-file.ts';
import { makeImages } from '../media/image.ts';
import { compare, type Subject } from './parts/runner.ts';

// What large drawings and models of some megabytes cost the media worker, in milliseconds of processor time, beside a
// photograph of twelve megapixels.
const folder = mkdtempSync(join(tmpdir(), 'limb-commons-bench-'));
const pair = (code: number, value: string | number) => `${code}\n${value}\n`;
const grid = <T>(count: number, make: (x: number, y: number, index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index % 300, Math.floor(index / 300), index));

const dxf = (entities: string[]) =>
  `${pair(0, 'SECTION')}${pair(2, 'ENTITIES')}${entities.join('')}${pair(0, 'ENDSEC')}${pair(0, 'EOF')}`;
const line = (x: number, y: number, layer: number) =>
  pair(0, 'LINE') +
  pair(8, `L${layer}`) +
  pair(62, 1 + layer) +
  pair(10, x) +
  pair(20, y) +
  pair(11, x + 0.9) +
  pair(21, y + 0.5);
const circle = (x: number, y: number) =>
  pair(0, 'CIRCLE') + pair(8, 0) + pair(10, x) + pair(20, y) + pair(40, 0.4);

function svg(elements: string[]): string {
  const head = '<svg xmlns="http://www.w3.org/2000/svg" width="300mm" height="300mm" viewBox="0 0 300 300">';
  return `${head}${elements.join('')}</svg>`;
}

async function pdf(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= pages; number++) {
    const page = document.addPage([595, 842]);
    for (let row = 0; row < 50; row++)
      page.drawText(`${number}.${row} The socket is laminated with two layers of carbon fibre and trimmed`, {
        x: 50,
        y: 800 - row * 15,
        size: 11,
        font,
      });
  }
  return document.save();
}

/** A tube along X of 200,000 triangles. */
function stl(): Buffer {
  const [around, along] = [100, 1000];
  const bytes = Buffer.alloc(84 + around * along * 2 * 50);
  bytes.writeUInt32LE(around * along * 2, 80);
  const corner = (turn: number, step: number) => {
    const angle = (turn / around) * 2 * Math.PI;
    return [step * 0.4, 15 * Math.cos(angle), 15 * Math.sin(angle)];
  };
  let at = 84;
  for (let step = 0; step < along; step++)
    for (let turn = 0; turn < around; turn++) {
      const [a, b, c, d] = [
        corner(turn, step),
        corner(turn, step + 1),
        corner(turn + 1, step + 1),
        corner(turn + 1, step),
      ];
      for (const corners of [
        [a, b, c],
        [a, c, d],
      ]) {
        for (const [index, value] of corners.flat().entries()) bytes.writeFloatLE(value, at + 12 + index * 4);
        at += 50;
      }
    }
  return bytes;
}

function subject(name: string, content: string | Uint8Array, make: typeof makeFile = makeFile): Subject {
  const path = join(folder, name.replaceAll(/\W/g, '-'));
  writeFileSync(path, content);
  const size = (Buffer.byteLength(content) / 1e6).toFixed(1);
  return {
    name: `${name}, ${size} MB`,
    run: async () => {
      const before = process.cpuUsage();
      await make(path, folder);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    },
  };
}

try {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const photograph = await sharp({
    create: { width: 4000, height: 3000, channels: 3, background: '#888', noise },
  })
    .blur(2)
    .jpeg()
    .toBuffer();
  await compare('files', 'ms of processor', [
    subject('a photograph', photograph, makeImages),
    subject(
      'DXF of 84,000 lines',
      dxf(grid(84_000, (x, y, index) => line(x, y, Math.floor(index / 28_000)))),
    ),
    subject(
      'DXF of lines of three layers in turn',
      dxf(grid(84_000, (x, y, index) => line(x, y, index % 3))),
    ),
    subject('DXF of 60,000 circles', dxf(grid(60_000, circle))),
    subject(
      'SVG of 60,000 strokes',
      svg(grid(60_000, (x, y) => `<path d="M${x} ${y}l.9.5" stroke="red" stroke-width=".1"/>`)),
    ),
    subject(
      'SVG of a line of 200,000 corners',
      svg([
        `<path d="${grid(200_000, (_x, _y, index) => `${index === 0 ? 'M' : 'L'}${(150 + Math.cos(index / 500) * (140 - index / 2000)).toFixed(3)} ${(150 + Math.sin(index / 500) * (140 - index / 2000)).toFixed(3)}`).join('')}" fill="none" stroke="blue" stroke-width=".1"/>`,
      ]),
    ),
    subject('PDF of 10 pages', await pdf(10)),
    subject('STL of 200,000 triangles', stl()),
  ]);
} finally {
  rmSync(folder, { recursive: true });
}
