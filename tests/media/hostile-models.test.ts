import { strToU8, unzipSync, zipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { SECRET } from './files.ts';
import { buildFileMaker } from './make-build-file.ts';
import {
  binaryCube,
  cube3mf,
  cubeObject,
  dxf,
  dxfLine,
  model3mf,
  relations,
  stepCube,
  svg,
  textCube,
} from './models.ts';

const make = buildFileMaker();

/** The rewritten file as it can be searched. */
const readable = (bytes: Buffer) =>
  bytes.subarray(0, 2).toString() === 'PK'
    ? Object.entries(unzipSync(bytes))
        .map(([name, part]) => `${name} ${Buffer.from(part)}`)
        .join('\n')
    : bytes.toString('latin1');

/** A package whose list says a number of bytes for a model of 100. */
function announcing(bytes: number): Uint8Array {
  const packed = Buffer.from(cube3mf(model3mf(), { 'a.model': new Uint8Array(100) }));
  packed.writeUInt32LE(bytes, packed.lastIndexOf('a.model') - 22);
  return packed;
}

/** A package that says of each of its parts that it is encrypted. */
function encrypted(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip);
  for (const [signature, flags] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const)
    for (let at = bytes.indexOf(signature); at >= 0; at = bytes.indexOf(signature, at + 4))
      bytes.writeUInt16LE(bytes.readUInt16LE(at + flags) | 1, at + flags);
  return bytes;
}

describe('a model', () => {
  const size = { triangles: 12, dimensions: [20, 20, 20] };
  test.each<[string, string, () => string | Uint8Array, Record<string, unknown>, string[]]>([
    ['a binary STL', 'stl', binaryCube, size, ['file.stl', 'picture.webp']],
    ['a text STL', 'stl', textCube, size, ['file.stl', 'picture.webp']],
    [
      'a 3MF',
      '3mf',
      cube3mf,
      { ...size, parts: 1, unit: 'millimeter' },
      ['file.3mf', 'picture.webp', 'mesh.stl'],
    ],
    [
      'a 3MF in inches',
      '3mf',
      () => cube3mf(model3mf(cubeObject, undefined, 'inch')),
      { triangles: 12, dimensions: [508, 508, 508], parts: 1, unit: 'inch' },
      ['file.3mf', 'picture.webp', 'mesh.stl'],
    ],
    ['a STEP file', 'step', stepCube, size, ['file.step', 'picture.webp', 'mesh.stl']],
    [
      'an SVG',
      'svg',
      () => svg(`<metadata>${SECRET}</metadata><!--${SECRET}-->`),
      { dimensions: [100, 50] },
      ['file.svg', 'picture.webp'],
    ],
    [
      'a DXF',
      'dxf',
      () => dxf(dxfLine),
      { dimensions: [40, 30], layers: 1, unit: 4 },
      ['file.dxf', 'picture.webp'],
    ],
    ...[
      ['line ends of old Macs', '\r'],
      ['line ends of two kinds', '\n\r'],
    ].map(
      ([name, end = '']) =>
        [
          `a text STL with ${name}`,
          'stl',
          () => textCube().replaceAll('\n', end),
          size,
          ['file.stl', 'picture.webp'],
        ] satisfies [string, string, () => string, typeof size, string[]],
    ),
    [
      'a 3MF of the draft of 2013',
      '3mf',
      () =>
        cube3mf(model3mf(`<color id="5" value="#FFFFFF"/>${cubeObject}`).replace('core/2015/02', '2013/01')),
      { ...size, parts: 1, unit: 'millimeter', leftOut: ['colours', 'print settings'] },
      ['file.3mf', 'picture.webp', 'mesh.stl'],
    ],
  ])('%s keeps its shape and nothing about its author', async (_name, type, content, facts, files) => {
    const sent = content();
    const result = await make(sent);
    expect(result).toMatchObject({ files, file: { type, facts, pageTexts: [] } });
    const [written = Buffer.alloc(0), picture = Buffer.alloc(0), mesh] = result.contents;
    expect(readable(written)).not.toContain(SECRET);
    const { channels } = await sharp(picture).stats();
    // Something dark is drawn on white.
    expect(channels[0]).toMatchObject({ max: 255 });
    expect(channels[0]?.min).toBeLessThan(200);
    if (mesh) expect(mesh.readUInt32LE(80)).toBe(12);
    // What was written is read again, with the same facts.
    const { leftOut: _, ...kept } = result.file?.facts ?? {};
    expect((await make(written)).file?.facts).toEqual(kept);
  });

  test.each<[string, string | Uint8Array]>([
    ['a script', svg('<script>evil()</script>')],
    ['a handler', svg('<path d="M0 0L9 9" onclick="evil()"/>')],
    ['a handler of the drawing', svg('', 'width="9" height="9" onload="evil()"')],
    ['a link', svg('<a href="https://evil.example"><path d="M0 0L9 9"/></a>')],
    ['a script as a link', svg('<a xlink:href="javascript:evil()"><path d="M0 0"/></a>')],
    [
      'a web page inside',
      svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">evil</body></foreignObject>'),
    ],
    ['a picture elsewhere', svg('<image href="https://evil.example/x.png" width="9" height="9"/>')],
    ['a picture inside', svg('<image href="data:image/svg+xml;base64,evil" width="9" height="9"/>')],
    ['a style sheet elsewhere', svg('<style>@import "https://evil.example/x.css";</style>')],
    ['a fill elsewhere', svg('<path d="M0 0L9 9" fill="url(https://evil.example#a)"/>')],
    ['an address in a rule', svg('<style>path{fill:url("https://evil.example")}</style>')],
    ['an animation that sets a link', svg('<set attributeName="href" to="javascript:evil()"/>')],
    ['a filter', svg('<filter id="evil"><feImage href="//evil"/></filter>')],
    ['a style sheet before it', svg('', undefined, '<?xml-stylesheet href="//evil"?>')],
    ['names of its editor', svg('<g xmlns:i="urn:evil" i:label="evil"/>')],
  ])('an SVG with %s is published without it', async (_name, content) => {
    const { contents, file } = await make(content);
    expect(file?.type).toBe('svg');
    expect(String(contents[0])).not.toMatch(/evil|script|https|import/);
    expect(String(contents[0])).toContain('d="M 5 5 L 95 5');
  });

  const binary = (change: (bytes: Buffer) => void) => {
    const bytes = binaryCube();
    change(bytes);
    return bytes;
  };
  const entity = '<!DOCTYPE model [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
  test.each<[string, () => string | Uint8Array, RegExp]>([
    [
      'an STL of 2 GB by its header',
      () => Buffer.concat([Buffer.alloc(80), Buffer.from([0, 0, 0, 2]), Buffer.alloc(50)]),
      /33554432 triangles/,
    ],
    [
      'an STL shorter than its header says',
      () => Buffer.concat([Buffer.alloc(80), Buffer.from([9, 0, 0, 0]), Buffer.alloc(50)]),
      /says 9 triangles, but it holds only 1/,
    ],
    ['an empty STL', () => Buffer.alloc(84), /is empty/],
    ['an STL with NaN', () => binary((bytes) => bytes.writeFloatLE(Number.NaN, 96)), /no position/],
    ['an STL with Infinity', () => binary((bytes) => bytes.writeFloatLE(Infinity, 96)), /no position/],
    ['an STL of a light year', () => binary((bytes) => bytes.writeFloatLE(1e30, 96)), /100 metres/],
    ['an STL of one point', () => binaryCube(0), /no size/],
    ['a text STL with NaN', () => textCube('nan'), /no position/],
    ['a text STL with a number too large', () => textCube('1e999'), /no position/],
    ['a text STL without triangles', () => 'solid x\nendsolid x\n', /is empty/],
    ['a text STL cut off', () => textCube().slice(0, 200), /cut off|no position|something other/],
    ['a text STL with a script', () => 'solid x\n<script>\nendsolid', /something other/],
    ['a text STL of one line', () => `solid ${'a'.repeat(5000)}`, /line is too long/],
    [
      'a face of four corners',
      () => textCube().replace('endloop', 'vertex 1 1 1\nendloop'),
      /not a triangle/,
    ],
    ['an archive of nothing', () => zipSync({}), /Only PDF|does not say/],
    ['an archive cut off', () => cube3mf().slice(0, 300), /cannot be unpacked/],
    ['a 3MF that unpacks to too much', () => announcing(400_000_000), /too large when unpacked/],
    ['a 3MF that unpacks to more than it says', () => announcing(10), /cannot be unpacked/],
    [
      'a 3MF of 300 models',
      () =>
        cube3mf(
          model3mf(),
          Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.model`, strToU8('')])),
        ),
      /more than 200 models/,
    ],
    [
      'a 3MF with a place outside',
      () => cube3mf(model3mf(), { '../../etc/passwd': strToU8('x') }),
      /outside it/,
    ],
    [
      'a 3MF with an absolute place',
      () => cube3mf(model3mf(), { '/etc/passwd': strToU8('x') }),
      /outside it/,
    ],
    [
      'a 3MF that needs another file',
      () =>
        cube3mf(model3mf(), {
          '_rels/.rels': strToU8(
            relations('<Relationship TargetMode="External" Target="https://evil.example"/>'),
          ),
        }),
      /needs another file/,
    ],
    [
      'a 3MF without a model',
      () => zipSync({ '_rels/.rels': strToU8(relations()) }),
      /does not contain the model/,
    ],
    [
      'a 3MF with entities',
      () => cube3mf(model3mf(cubeObject, undefined, undefined, entity)),
      /document type/,
    ],
    ['a 3MF with an unknown entity', () => cube3mf(model3mf('&a;')), /entities/],
    [
      'a 3MF with a part that is encrypted',
      () => cube3mf(model3mf(), { '3D/parts.model': strToU8('%3McF\0\0\0\0secret') }),
      /is encrypted\. Save it without encryption/,
    ],
    [
      'a 3MF that is encrypted as a ZIP',
      () => encrypted(cube3mf()),
      /is encrypted\. Save it without encryption/,
    ],
    ['a 3MF with damaged XML', () => cube3mf('<model>'), /XML is damaged/],
    ['a 3MF that builds nothing', () => cube3mf(model3mf(cubeObject, '')), /is empty/],
    [
      'a 3MF that builds a missing part',
      () => cube3mf(model3mf(cubeObject, '<item objectid="9"/>')),
      /does not contain/,
    ],
    [
      'a 3MF whose part contains itself',
      () => cube3mf(model3mf('<object id="1"><components><component objectid="1"/></components></object>')),
      /contain themselves/,
    ],
    [
      'a 3MF with a corner too many',
      () => cube3mf(model3mf(cubeObject.replace('v1="0"', 'v1="99"'))),
      /does not exist/,
    ],
    ['a 3MF with NaN', () => cube3mf(model3mf(cubeObject.replace('x="20"', 'x="NaN"'))), /no position/],
    ['a 3MF with an unknown unit', () => cube3mf(model3mf(cubeObject, undefined, 'parsec')), /unknown unit/],
    [
      'a 3MF with a part placed nowhere',
      () => cube3mf(model3mf(cubeObject, '<item objectid="1" transform="1 2"/>')),
      /without a valid position/,
    ],
    [
      'an SVG with entities',
      () => svg('', undefined, '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
      /document type/,
    ],
    [
      'an SVG that copies another file',
      () => svg('<use href="//evil.example/x.svg#a"/>'),
      /needs another file/,
    ],
    [
      'an SVG that copies its copies',
      () => svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
      /contain themselves/,
    ],
    [
      'an SVG with an escaped address',
      () => svg('<path style="fill:u\\72l(//evil)" d="M0 0L9 9"/>'),
      /style that cannot be kept/,
    ],
    ['an SVG without a size', () => svg('', ''), /how large/],
    ['an SVG of a kilometre', () => svg('', 'width="1000000mm" height="9mm"'), /how large/],
    ['an SVG a thousand deep', () => svg('<g>'.repeat(1000) + '</g>'.repeat(1000)), /nested too deeply/],
    ['an SVG cut off', () => svg('').slice(0, -9), /XML is damaged/],
    ['another XML', () => '<?xml version="1.0"?><html/>', /Only PDF, STL/],
    ['an AMF', () => '<?xml version="1.0"?><amf unit="millimeter"><object id="0"/></amf>', /Only PDF, STL/],
    [
      'a web page that begins with a note',
      () => '<!-- saved --><!doctype html><html><p>x</html>',
      /Only PDF, STL/,
    ],
    ['a DXF without a shape', () => dxf([]), /is empty/],
    [
      'a DXF with a block that is missing',
      () => dxf([0, 'INSERT', 8, 0, 2, 'A', 10, 0, 20, 0]),
      /does not contain/,
    ],
    ['a DXF cut off', () => dxf(dxfLine).slice(0, 160), /cannot be read/],
    [
      'a DXF without a number',
      () => dxf([0, 'LINE', 8, 0, 10, 'x', 20, 0, 11, 1, 21, 1]),
      /no position|cannot be read/,
    ],
    ['a DXF of a light year', () => dxf([0, 'LINE', 8, 0, 10, 0, 20, 0, 11, 1e30, 21, 1]), /100 metres/],
    ['a DXF with an unknown unit', () => dxf(dxfLine, 77), /unit that is not read/],
    [
      "a STEP file of another file's bytes",
      () => `ISO-10303-21;\n${binaryCube().toString('latin1')}`,
      /damaged/,
    ],
    [
      'a STEP file that needs another file',
      () => stepCube("DOCUMENT_FILE('a','b.stp','c',$,'','')"),
      /needs another file/,
    ],
    ['a STEP file with the bytes of another', () => stepCube('X("0ABCDEF")'), /contains another file/],
    ['a STEP file cut off', () => stepCube().slice(0, -40), /cut off|damaged/],
    [
      'a STEP file without a shape',
      () => stepCube().replace(/DATA;[\s\S]*ENDSEC;/, 'DATA;\nENDSEC;'),
      /no shape/,
    ],
    ['a STEP file with a script in it', () => stepCube('<script>'), /damaged at character/],
  ])('%s is refused with the reason', async (_name, content, reason) => {
    await expect(make(content())).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(reason),
    });
  });

  test('the worker that refused all of these reads the next file', async () => {
    expect((await make(binaryCube())).file?.facts).toEqual(size);
  });
});
