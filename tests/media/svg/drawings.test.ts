import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { rendered } from '../../../media/files/svg/make-svg.ts';
import { isSamePicture } from '../../../media/files/svg/same-picture.ts';
import { buildFileMaker } from '../make-build-file.ts';
import { drawings, PIXELS, sheet } from './drawings.ts';

const make = buildFileMaker();
const WIDTH = 200;
const FONTS = 'fonts (letters have other shapes)';

async function written(sent: string | Uint8Array) {
  const { contents, file } = await make(sent);
  const [text, picture] = contents;
  return { text: String(text), picture, facts: file?.facts, pageTexts: file?.pageTexts };
}

/** The darkness of each pixel of a picture, from 0 to 255. */
async function pixels(picture: Buffer | undefined, box: [number, number]) {
  const height = Math.round((WIDTH * box[1]) / box[0]);
  const grey = await sharp(picture)
    .flatten({ background: 'white' })
    .resize(WIDTH, height, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer();
  return (x: number, y: number) =>
    255 - (grey[Math.floor((y / box[1]) * height) * WIDTH + Math.floor((x / box[0]) * WIDTH)] ?? 0);
}

/** What each drawing must give: its size in millimetres, places where something is drawn and where nothing is, and what is left out. */
const expected: Record<
  string,
  { size: [number, number]; drawn: [number, number][]; blank: [number, number][]; leftOut?: string[] }
> = {
  'no viewBox, pixels': {
    size: [105.83, 52.92],
    drawn: [
      [79.4, 26.5],
      [3, 26],
    ],
    blank: [[40, 26]],
  },
  'no viewBox, millimetres': {
    size: [100, 60],
    drawn: [[50.8, 12.7]],
    blank: [
      [30, 20],
      [90, 50],
    ],
  },
  'no viewBox, points': {
    size: [100, 60],
    drawn: [[5.3, 30]],
    blank: [
      [50, 30],
      [95, 30],
    ],
  },
  'no viewBox, inches': {
    size: [101.6, 50.8],
    drawn: [
      [50, 25],
      [15, 25],
    ],
    blank: [[3, 3]],
  },
  'one edge only': {
    size: [100, 60],
    drawn: [[50, 30]],
    blank: [
      [3, 3],
      [97, 57],
    ],
  },
  'no edge': { size: [26.46, 15.88], drawn: [[13, 8]], blank: [[1, 1]] },
  'per cent': { size: [26.46, 15.88], drawn: [[13, 8]], blank: [[1, 1]] },
  'viewBox with an origin, stretched': {
    size: [100, 60],
    drawn: [
      [2.5, 30],
      [50, 5],
    ],
    blank: [[50, 30]],
  },
  'viewBox cut to fill': { size: [100, 60], drawn: [[50, 55]], blank: [[50, 20]] },
  CadQuery: { size: [211.67, 63.5], drawn: [[19.8, 49]], blank: [[150, 30]] },
  OpenSCAD: { size: [40, 30], drawn: [[5, 15]], blank: [[20, 15]] },
  FreeCAD: {
    size: [100, 60],
    drawn: [[10, 40]],
    blank: [
      [25, 35],
      [80, 10],
    ],
  },
  'Inkscape with layers': {
    size: [100, 60],
    drawn: [
      [10, 30],
      [90, 30],
    ],
    blank: [[20, 40]],
  },
  'Inkscape arrowheads': {
    size: [100, 60],
    drawn: [
      [50, 30],
      [19, 30],
      [81, 30],
    ],
    blank: [[50, 35]],
  },
  'Inkscape arrowheads in the colour of the line': {
    size: [100, 60],
    drawn: [
      [23, 17],
      [77, 17],
      [77, 42],
    ],
    blank: [[50, 30]],
  },
  'markers on corners': {
    size: [100, 60],
    drawn: [
      [10, 10],
      [50, 50],
    ],
    blank: [[50, 20]],
  },
  Illustrator: {
    size: [75, 45],
    drawn: [
      [5.3, 22],
      [37, 22],
    ],
    blank: [[15, 22]],
  },
  'Illustrator clipped': { size: [75, 45], drawn: [[34, 19]], blank: [[52, 21]] },
  CorelDRAW: { size: [100, 60], drawn: [[10, 30]], blank: [[50, 30]] },
  Affinity: {
    size: [312.74, 187.59],
    drawn: [
      [26.5, 80],
      [200, 100],
    ],
    blank: [[10, 10]],
  },
  Figma: {
    size: [100.01, 60.06],
    drawn: [
      [12, 20],
      [30, 20],
    ],
    blank: [[79, 32]],
  },
  'LibreOffice Draw': { size: [100, 60], drawn: [[50, 30]], blank: [[5, 5]] },
  LightBurn: { size: [100, 60], drawn: [[10, 30]], blank: [[50, 40]] },
  Fusion: { size: [100, 60], drawn: [[10, 30]], blank: [[50, 30]] },
  'draw.io': { size: [100, 60], drawn: [[10, 20]], blank: [[70, 40]] },
  'a symbol placed twice': {
    size: [100, 60],
    drawn: [
      [12, 20],
      [69, 27],
    ],
    blank: [
      [20, 20],
      [50, 30],
    ],
  },
  'copies of copies': {
    size: [100, 60],
    drawn: [
      [14, 11],
      [26, 11],
      [26, 31],
    ],
    blank: [[20, 11]],
  },
  'a drawing in a drawing': { size: [100, 60], drawn: [[30, 25]], blank: [[80, 30]] },
  'a link around a shape': { size: [100, 60], drawn: [[50, 30]], blank: [[5, 5]], leftOut: ['links'] },
  'a choice of languages': { size: [100, 60], drawn: [[50, 30]], blank: [[5, 5]] },
  'currentColor and fallbacks': {
    size: [100, 60],
    drawn: [
      [25, 30],
      [75, 30],
    ],
    blank: [[50, 30]],
  },
  'ids with dots, colons and spaces': {
    size: [100, 60],
    drawn: [
      [50, 15],
      [50, 45],
    ],
    blank: [[50, 31.5]],
  },
  'a pattern': { size: [100, 60], drawn: [[10, 30]], blank: [[5, 30]] },
  'a mask': { size: [100, 60], drawn: [[15, 30]], blank: [[50, 30]] },
  selectors: { size: [100, 60], drawn: [[5, 30]], blank: [[25, 30]], leftOut: ['styles for other screens'] },
  'style against attribute': {
    size: [100, 60],
    drawn: [
      [75, 30],
      [25, 30],
    ],
    blank: [[50, 30]],
  },
  'an image inside': {
    size: [100, 60],
    drawn: [[30, 30]],
    blank: [
      [5, 30],
      [75, 30],
    ],
  },
  'no namespace': { size: [100, 60], drawn: [[50, 30]], blank: [[5, 5]] },
  'a prefix': { size: [100, 60], drawn: [[50, 30]], blank: [[5, 5]] },
  'UTF-16': { size: [100, 60], drawn: [[50, 30]], blank: [[3, 3]] },
  'transforms by style': { size: [100, 60], drawn: [[50, 30]], blank: [[30, 30]] },
  'text on a path': { size: [100, 60], drawn: [], blank: [[50, 40]], leftOut: ['editable text', FONTS] },
  'a mask of how opaque it is': {
    size: [100, 60],
    drawn: [[50, 30]],
    blank: [
      [5, 5],
      [12, 12],
    ],
  },
  'draw.io, at its end': { size: [100, 60], drawn: [[10, 20]], blank: [[50, 57]], leftOut: ['links'] },
  'a size by style': { size: [100, 60], drawn: [[50, 30]], blank: [[5, 5]] },
  'lines that are hardly there': { size: [1000, 600], drawn: [], blank: [[500, 300]] },
  'letters in a gradient of their own box': {
    size: [100, 60],
    // The stem of the T.
    drawn: [[12.5, 50]],
    blank: [[98, 50]],
    leftOut: ['editable text', FONTS],
  },
  'clipped by a copy of a turned shape': {
    size: [100, 60],
    drawn: [
      [60, 5],
      [80, 25],
    ],
    blank: [
      [50, 5],
      [90, 5],
      [60, 40],
    ],
  },
  texts: { size: [100, 60], drawn: [], blank: [[5, 40]], leftOut: ['editable text', FONTS] },
};

describe('a drawing as its program writes it', { tags: 'whole' }, () => {
  test.each(Object.keys(drawings))('%s', async (name) => {
    const wanted = expected[name];
    if (!wanted) throw new Error('nothing is expected of it');
    const { text, picture, facts } = await written(drawings[name] ?? '');
    const { size: dimensions, leftOut } = wanted;
    // Without millimetres or inches the size is one of several that programs take.
    const isSaid = /width(?:="|:)[\d.]+(?:[cm]m|in|pt)/.test(
      Buffer.from(drawings[name] ?? '')
        .toString()
        .replaceAll('\0', ''),
    );
    const sizeIf = isSaid ? {} : { sizeIf: 'at 96 pixels an inch' };
    expect(facts).toEqual({ dimensions, ...sizeIf, ...(leftOut && { leftOut }) });
    // The download, drawn by another program, and the picture show the same.
    for (const shown of [Buffer.from(text), picture]) {
      const darkness = await pixels(shown, wanted.size);
      for (const [x, y] of wanted.drawn) expect(darkness(x, y), `${x} ${y}`).toBeGreaterThan(25);
      for (const [x, y] of wanted.blank) expect(darkness(x, y), `${x} ${y}`).toBeLessThan(25);
    }
    expect((await sharp(picture).stats()).channels[1]?.min).toBeLessThan(210);
  });
});

const circle = '<circle cx="50" cy="30" r="20"/>';

test.each(['color="#f00"', 'style="color:#f00"'])(
  'a line in its group’s current colour is red by %s',
  async (red) => {
    const { text } = await written(
      sheet(`<g color="#00f" stroke="currentColor"><path ${red} d="M0 0H90"/></g>${circle}`),
    );
    expect(text).toContain('stroke="#ff0000"');
  },
);

test.each([
  ['a comment between declarations', 'fill:none;/* cut */stroke:#f00', ''],
  ['a quoted mark in the name of a font', "font-family:'Cut; Sans';fill:none;stroke:#f00", ''],
  ['a letter by its number', '\\66 ill:none;stroke:#f00', ''],
  ['quotes that look like a comment', '', '.b{content:"/*"}.a{fill:none;stroke:#f00}.b{content:"*/"}'],
  ['rules for screens', '', '@media screen{.a{fill:none;stroke:#f00}}'],
])('%s hides no style', async (_name, style, rules) => {
  const { text } = await written(
    sheet(`<style>${rules}</style><path class="a" style="${style}" d="M5 5H90V50"/>${circle}`),
  );
  expect(text).toContain('fill="none" stroke="#ff0000"');
});

describe('what an SVG cannot keep', () => {
  test.each<[string, string, string[]]>([
    ['layers that are not shown', '<g style="display:none"><text>Anna</text></g>', ['hidden parts']],
    [
      'parts hidden by a rule',
      '<style>.h{display:none}</style><path class="h" d="M0 0H9"/>',
      ['hidden parts'],
    ],
    ['invisible parts', '<path visibility="hidden" d="M0 0H9" stroke="red"/>', ['hidden parts']],
    ['flowed text', '<flowRoot><flowPara>Trim</flowPara></flowRoot>', ['flowed text']],
    [
      'a page inside',
      '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
      ['web page parts'],
    ],
    ['an image beside it', '<image href="photo.jpg" width="9" height="9"/>', ['linked images']],
    [
      'a drawing as an image',
      '<image href="data:image/svg+xml;base64,AA" width="9" height="9"/>',
      ['images'],
    ],
    [
      'a filter',
      '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><g filter="url(#f)"><path d="M0 0H9V9"/></g>',
      ['filters'],
    ],
    ['movement', '<path d="M0 0"><animate attributeName="d"/></path>', ['animations']],
    [
      'lines of one width',
      '<path d="M0 0H9" stroke="red" vector-effect="non-scaling-stroke"/>',
      ['line widths that do not scale'],
    ],
    ['a style sheet elsewhere', '<style>@IMPORT url(a.css);</style>', ['linked style sheets']],
    [
      'an image of a kind that is not drawn',
      '<image href="data:image/webp;base64,UklGRg==" width="9" height="9"/>',
      ['images'],
    ],
    ['a shape across the edge', '<path d="M90 9H120" stroke="red"/>', ['parts beside the sheet']],
    ['small capitals', '<text y="9" font-variant="small-caps">Trim</text>', ['small capitals']],
    [
      'small capitals of a short form',
      '<style>text{font:small-caps 9px Arial}</style><text y="9">Trim</text>',
      ['small capitals'],
    ],
    ['a transparent part far away', '<path d="M9000 0H9100V9" opacity=".5"/>', ['parts beside the sheet']],
    ['a background', '<g style="BACKGROUND-color:#fc0"><path d="M0 0H9"/></g>', ['background']],
    [
      'a text in a frame',
      '<text style="inline-size:40px" y="9">Trim the edge</text>',
      ['editable text', 'flowed text', FONTS],
    ],
  ])('%s is named', async (_name, content, leftOut) => {
    const { text, facts } = await written(sheet(`${content}${circle}`));
    expect(facts).toMatchObject({ leftOut: expect.arrayContaining(leftOut) });
    expect(text).not.toMatch(/hidden|filter|href|Anna/);
  });

  test('words that are hidden are not searched', async () => {
    const { pageTexts } = await written(
      sheet(
        `<style>.note{display:none}</style><text y="9">Trim<tspan style="display: none">Anna</tspan></text><g display="none"><text y="19">Muster</text></g><text y="29" class="a note">Anna</text>${circle}`,
      ),
    );
    expect(pageTexts).toEqual(['Trim']);
  });

  test('what is clipped to the sheet lies across no edge', async () => {
    const clip = '<clipPath id="c"><rect width="100" height="60"/></clipPath>';
    const { facts } = await written(sheet(`${clip}<g clip-path="url(#c)"><path d="M-50 0H150V30Z"/></g>`));
    expect(facts).toEqual({ dimensions: [100, 60] });
  });

  test('what lies beside the sheet is neither shown nor kept', async () => {
    const beside = [
      '<text x="150" y="30">Anna Muster</text>',
      '<g transform="translate(-60 0) rotate(45)"><path d="M0 0h20v20"/></g>',
      '<path d="M-20 0V60" stroke="red" stroke-width="9"/>',
    ];
    const inside = ['<path d="M-.9 0V60" stroke="red" stroke-width="9"/>', '<path d="M-50 -50L150 90"/>'];
    const { text, facts } = await written(sheet([...beside, ...inside, circle].join('')));
    expect(text.match(/<path/g)).toHaveLength(inside.length + 1);
    expect(facts).toMatchObject({ leftOut: ['editable text', FONTS, 'parts beside the sheet'] });
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['variables', sheet('<style>:root{--a:red} .b{fill:var(--a)}</style>'), /var\(--a\).*remove the style/],
    ['selectors the library does not know', sheet('<style>rect:nth-child(2){fill:red}</style>'), /nth-child/],
    ['rules of many steps', sheet('<style>g g g g path{fill:red}</style>'), /g g g g path/],
    ['rules in rules', sheet('<style>.a{fill:red;.b{fill:blue}}</style>'), /\.b\{fill:blue\}/],
    ['names with commas', sheet('<style>[class="a,b"]{fill:red}.c{fill:blue}</style>'), /\[class="a,b"\]/],
    ['10,000 brackets', sheet(`<style>${':not('.repeat(10_000)}${')'.repeat(10_000)}{}</style>`), /:not\(/],
    ['masks by style alone', sheet('<g style="mask-image:url(#m)"/>'), /mask-image/],
    ['places by style alone', sheet('<g style="translate:9px 9px"/>'), /translate/],
    ['new colours', sheet('<path d="M0 0" fill="oklch(0.5 0.1 30)"/>'), /oklch.*remove the style/],
    ['text from right to left', sheet('<text style="direction:rtl" y="9">قص</text>'), /direction: ?rtl/],
    ['capitals by style', sheet('<text style="text-transform:uppercase" y="9">a</text>'), /uppercase/],
    [
      'a blending the library does not know',
      sheet('<g style="mix-blend-mode:plus-lighter"/>'),
      /plus-lighter/,
    ],
    [
      'nothing but what is hidden',
      sheet('<g display="none"><path d="M0 0H9V9"/></g>'),
      /Show what is hidden/,
    ],
    ['sizes by style', sheet('<rect style="width:9px;height:9px"/>'), /width:9px/],
    ['letters without a form', sheet('<text y="20">日本</text>'), /Turn its texts into paths/],
    [
      'nothing but a linked image',
      sheet('<image href="a.jpg" width="9" height="9"/>'),
      /empty without .*linked images/,
    ],
    ...[
      '<pattern id="p" width="9000" height="9" patternUnits="userSpaceOnUse"><circle r="9"/></pattern><path d="M0 0H9V9" fill="url(#p)"/>',
      '<pattern id="p" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="scale(30)"><circle r="9"/></pattern><path transform="scale(30)" d="M0 0H9V9" fill="url(#p)"/>',
      '<pattern id="p" width="9" height="9" patternUnits="userSpaceOnUse"><circle r="9"/></pattern><pattern id="q" width=".01" height=".01" patternUnits="userSpaceOnUse" patternTransform="scale(9000)"><path d="M0 0H9V9" fill="url(#p)"/></pattern><path d="M0 0H9V9" fill="url(#q)"/>',
    ].map((content): [string, string, RegExp] => [
      'a pattern far larger than the sheet',
      sheet(content),
      /pattern .* far larger than the drawing/,
    ]),
    ...[
      '<clipPath id="c"><text y="30" transform="scale(2)">Trim</text></clipPath><path d="M0 0H90V60" clip-path="url(#c)"/>',
      '<clipPath id="c"><text y="30">Trim <tspan font-weight="bold">here</tspan></text></clipPath><path d="M0 0H90V60" clip-path="url(#c)"/>',
      '<clipPath id="d"><path d="M0 0H50V60"/></clipPath><clipPath id="c" clip-path="url(#d)"><path d="M0 0H50V60"/></clipPath><clipPath id="b" clip-path="url(#c)"><path d="M0 0H50V60"/></clipPath><path d="M0 0H90V60" clip-path="url(#b)"/>',
      '<clipPath id="c" clipPathUnits="objectBoundingBox"><path d="M0 0H.5V1H0"/></clipPath><g clip-path="url(#c)"><path d="M50 0H90V60H50"/><path d="M0 0V60H9V0" visibility="hidden"/></g>',
      '<clipPath id="c" clipPathUnits="objectBoundingBox"><path d="M0 0H.5V1H0"/></clipPath><g clip-path="url(#c)"><path d="M50 0H90V60H50"/><path d="M0 0V60H9V0" opacity="0"/></g>',
    ].map((content): [string, string, RegExp] => [
      'a part that would be lost',
      sheet(content),
      /would be lost or look different\. Turn its texts/,
    ]),
    ['nothing', sheet(''), /is empty\. Draw/],
    [
      'entities within entities',
      `<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${sheet(circle)}`,
      /document type .* plain/,
    ],
    [
      'an entity of much text',
      `<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(500)}">]>${sheet(`${'<g class="&a;"/>'.repeat(2100)}`)}`,
      /stand for too much/,
    ],
    ['a compressed file', Uint8Array.of(0x1f, 0x8b, 8, 0), /compressed.*SVGZ/],
    [
      'arrowheads without end',
      sheet(
        '<marker id="a"><path d="M0 0H9" marker-end="url(#a)"/></marker><path d="M0 0H9" marker-end="url(#a)"/>',
      ),
      /contain themselves/,
    ],
    [
      '10,000 gradients, each of which takes from the next',
      sheet(
        `${Array.from({ length: 10_000 }, (_, index) => `<linearGradient id="g${index}" href="#g${index + 1}"/>`).join('')}<path d="M0 0H9V9" fill="url(#g0)"/>`,
      ),
      /copies of copies/,
    ],
    [
      'a sheet without a height to speak of',
      sheet(circle).replace('height="60mm"', 'height="0.02mm"'),
      /cannot be drawn/,
    ],
    ['60,000 letters', sheet(`<text>${'a'.repeat(600)}</text>`.repeat(100)), /more than 50000 letters/],
    [
      '2¹⁰⁰ copies',
      sheet(
        `${Array.from({ length: 25 }, (_, index) => `<g id="a${index}">${`<use href="#a${index + 1}"/>`.repeat(16)}</g>`).join('')}<path id="a25" d="M0 0H9"/>`,
      ),
      /too large when all its copies/,
    ],
    [
      '900 parts clipped by 100 shapes',
      sheet(
        `<clipPath id="c">${'<path d="M0 0H9V9"/>'.repeat(100)}</clipPath>${'<path d="M0 0H9V9" clip-path="url(#c)"/>'.repeat(900)}`,
      ),
      /more than 1000 masks, clippings/,
    ],
    [
      '1,500 transparent groups',
      sheet('<g opacity=".5"><path d="M0 0H9V9"/></g>'.repeat(1500)),
      /more than 1000 masks/,
    ],
  ])('%s are refused with the reason and a way out', async (_name, sent, reason) => {
    await expect(make(sent)).rejects.toMatchObject({ status: 422, message: expect.stringMatching(reason) });
  });
});

test('the words of a drawing are found whole, in any encoding, though they are drawn as outlines', async () => {
  const content =
    '<text y="20"><tspan>Maria Mu</tspan><tspan>ster</tspan><tspan x="0" y="30">Größe 25</tspan></text>';
  const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${sheet(content)}`, 'latin1');
  const { text, pageTexts } = await written(latin);
  expect(pageTexts).toEqual(['Maria Muster\nGröße 25']);
  expect(text).not.toMatch(/Maria|<text/);
});

test('an image inside loses what a camera wrote beside it', async () => {
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a33' } })
    .withExif({ IFD0: { Artist: 'Anna Muster' } })
    .jpeg()
    .toBuffer();
  const { text } = await written(
    sheet(`<image width="40" height="30" href="data:image/jpeg;base64,${photo.toString('base64')}"/>`),
  );
  const [, kept = ''] = /href="data:image\/jpeg;base64,([^"]*)"/.exec(text) ?? [];
  expect(Buffer.from(kept, 'base64').toString('latin1')).not.toContain('Muster');
  expect(await sharp(Buffer.from(kept, 'base64')).metadata()).toMatchObject({ width: 40, height: 30 });
});

test('what was written is read again as the same drawing, with nothing left out', async () => {
  const first = await written(
    sheet(`<image width="40" height="30" href="${PIXELS}"/><text y="50">Cut</text>`),
  );
  const again = await written(first.text);
  expect(again.facts).toEqual({ dimensions: [100, 60] });
  const [before, after] = await Promise.all(
    [first.picture, again.picture].map((file) => sharp(file).stats()),
  );
  expect(after?.channels[0]?.mean).toBeCloseTo(before?.channels[0]?.mean ?? 0, 0);
});

test.each([
  ['a thin line', '<path d="M5 50H30" stroke="#000" stroke-width=".1"/>', false],
  ['a pale face', '<path d="M5 5H15V15" fill="#ddd"/>', false],
  ['a hole', '<circle cx="50" cy="30" r=".8" fill="#fff"/>', false],
  ['the edge of a letter', '<path d="M0 60L.02 0H0" fill="#000"/>', true],
])('without %s, is the picture the same?', (_part, part, isSame) => {
  const [before, after] = [part, ''].map((more) => rendered(sheet(circle + more), 800));
  expect(before && after && isSamePicture(before, after)).toBe(isSame);
});
