// @module-tag whole

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { buildFileMaker } from '../make-build-file.ts';
import { circle, drawing, insert, line, shapesOf } from './drawings.ts';

const make = buildFileMaker();
const WORDS = 'Prothèse Größe Ø12 ±0,5°';
const word = (text: string) => [0, 'TEXT', 8, 'CUT', 10, 0, 20, 5, 40, 4, 1, text];
const written = (text: string, version: string, page?: string) =>
  drawing({ entities: [...line(0, 0, 90, 0), ...word(text)] }).replace(
    'AC1015',
    page ? `${version}\n9\n$DWGCODEPAGE\n3\n${page}` : version,
  );
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const hex = (text: string, version: string, page: string) => {
  const [before = '', after = ''] = written('@@', version, page).split('@@');
  return Buffer.concat([latin1(before), Buffer.from(text, 'hex'), latin1(after)]);
};

describe('letters of a DXF', () => {
  test.each<[string, Buffer | string, string]>([
    ['AutoCAD 2000 in Western Europe', latin1(written(WORDS, 'AC1015', 'ANSI_1252')), WORDS],
    ['AutoCAD 2018', written(WORDS, 'AC1032', 'ANSI_1252'), WORDS],
    ['a script that names no code page', written(WORDS, 'AC1009'), WORDS],
    ['ezdxf, which names a code page and writes UTF-8', written('義足 右', 'AC1015', 'ANSI_932'), '義足 右'],
    ['a new version with old letters', latin1(written(WORDS, 'AC1027', 'ANSI_1252')), WORDS],
    ['AutoCAD in Japan', hex('8b60918a', 'AC1015', 'ANSI_932'), '義足'.replace('足', '相')],
    ['AutoCAD in China', hex('c1aacda8', 'AC1015', 'ANSI_936'), '联通'],
    ['AutoCAD in Russia', hex('cff0eef2e5e7', 'AC1015', 'ANSI_1251'), 'Протез'],
    ['AutoCAD 12 under DOS', hex('8594e1', 'AC1009', 'DOS850'), 'àöß'],
    ['letters by their number', written('\\U+2300 12 \\M+18B60', 'AC1009'), '⌀ 12 義'],
    ['a mark of the byte order', `\ufeff${written(WORDS, 'AC1021')}`, WORDS],
    ['line ends of an old Macintosh', written('Trim', 'AC1009').replaceAll('\n', '\r'), 'Trim'],
    [
      'comments before the drawing',
      `\n999\n${'by a program '.repeat(99)}\n${written('Trim', 'AC1009')}`,
      'Trim',
    ],
  ])('%s', async (_program, sent, words) => {
    const { contents, file } = await make(sent);
    expect(file?.pageTexts).toEqual([`CUT\n${words}`]);
    expect(String(contents[0])).not.toMatch(/[^\0-\x7f]/);
  });

  test.each([
    ['TEXT', '%%c6 %%p0.5 %%D %%129 %%150', 'Ø6 ±0.5 ° Ø –', '%%c6 %%p0.5 %%d %%c \\U+2013'],
    ['TEXT', '50%%% of %%%%%%c, x^ 2^I\\U+2205', '50% of %%c, x^2 ∅', '50% of %%%%%%c, x^2 \\U+2205'],
    ['MTEXT', '%%c6 %%P0.5 %%d^J%%127', 'Ø6 ±0.5 °\n°', '%%c6 %%p0.5 %%d'],
  ])('signs of a %s are read, and written as each program knows them: %s', async (type, sent, read, kept) => {
    const entities = [...line(0, 0, 100, 50), 0, type, 8, 'CUT', 10, 5, 20, 30, 40, 6, 71, 1, 1, sent];
    const { contents, file } = await make(drawing({ entities }));
    expect(file?.pageTexts).toEqual([`CUT\n${read}`]);
    expect(String(contents[0])).toContain(`\n1\n${kept}\n`);
    const again = await make(contents[0] ?? '');
    expect(again.file?.pageTexts).toEqual(file?.pageTexts);
  });

  test.each([
    ['no code page', latin1(written('Größe', 'AC1009'))],
    ['a code page that no one knows', latin1(written('Größe', 'AC1015', 'ANSI_4711'))],
    ['half of a letter', hex('8b', 'AC1015', 'ANSI_932')],
  ])('with %s the sender is told to save it again', async (_name, sent) => {
    await expect(make(sent)).rejects.toThrow(/Some letters .* Save it as DXF 2007 or later/);
  });

  test('a DWG is told from other files', async () => {
    await expect(make(latin1('AC1032\0\0\0\0'))).rejects.toThrow(/This is a DWG\. Save it as DXF/);
  });

  test('a binary DXF is told from other files', async () => {
    await expect(make(latin1('AutoCAD Binary DXF\r\n\x1a\0\0SECTION'))).rejects.toThrow(
      /binary DXF\. Save it as text/,
    );
  });
});

const dashed = [0, 'LTYPE', 2, 'FOLDED', 70, 0, 3, '__ __', 72, 65, 73, 2, 40, 6, 49, 4, 49, -2];
const withTables = (entities: (string | number)[], ...tables: (string | number)[]) =>
  drawing({ entities, blocks: { EYELET: [...circle(0, 0, 5), 62, 0, 6, 'BYBLOCK'] } }).replace(
    '0\nTABLE\n2\nLAYER\n70\n1',
    [0, 'TABLE', 2, 'LTYPE', ...dashed, 0, 'ENDTAB', 0, 'TABLE', 2, 'LAYER', ...tables].join('\n'),
  );
const layer = (name: string, colour: number, lineType = 'CONTINUOUS', more: (string | number)[] = []) => [
  ...[0, 'LAYER', 2, name, 70, 0, 62, colour, 6, lineType],
  ...more,
];

describe('colours and line types of a DXF', () => {
  test('a fold line stays dashed, and a cut line red', async () => {
    const { contents, file } = await make(
      withTables(
        [...line(0, 0, 90, 0, 'Cut'), ...line(0, 9, 90, 9, 'FOLD'), 48, 2, ...insert('EYELET', [62, 3])],
        ...layer('CUT', 1),
        ...layer('FOLD', 5, 'FOLDED'),
      ),
    );
    const text = String(contents[0]);
    expect(file?.facts).toEqual({ dimensions: [95, 14], layers: 2, unit: 4 });
    expect(text).toContain('LTYPE\n2\nFOLDED-2\n70\n0\n3\n\n72\n65\n73\n2\n40\n12\n49\n8\n49\n-4\n');
    expect(text).toContain('LAYER\n2\nCUT\n70\n0\n62\n1\n6\nCONTINUOUS\n');
    expect(text).toContain('LINE\n8\nFOLD\n6\nFOLDED-2\n10\n0\n20\n9\n');
    // The hole takes the colour of the place of its block.
    expect(text).toContain('CIRCLE\n8\nCUT\n62\n3\n');
    const again = await make(text);
    expect(String(again.contents[0])).toBe(text);
    // The picture shows them as well; a pale green is darkened on white paper.
    const pixels = await sharp(contents[1]).removeAlpha().raw().toBuffer();
    const seen = new Set<number>();
    for (let at = 0; at < pixels.length; at += 3) seen.add(pixels.readUIntBE(at, 3));
    expect([...seen]).toEqual(expect.arrayContaining([0xff0000, 0x0000ff]));
    expect([...seen].some((colour) => (colour & 0xff00ff) === 0 && colour > 0x5000)).toBe(true);
  });

  test.each<[string, (string | number)[], (string | number)[], string[]]>([
    ['an exact colour', [420, 0x123456], [], ['exact colours']],
    ['the nearest colour', [420, 0xff0000], [], []],
    ['a black that is exact', [420, 0], [], []],
    ['a wide line', [370, 50], [], ['line widths']],
    ['a thickness', [39, 3], [], ['thicknesses']],
    ['an unknown line type', [6, 'NOWHERE'], [], ['line types']],
    ['transparency', [440, 0x0200007f], [], ['transparency']],
    ['a wide layer', [], layer('CUT', 1, 'CONTINUOUS', [370, 35]), ['line widths']],
    [
      'a line at another height',
      line(0, 0, 5, 5).map((value, at) => (at === 9 || at === 15 ? 7 : value)),
      [],
      ['different heights'],
    ],
    ['a construction line', [0, 'XLINE', 8, 'CUT', 10, 0, 20, 0, 11, 1, 21, 0], [], ['construction lines']],
    ['a circle without size', circle(0, 0, 0), [], ['parts without size']],
    ['a line without size', line(5, 5, 5, 5), [], ['parts without size']],
    [
      'a polyline of one corner',
      [0, 'LWPOLYLINE', 8, 'CUT', 90, 1, 10, 5, 20, 5],
      [],
      ['parts without size'],
    ],
    ['an old polyline without corners', [0, 'POLYLINE', 8, 'CUT', 66, 1], [], ['parts without size']],
    ['an empty text', word(''), [], []],
    ['underlined words', word('%%uTrim%%u'), [], ['text styles']],
    [
      'a stacked fraction',
      [0, 'MTEXT', 8, 'CUT', 10, 0, 20, 20, 40, 3, 1, '2\\S1/2;'],
      [],
      ['stacked texts'],
    ],
  ])('%s is kept or named', async (_name, more, tables, leftOut) => {
    const { file } = await make(withTables([...line(0, 0, 90, 40), ...more], ...tables));
    expect(file?.facts.leftOut ?? []).toEqual(leftOut);
    expect(file?.facts.dimensions).toEqual([90, 40]);
  });

  test('a layer whose name the oldest form cannot write keeps its words for the search', async () => {
    const { contents, file } = await make(drawing({ entities: line(0, 0, 9, 9, 'Pli gravé') }));
    expect(file?.pageTexts).toEqual(['Pli gravé']);
    expect(file?.facts.leftOut).toEqual(['special letters of layer names']);
    expect(shapesOf(String(contents[0]))[0]?.layer).toBe('Pli_grave');
  });
});

describe('where a DXF is drawn', () => {
  const onSheet = [...line(0, 0, 50, 0), 67, 1, ...line(0, 0, 0, 20), 67, 1];

  test('lines on a sheet alone are the drawing', async () => {
    const { file } = await make(drawing({ entities: onSheet }));
    expect(file?.facts).toEqual({ dimensions: [50, 20], layers: 1, unit: 4 });
  });

  test('a sheet beside the drawing is named, and one that is empty is not', async () => {
    const both = await make(drawing({ entities: [...onSheet, ...line(0, 0, 9, 9)] }));
    expect(both.file?.facts).toMatchObject({ dimensions: [9, 9], leftOut: ['sheet layout'] });
    const view = [0, 'VIEWPORT', 67, 1, 8, '0', 10, 0, 20, 0];
    const plain = await make(drawing({ entities: [...view, ...line(0, 0, 9, 9)] }));
    expect(plain.file?.facts).not.toHaveProperty('leftOut');
  });

  test('lines on another sheet are to be moved', async () => {
    await expect(
      make(drawing({ entities: [], blocks: { '*Paper_Space0': line(0, 0, 9, 9) } })),
    ).rejects.toThrow(/Move them to model space/);
  });

  test('a block that is clipped is not shown whole', async () => {
    const held = [
      ...[0, 'SECTION', 2, 'OBJECTS', 0, 'DICTIONARY', 5, 'A1', 3, 'ACAD_FILTER', 360, 'A2'],
      ...[0, 'DICTIONARY', 5, 'A2', 3, 'SPATIAL', 360, 'A3', 0, 'SPATIAL_FILTER', 5, 'A3', 71, 1],
      ...[0, 'ENDSEC', 0, 'EOF'],
    ].join('\n');
    const sent = drawing({
      entities: insert('SOLE', [102, '{ACAD_XDICTIONARY', 360, 'A1', 102, '}']),
      blocks: { SOLE: circle(0, 0, 30) },
    }).replace('0\nEOF', held);
    await expect(make(sent)).rejects.toThrow(/shows a block in part/);
    const released = await make(sent.replace('A3\n71\n1', 'A3\n71\n0'));
    expect(released.file?.facts).toEqual({ dimensions: [60, 60], layers: 1, unit: 4 });
  });

  test('a dimension is drawn, and is no part of the size', async () => {
    const { contents, file } = await make(
      drawing({
        entities: [...line(0, 0, 90, 0), 0, 'DIMENSION', 8, 'SIZES', 2, '*D1', 10, 0, 20, -20],
        blocks: {
          '*D1': [...line(0, -20, 90, -20, '0'), ...word('90 mm'), 0, 'POINT', 8, 'Defpoints', 10, 0, 20, 0],
        },
      }),
    );
    expect(file?.facts).toEqual({ dimensions: [90, 0], layers: 2, unit: 4 });
    expect(shapesOf(String(contents[0])).map(({ type, layer }) => [type, layer])).toEqual([
      ['LINE', 'CUT'],
      ['LINE', 'SIZES'],
      ['TEXT', 'CUT'],
    ]);
  });
});

test('words of several lines are wrapped where they were, and none is lost', async () => {
  const notes = 'Notes about the wall of the socket. '.repeat(40).trim();
  const { contents, file } = await make(
    drawing({
      entities: [...line(0, 0, 90, 0), 0, 'MTEXT', 8, 'CUT', 10, 0, 20, 0, 40, 3, 41, 90, 71, 1, 1, notes],
    }),
  );
  expect(file?.pageTexts[0]?.replace(/^CUT\n/, '').replaceAll('\n', ' ')).toBe(notes);
  const lines = shapesOf(String(contents[0])).filter(({ type }) => type === 'TEXT');
  expect(lines.length).toBeGreaterThan(25);
  expect(Math.max(...lines.map(({ text }) => text.length))).toBeLessThan(60);
});
