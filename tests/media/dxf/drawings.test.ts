import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { SECRET } from '../files.ts';
import { buildFileMaker } from '../make-build-file.ts';
import {
  areaOf,
  circle,
  circleOfWeights,
  drawing,
  insert,
  lightPolyline,
  line,
  shapesOf,
  spline,
  type Written,
} from './drawings.ts';

const make = buildFileMaker();

async function rewritten(sent: string) {
  const { contents, file } = await make(sent);
  const [written, picture] = contents;
  return {
    text: String(written),
    shapes: shapesOf(String(written)),
    facts: file?.facts,
    pageTexts: file?.pageTexts,
    picture,
  };
}

/** In millimetres; what the drawing says it keeps to. */
const TOLERANCE = 0.01;
/** A straight slot of length 40 between its centres, and 10 wide. */
const slot = lightPolyline(
  [
    [0, -5],
    [40, -5, 1],
    [40, 5],
    [0, 5, 1],
  ],
  true,
);
const farthest = ({ points }: Written, from: (x: number, y: number) => number) =>
  Math.max(...points.map(([x, y]) => Math.abs(from(x, y))));
/** The distance of the middles of its lines from what they stand for. */
const sagging = ({ points }: Written, from: (x: number, y: number) => number) =>
  Math.max(
    ...points.slice(1).map(([x, y], index) => {
      const [beforeX = 0, beforeY = 0] = points[index] ?? [];
      return Math.abs(from((x + beforeX) / 2, (y + beforeY) / 2));
    }),
  );

describe('curves of a DXF', { tags: 'whole' }, () => {
  test('a spline with weights is the circle that it describes, within a hundredth of a millimetre', async () => {
    const { shapes, facts } = await rewritten(drawing({ entities: circleOfWeights(30) }));
    expect(facts).toMatchObject({ dimensions: [60, 60] });
    const [shape] = shapes;
    if (!shape) throw new Error('nothing was written');
    expect(shape.type).toBe('POLYLINE');
    const off = (x: number, y: number) => Math.hypot(x, y) - 30;
    expect(farthest(shape, off)).toBeLessThan(1e-6);
    expect(sagging(shape, off)).toBeLessThan(TOLERANCE);
    expect(areaOf(shape)).toBeCloseTo(Math.PI * 900, -1);
  });

  test('a cubic spline as Inkscape writes it is its Bézier curve', async () => {
    const control = [
      [0, 0],
      [0, 40],
      [60, 40],
      [60, 0],
    ];
    const sent = drawing({ entities: spline({ degree: 3, knots: [0, 0, 0, 0, 1, 1, 1, 1], control }) });
    const { shapes, facts } = await rewritten(sent);
    // The top of this curve lies at three quarters of the height of its frame.
    expect(facts).toMatchObject({ dimensions: [60, 30] });
    expect(shapes[0]?.points.at(0)).toEqual([0, 0]);
    expect(shapes[0]?.points.at(-1)).toEqual([60, 0]);
    expect(shapes[0]?.isClosed).toBe(false);
  });

  test.each<[string, (string | number)[], [number, number], boolean]>([
    ['a whole ellipse', [11, 40, 21, 0, 31, 0, 40, 0.5, 41, 0, 42, 2 * Math.PI], [80, 40], true],
    [
      'a whole ellipse with few digits',
      [11, 0, 21, 40, 31, 0, 40, 0.5, 41, 0, 42, 6.2831853],
      [40, 80],
      true,
    ],
    ['a quarter of an ellipse', [11, 40, 21, 0, 31, 0, 40, 0.5, 41, 0, 42, Math.PI / 2], [40, 20], false],
    [
      'an ellipse that runs over its start',
      [11, 40, 21, 0, 31, 0, 40, 0.5, 41, 4.71238898, 42, 0],
      [40, 20],
      false,
    ],
  ])('%s has its size', async (_name, more, dimensions, isClosed) => {
    const { shapes, facts } = await rewritten(
      drawing({ entities: [0, 'ELLIPSE', 8, 0, 10, 5, 20, 5, 30, 0, ...more] }),
    );
    expect(facts).toMatchObject({ dimensions });
    expect(shapes[0]).toMatchObject({ type: 'POLYLINE', isClosed });
    const isUpright = dimensions[1] === 80;
    const off = (x: number, y: number) => {
      const [a, b] = isUpright ? [20, 40] : [40, 20];
      return (Math.hypot((x - 5) / a, (y - 5) / b) - 1) * Math.min(a, b);
    };
    if (shapes[0]) expect(sagging(shapes[0], off)).toBeLessThan(TOLERANCE);
  });

  test('a polyline keeps its bulges, and is measured with them', async () => {
    const { shapes, facts } = await rewritten(drawing({ entities: slot }));
    expect(facts).toMatchObject({ dimensions: [50, 10] });
    expect(shapes).toMatchObject([{ type: 'POLYLINE', isClosed: true, bulges: [1, 1] }]);
    expect(shapes[0]?.points).toEqual([
      [0, -5],
      [40, -5],
      [40, 5],
      [0, 5],
    ]);
  });

  test('in inches the curves are as fine', async () => {
    const { shapes, facts } = await rewritten(drawing({ entities: circleOfWeights(2), unit: 1 }));
    expect(facts).toMatchObject({ dimensions: [101.6, 101.6], unit: 1 });
    if (shapes[0])
      expect(sagging(shapes[0], (x, y) => (Math.hypot(x, y) - 2) * 25.4)).toBeLessThan(TOLERANCE);
  });
});

describe('blocks of a DXF', { tags: 'whole' }, () => {
  const hole = { HOLE: circle(10, 0, 2) };

  test('a block is placed, turned, enlarged and repeated', async () => {
    const grid = insert('hole', [10, 100, 20, 50, 41, 2, 42, 2, 50, 90, 70, 3, 71, 2, 44, 20, 45, 30]);
    const { shapes, facts } = await rewritten(drawing({ entities: grid, blocks: hole }));
    expect(shapes).toHaveLength(6);
    const places = shapes.map(({ type, radius, points: [[x = 0, y = 0] = []] }) => [
      type,
      radius,
      Math.round(x * 1e6) / 1e6,
      Math.round(y * 1e6) / 1e6,
    ]);
    // A quarter turn takes columns upwards and rows to the left; the hole itself lies 20 above its place.
    expect(places).toEqual(
      [0, 1].flatMap((row) => [0, 1, 2].map((column) => ['CIRCLE', 4, 100 - 30 * row, 70 + 20 * column])),
    );
    expect(facts).toMatchObject({ dimensions: [38, 48] });
  });

  test('a block in a block is placed by both', async () => {
    const blocks = { ...hole, PAIR: [...insert('HOLE'), ...insert('HOLE', [10, 30, 50, 180])] };
    const { shapes } = await rewritten(drawing({ entities: insert('PAIR', [20, 5, 41, -1]), blocks }));
    expect(shapes.map(({ points }) => points[0]?.map((value) => Math.round(value * 1e6) / 1e6))).toEqual([
      [-10, 5],
      [-20, 5],
    ]);
  });

  test('a mirrored block turns its arcs and bulges round', async () => {
    const arc = [0, 'ARC', 8, 0, 10, 0, 20, 0, 40, 10, 50, 0, 51, 90];
    const blocks = { SIDE: [...arc, ...slot] };
    const { shapes, facts } = await rewritten(drawing({ entities: insert('SIDE', [41, -1]), blocks }));
    expect(shapes[0]).toMatchObject({ type: 'ARC', angles: [90, 180] });
    expect(shapes[1]?.bulges).toEqual([-1, -1]);
    expect(facts).toMatchObject({ dimensions: [50, 15] });
  });

  test('a stretched block makes ellipses of its circles and arcs', async () => {
    const blocks = { WIDE: [...circle(0, 0, 10), ...slot] };
    const { shapes, facts } = await rewritten(drawing({ entities: insert('WIDE', [41, 3]), blocks }));
    expect(shapes.map(({ type, isClosed }) => [type, isClosed])).toEqual([
      ['POLYLINE', true],
      ['POLYLINE', true],
    ]);
    const [ellipse] = shapes;
    if (ellipse)
      expect(sagging(ellipse, (x, y) => (Math.hypot(x / 30, y / 10) - 1) * 10)).toBeLessThan(TOLERANCE);
    // The slot reaches from three times -5 to three times 45, the ellipse to -30.
    expect(facts).toMatchObject({ dimensions: [165, 20] });
    expect(shapes[1]?.bulges).toEqual([]);
  });

  test('words in a block are mirrored and stretched with it', async () => {
    const blocks = { NOTE: [0, 'TEXT', 8, 0, 10, 5, 20, 0, 40, 4, 1, 'FRONT'] };
    const entities = [...insert('NOTE', [41, -2]), ...insert('NOTE', [42, -1]), ...line(0, 0, 9, 9)];
    const { text, facts } = await rewritten(drawing({ entities, blocks }));
    const word = (turn: number, ...more: string[]) =>
      ['0\nTEXT', '8\nCUT', '10\n-?\\d+', '20\n-?0', '40\n4', '1\nFRONT', `50\n${turn}`, ...more].join('\n');
    // A turn by half, and upside down along the line.
    expect(text).toMatch(new RegExp(word(180, '41\n2', '71\n4')));
    expect(text).toMatch(new RegExp(word(0, '71\n4')));
    expect(facts).not.toHaveProperty('leftOut');
  });

  test('what is drawn on its back is mirrored as its program shows it', async () => {
    const entities = [...circle(10, 0, 2), 210, 0, 220, 0, 230, -1];
    const { shapes } = await rewritten(drawing({ entities: [...entities, ...line(0, 0, 1, 1)] }));
    expect(shapes[0]?.points[0]).toEqual([-10, 0]);
  });
});

test('a drawing far from its origin is drawn as sharply as one at it', async () => {
  const at = (x: number) =>
    drawing({ entities: [...circle(x + 20, x + 20, 10), ...line(x, x, x + 60, x + 40)] });
  const [near, far] = await Promise.all([rewritten(at(0)), rewritten(at(5_000_000))]);
  expect(await sharp(far.picture).raw().toBuffer()).toEqual(await sharp(near.picture).raw().toBuffer());
});

test('letters that the image cannot show are named', async () => {
  const entities = [...line(0, 0, 10, 10), 0, 'TEXT', 8, 0, 10, 0, 20, 0, 40, 2, 1, 'Bein \\U+811A'];
  const { text, facts } = await rewritten(drawing({ entities }));
  expect(text).toContain('Bein \\U+811A');
  expect(facts).toMatchObject({ leftOut: ['some letters in the image'] });
});

test('texts of one and of several lines stay words, without the codes that style them', async () => {
  const entities = [
    ...line(0, 0, 100, 100),
    ...[0, 'TEXT', 8, 0, 10, 5, 20, 5, 40, 4, 1, 'Bore %%c6 at 45%%d'],
    ...[
      0,
      'MTEXT',
      8,
      0,
      10,
      5,
      20,
      50,
      40,
      5,
      71,
      1,
      3,
      '{\\fArial|b1;Cut two}\\PSki',
      1,
      've to 2 mm \\U+00B1 0.5',
    ],
    ...[101, 'Embedded Object', 40, 99],
  ];
  const { shapes, pageTexts, picture } = await rewritten(drawing({ entities }));
  // In them details of persons are looked for.
  expect(pageTexts).toEqual(['CUT\nBore Ø6 at 45°\nCut two\nSkive to 2 mm ± 0.5']);
  expect(shapes.slice(1).map(({ type, text, radius, points }) => [type, text, radius, points[0]])).toEqual([
    ['TEXT', 'Bore %%c6 at 45%%d', 4, [5, 5]],
    ['TEXT', 'Cut two', 5, [5, 45]],
    ['TEXT', 'Skive to 2 mm %%p 0.5', 5, [5, expect.closeTo(36.667, 3)]],
  ]);
  expect((await sharp(picture).stats()).channels[0]?.min).toBeLessThan(120);
});

test('layers keep their names, and what is not an outline is left out and named', async () => {
  const blocks = { NOTE: [...line(0, 0, 5, 5, '0')] };
  const { shapes, text, facts } = await rewritten(
    drawing({
      layers: { CUT: 7, SECRETS: -7 },
      blocks,
      entities: [
        ...line(0, 0, 100, 0),
        ...line(0, 0, 0, 50, 'ENGRAVE'),
        ...line(0, 0, 900, 900, 'SECRETS'),
        ...[0, 'HATCH', 8, 'CUT', 2, SECRET, 91, 1, 10, 0, 20, 0],
        ...[0, 'DIMENSION', 8, 'CUT', 1, SECRET, 10, 0, 20, 0],
        ...[0, 'TEXT', 67, 1, 8, 'CUT', 10, 900, 20, 900, 40, 9, 1, SECRET],
        ...insert('NOTE', [8, 'ENGRAVE']),
      ],
    }),
  );
  expect(facts).toEqual({
    dimensions: [100, 50],
    layers: 2,
    unit: 4,
    leftOut: ['dimensions', 'hatching', 'hidden parts', 'sheet layout'],
  });
  expect(shapes.map(({ type, layer }) => [type, layer])).toEqual([
    ['LINE', 'CUT'],
    ['LINE', 'ENGRAVE'],
    // The block takes the layer on which it is placed.
    ['LINE', 'ENGRAVE'],
  ]);
  expect(text).not.toContain(SECRET);
  // What was written is the same again, and nothing is left out any more.
  const again = await rewritten(text);
  expect(again.text).toBe(text);
  expect(again.facts).toEqual({ dimensions: [100, 50], layers: 2, unit: 4 });
});

describe('a hostile DXF', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `B${index}`,
      [...insert(`B${index + 1}`), ...insert(`B${index + 1}`, [10, 1])],
    ]),
  );
  const curve = (more: Partial<Parameters<typeof spline>[0]>) =>
    drawing({
      entities: spline({
        degree: 2,
        knots: [0, 0, 0, 1, 1, 1],
        control: [
          [0, 0],
          [5, 9],
          [9, 0],
        ],
        ...more,
      }),
    });
  test.each<[string, () => string, RegExp]>([
    [
      'a block that contains itself',
      () => drawing({ entities: insert('A'), blocks: { A: insert('A') } }),
      /contain themselves/,
    ],
    [
      'two blocks that contain each other',
      () => drawing({ entities: insert('A'), blocks: { A: insert('B'), B: insert('A') } }),
      /contain themselves/,
    ],
    [
      'a chain of 2⁴⁰ lines',
      () => drawing({ entities: insert('B0'), blocks: { ...chain, B40: line(0, 0, 1, 1) } }),
      /more than 200000/,
    ],
    [
      'a chain of 2⁴⁰ empty blocks',
      () => drawing({ entities: insert('B0'), blocks: { ...chain, B40: [] } }),
      /more than 200000/,
    ],
    [
      'an array of 10⁹ blocks',
      () =>
        drawing({
          entities: insert('A', [70, 1e9, 71, 1, 44, 1]),
          blocks: { A: line(0, 0, 1, 1) },
        }),
      /more than 200000/,
    ],
    [
      'arrays of large polylines',
      () =>
        drawing({
          entities: insert('A', [70, 100, 71, 100, 44, 1]),
          blocks: {
            A: lightPolyline(
              Array.from({ length: 9000 }, (_, index) => [index, index % 7]),
              false,
            ),
          },
        }),
      /more than 200000/,
    ],
    [
      'an array of minus one',
      () => drawing({ entities: insert('A', [70, -1]), blocks: { A: [] } }),
      /more than/,
    ],
    ['a block it does not hold', () => drawing({ entities: insert('NONE') }), /does not contain/],
    [
      'a block named like a part of objects',
      () => drawing({ entities: insert('__proto__') }),
      /does not contain/,
    ],
    [
      'a block of another file',
      () => drawing({ entities: insert('A'), blocks: { A: [1, '/etc/passwd', ...line(0, 0, 1, 1)] } }),
      /needs another file/,
    ],
    [
      'a block at no place',
      () => drawing({ entities: insert('A', [50, 'NaN']), blocks: { A: line(0, 0, 1, 1) } }),
      /cannot be read \(“NaN”\)/,
    ],
    [
      'a block without size',
      () => drawing({ entities: insert('A', [41, 0]), blocks: { A: line(0, 0, 1, 1) } }),
      /empty without its parts without size/,
    ],
    [
      'a block enlarged beyond numbers',
      () => drawing({ entities: insert('A', [41, 1e308, 42, 1e308]), blocks: { A: circle(9, 9, 1e9) } }),
      /100 metres|number is missing/,
    ],
    ['a spline of degree 99', () => curve({ degree: 99 }), /spline .* damaged/],
    ['a spline of degree 0', () => curve({ degree: 0 }), /spline .* damaged/],
    ['a spline with falling knots', () => curve({ knots: [0, 0, 1, 0, 1, 1] }), /spline .* damaged/],
    ['a spline of one knot', () => curve({ knots: [1, 1, 1, 1, 1, 1] }), /spline .* damaged/],
    ['a spline with too few knots', () => curve({ knots: [0, 1] }), /spline .* damaged/],
    [
      'a spline whose knot is no number',
      () => curve({ knots: [0, 0, 0, 'x', 1, 1] }),
      /cannot be read \(“x”\)/,
    ],
    ['a spline with a weight of minus one', () => curve({ weights: [1, -1, 1] }), /spline .* damaged/],
    [
      'a spline of 100 km that winds',
      () =>
        curve({
          control: [
            [0, 0],
            [1e8, 1e8],
            [0, 1],
          ],
        }),
      /more than 200000|100 metres|damaged/,
    ],
    [
      'a spline of points it runs through',
      () =>
        drawing({
          entities: [0, 'SPLINE', 8, 0, 70, 8, 71, 3, 74, 3, 11, 0, 21, 0, 11, 5, 21, 5, 11, 9, 21, 0],
        }),
      /Turn it into a polyline/,
    ],
    ['a circle of radius -1', () => drawing({ entities: circle(0, 0, -1) }), /damaged/],
    [
      'a tilted circle',
      () => drawing({ entities: [...circle(0, 0, 9), 210, 0, 220, 1, 230, 0] }),
      /not flat/,
    ],
    [
      'a line into space',
      () => drawing({ entities: [0, 'LINE', 8, 0, 10, 0, 20, 0, 30, 0, 11, 9, 21, 9, 31, 9] }),
      /not flat/,
    ],
    ['a solid body', () => drawing({ entities: [0, '3DSOLID', 8, 0, 1, 'x'] }), /upload the shape as STL/],
    ['an unknown part', () => drawing({ entities: [0, 'ACAD_TABLE', 8, 0] }), /ACAD_TABLE parts.*Explode/],
    ['a picture', () => drawing({ entities: [0, 'IMAGE', 8, 0] }), /empty without its images/],
    ['hatching alone', () => drawing({ entities: [0, 'HATCH', 8, 0, 91, 1] }), /empty without its hatching/],
    [
      '600 kinds of parts',
      () => drawing({ entities: Array.from({ length: 600 }, (_, index) => [0, `X${index}`]).flat() }),
      /X0 parts/,
    ],
  ])('%s is refused with the reason', async (_name, sent, reason) => {
    await expect(make(sent())).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(reason),
    });
  });

  test('the worker that refused all of these reads the next file', async () => {
    expect((await make(drawing({ entities: slot }))).file?.facts).toMatchObject({ dimensions: [50, 10] });
  });
});
