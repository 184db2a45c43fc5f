// @module-tag whole

import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { buildFileMaker } from './make-build-file.ts';
import { cube3mf, cubeMesh, cubeObject, model3mf } from './models.ts';
import { stepMapped } from './step-models.ts';

const make = buildFileMaker();

/** The volume of a binary STL; less than 0 where its outside is inside. */
function volumeOf(stl: Buffer | undefined): number {
  let volume = 0;
  for (let at = 84; stl && at < stl.length; at += 50) {
    const [ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0, cx = 0, cy = 0, cz = 0] = Array.from(
      { length: 9 },
      (_, index) => stl.readFloatLE(at + 12 + index * 4),
    );
    volume += (ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx)) / 6;
  }
  return Math.round(volume);
}

/** The corners of a text STL by one number after the other, of a tetrahedron whose faces look this way. */
const tetrahedron = (isOutside: boolean, faces = 4) => {
  const corners = ['0 0 0', '10 0 0', '0 20 0', '0 0 30'];
  const sides = [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ];
  return sides
    .slice(0, faces)
    .map((side) => (isOutside ? side : side.toReversed()))
    .map(
      (side) =>
        `facet normal 0 0 0\nouter loop\n${side.map((index) => `vertex ${corners[index]}\n`).join('')}endloop\nendfacet\n`,
    )
    .join('');
};
const textStl = (facets: string) => `solid x\n${facets}endsolid x\n`;

const mirrored = (x = 0) => `transform="-1 0 0 0 1 0 0 0 1 ${x} 0 0"`;
const holding = (id: number, inner: number, transform = '') =>
  `<object id="${id}"><components><component objectid="${inner}" ${transform}/></components></object>`;

describe('a part of a 3MF that is mirrored', () => {
  test.each([
    ['where it is built', cubeObject, `<item objectid="1" ${mirrored(50)}/>`],
    [
      'twice, by an item of a component',
      cubeObject + holding(2, 1, mirrored()),
      `<item objectid="2" ${mirrored()}/>`,
    ],
    ['in a component', cubeObject + holding(2, 1, mirrored(50)), '<item objectid="2"/>'],
    [
      'in a component of a component',
      cubeObject +
        holding(2, 1, mirrored()) +
        holding(3, 2, 'transform="0 1 0 1 0 0 0 0 1 0 0 0"') +
        holding(4, 3, mirrored()),
      '<item objectid="4"/>',
    ],
    ['by three axes', cubeObject, '<item objectid="1" transform="-1 0 0 0 -1 0 0 0 -1 0 0 0"/>'],
    [
      'and stands beside one that is not',
      cubeObject,
      `<item objectid="1" transform="1 0 0 0 1 0 0 0 0.5 0 0 0"/><item objectid="1" transform="1 0 0 0 1 0 0 0 -0.5 50 0 0"/>`,
    ],
  ])('has its outside outside: %s', async (_name, resources, build) => {
    const { contents, file } = await make(cube3mf(model3mf(resources, build)));
    expect(volumeOf(contents[2])).toBe(8000);
    expect(file?.facts).not.toHaveProperty('isInsideOut');
    // So has the file that readers download.
    expect(volumeOf((await make(contents[0] ?? '')).contents[2])).toBe(8000);
  });

  test('keeps the colour of each corner where it was', async () => {
    const inks =
      '<m:colorgroup xmlns:m="http://schemas.microsoft.com/3dmanufacturing/material/2015/02" id="6"><m:color color="#FF0000"/><m:color color="#00FF00"/><m:color color="#0000FF"/></m:colorgroup>';
    const painted = `<object id="1">${cubeMesh.replace('<triangle ', '<triangle pid="6" p1="0" p2="1" p3="2" ')}</object>`;
    const written = async (build: string) => {
      const { contents } = await make(cube3mf(model3mf(inks + painted, build)));
      const model = Buffer.from(
        unzipSync(contents[0] ?? Buffer.alloc(0))['3D/3dmodel.model'] ?? [],
      ).toString();
      const places = [...model.matchAll(/<vertex x="(\S+)" y="(\S+)" z="(\S+)"/g)];
      const [, a = '', b = '', c = '', p = '', q = '', r = ''] =
        /v1="(\d+)" v2="(\d+)" v3="(\d+)" pid="2" p1="(\d)" p2="(\d)" p3="(\d)"/.exec(model) ?? [];
      return Object.fromEntries(
        [a, b, c].map((corner, index) => {
          const [, x, y, z] = places[Number(corner)] ?? [];
          return [`${Math.abs(Number(x))} ${y} ${z}`, [p, q, r][index]];
        }),
      );
    };
    const [plain, turned] = [
      await written('<item objectid="1"/>'),
      await written(`<item objectid="1" ${mirrored()}/>`),
    ];
    expect(Object.keys(plain)).toHaveLength(3);
    expect(turned).toEqual(plain);
  });

  test('to nothing is refused', async () => {
    await expect(
      make(cube3mf(model3mf(cubeObject, '<item objectid="1" transform="0 0 0 0 0 0 0 0 0 0 0 0"/>'))),
    ).rejects.toMatchObject({ status: 422, message: expect.stringContaining('makes flat') });
  });
});

describe('a model that was mirrored before', () => {
  test('is said to be inside out, as an STL and as a 3MF', async () => {
    expect((await make(textStl(tetrahedron(false)))).file?.facts).toMatchObject({ isInsideOut: true });
    expect((await make(textStl(tetrahedron(true)))).file?.facts).not.toHaveProperty('isInsideOut');
    const inside = cubeObject.replaceAll(/v1="(\d)" v2="(\d)"/g, 'v1="$2" v2="$1"');
    expect((await make(cube3mf(model3mf(inside)))).file?.facts).toMatchObject({ isInsideOut: true });
  });

  test('and far from the origin as well', async () => {
    const far = tetrahedron(false).replaceAll(/vertex (\d+)/g, (_, x) => `vertex ${Number(x) + 90_000}`);
    expect((await make(textStl(far))).file?.facts).toMatchObject({ isInsideOut: true });
  });

  test('unless it is an open surface, which has no inside', async () => {
    for (const isOutside of [true, false])
      expect((await make(textStl(tetrahedron(isOutside, 3)))).file?.facts).not.toHaveProperty('isInsideOut');
  });
});

describe('a part of a STEP file that is mirrored or scaled where it is placed', () => {
  test.each<[string, Parameters<typeof stepMapped>[0]]>([
    ['mirrored', { across: [-1, 0, 0] }],
    ['scaled', { scale: '2.' }],
    ['written with fewer values than the format has', { texts: "''," }],
  ])('is refused, since its picture would be another: %s', async (_name, change) => {
    await expect(make(stepMapped(change))).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('is mirrored or scaled where it is placed'),
    });
  });

  test('is accepted where it is only turned and moved', async () => {
    expect((await make(stepMapped({}))).file?.facts).toMatchObject({ dimensions: [10, 10, 40] });
  });
});
