// @module-tag whole

import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { SECRET } from './files.ts';
import { buildFileMaker } from './make-build-file.ts';
import { cube3mf, cubeMesh, model3mf } from './models.ts';

const make = buildFileMaker();
const MATERIAL = 'xmlns:m="http://schemas.microsoft.com/3dmanufacturing/material/2015/02"';

const materials = `<basematerials id="5"><base name="${SECRET}" displaycolor="#E02020"/><base name="${SECRET}" displaycolor="#2040e080"/></basematerials>`;
const inks = `<m:colorgroup ${MATERIAL} id="6"><m:color color="#10C010"/><m:color color="#F0F000"/></m:colorgroup>`;
/** A cube whose first triangles have what is given, one each. */
const painted = (id: number, attributes: string, ...triangles: string[]) => {
  let index = 0;
  const mesh = cubeMesh.replaceAll('<triangle ', () => `<triangle ${triangles[index++] ?? ''} `);
  return `<object id="${id}" ${attributes}>${mesh}</object>`;
};

async function rewritten(resources: string, build = '<item objectid="1"/>') {
  const { contents, file } = await make(cube3mf(model3mf(resources, build)));
  const [written = Buffer.alloc(0), picture, mesh = Buffer.alloc(0)] = contents;
  const model = Buffer.from(unzipSync(written)['3D/3dmodel.model'] ?? []).toString();
  return { written, model, picture, mesh, facts: file?.facts };
}

/** Pixels of the picture that are this colour rather than another. */
async function pixelsOf(
  picture: Buffer | undefined,
  is: (red: number, green: number, blue: number) => boolean,
) {
  const { data } = await sharp(picture).resize(200).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let at = 0; at < data.length; at += 3)
    if (is(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) count++;
  return count;
}
const isRed = (red: number, green: number, blue: number) => red > 2 * green && red > 2 * blue;
const isBlue = (red: number, green: number, blue: number) => blue > 1.3 * red && blue > 1.3 * green;

test('parts of two materials keep them in the file, in its picture and in what the viewer reads', async () => {
  const { model, written, picture, mesh, facts } = await rewritten(
    materials + painted(1, 'pid="5" pindex="0"') + painted(2, 'pid="5" pindex="1"'),
    '<item objectid="1"/><item objectid="2" transform="1 0 0 0 1 0 0 0 1 30 0 0"/>',
  );
  expect(facts).toMatchObject({ triangles: 24, parts: 2, colours: 2 });
  // Names are the author's.
  expect(model).not.toContain(SECRET);
  expect(model).toContain(
    '<base name="#E02020" displaycolor="#E02020"/><base name="#2040E080" displaycolor="#2040E080"/>',
  );
  expect([...model.matchAll(/<object [^>]*pid="1" pindex="(\d)"/g)].map(([, index]) => index)).toEqual([
    '0',
    '1',
  ]);
  expect(await pixelsOf(picture, isRed)).toBeGreaterThan(500);
  expect(await pixelsOf(picture, isBlue)).toBeGreaterThan(500);
  expect(mesh.toString('latin1', 0, 6)).toBe('COLOR=');
  // Five bits each of blue, green and red, of the first triangle of each part.
  expect([mesh.readUInt16LE(84 + 48), mesh.readUInt16LE(84 + 12 * 50 + 48)]).toEqual([
    (4 << 10) | (4 << 5) | 28,
    (28 << 10) | (8 << 5) | 4,
  ]);
  // What was written is read again as the same.
  const again = await make(written);
  const { leftOut: _, ...kept } = facts ?? {};
  expect(again.file?.facts).toEqual(kept);
  expect(
    Buffer.from(unzipSync(again.contents[0] ?? Buffer.alloc(0))['3D/3dmodel.model'] ?? []).toString(),
  ).toBe(model);
});

test('a triangle keeps its own material, and its corners their own colours', async () => {
  const { model, facts } = await rewritten(
    materials + inks + painted(1, 'pid="5" pindex="0"', 'pid="5" p1="1"', 'pid="6" p1="0" p2="1" p3="0"'),
  );
  expect(facts).toMatchObject({ colours: 4 });
  const colours = [...model.matchAll(/<triangle [^>]*?(pid="[^/]*)\/>/g)].map(([, colour]) => colour);
  expect(colours.slice(0, 3)).toEqual(['pid="1" p1="1"', 'pid="2" p1="0" p2="1" p3="0"', 'pid="1" p1="0"']);
  expect(model).toMatch(
    /<m:colorgroup id="2" xmlns:m="[^"]*"><m:color color="#10C010"\/><m:color color="#F0F000"\/>/,
  );
});

test('a component keeps the colours of its parts', async () => {
  const { model } = await rewritten(
    `${materials}${painted(7, 'pid="5" pindex="1"')}<object id="1"><components><component objectid="7"/></components></object>`,
  );
  expect(model).toMatch(/<object id="3" type="model" pid="1" pindex="1">/);
});

test('a model without colours has none, and the viewer gives it its own', async () => {
  const { model, mesh, facts } = await rewritten(painted(1, ''));
  expect(model).not.toMatch(/pid|basematerials|colorgroup/);
  expect(mesh.subarray(0, 80).every((byte) => byte === 0)).toBe(true);
  expect(facts).toMatchObject({ triangles: 12, dimensions: [20, 20, 20], parts: 1, unit: 'millimeter' });
  expect(facts).not.toHaveProperty('colours');
});

test.each<[string, string, string[]]>([
  [
    'a texture',
    `<m:texture2dgroup ${MATERIAL} id="5" texid="9"><m:tex2coord u="0" v="0"/></m:texture2dgroup>${painted(1, '', 'pid="5" p1="0"')}`,
    ['print settings', 'textures and mixed materials'],
  ],
  [
    'what a slicer painted',
    painted(1, '', 'paint_color="8"'),
    ['colours painted in a slicer', 'print settings'],
  ],
])('%s is left out, and said to be', async (_name, resources, leftOut) => {
  const { model, facts } = await rewritten(resources);
  expect(facts).toMatchObject({ triangles: 12, leftOut });
  expect(model).not.toMatch(/texture|paint/);
});

test.each<[string, string, RegExp]>([
  [
    'a colour that does not exist',
    materials + painted(1, 'pid="5" pindex="9"'),
    /colour that does not exist/,
  ],
  ['a colour at no place', materials + painted(1, 'pid="5" pindex="-1"'), /colour that does not exist/],
  [
    'a colour that is markup',
    `<basematerials id="5"><base name="x" displaycolor="&quot;/>&lt;evil"/></basematerials>${painted(1, '')}`,
    /cannot be read/,
  ],
  [
    'a colour outside of a group',
    `<base name="x" displaycolor="#000000"/>${painted(1, '')}`,
    /cannot be read/,
  ],
  [
    '20,000 colours',
    `<basematerials id="5">${'<base name="x" displaycolor="#000000"/>'.repeat(20_000)}</basematerials>${painted(1, '')}`,
    /more than 10000 colours|too large when unpacked/,
  ],
])('a 3MF with %s is refused with the reason', async (_name, resources, reason) => {
  await expect(rewritten(resources)).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(reason),
  });
  expect((await rewritten(materials + painted(1, 'pid="5" pindex="1"'))).facts).toMatchObject({ colours: 2 });
});
