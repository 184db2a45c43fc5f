// @module-tag whole

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFile } from '../../media/files/make-file.ts';
import { cube3mf, dxf, model3mf, stepCube, svg, textCube } from '../media/models.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Twice the file may take twice the work; four times would be a comparison of everything with everything. */
const MAX_RATIO = 3;
const TRIES = 4;

const PDF = `%PDF-1.4
1 0 obj
<</Type/Catalog/Pages 2 0 R>>
endobj
2 0 obj
<</Type/Pages/Kids[3 0 R]/Count 1>>
endobj
3 0 obj
<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>
endobj
trailer
<</Root 1 0 R/Size 4>>
%%EOF
`;
/** A page with a content, resources and notes. */
const page = (content: string, resources = '', notes = '') =>
  PDF.replace('/MediaBox', `/Contents 4 0 R/Resources<<${resources}>>/Annots[${notes}]/MediaBox`).replace(
    'trailer',
    `4 0 obj\n<</Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\ntrailer`,
  );
const FONT = '/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>';
const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('');
const polyline = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    10,
    (index * 7919) % 1000,
    20,
    (index * 104_729) % 997,
  ]).flat();
const mtext = (text: string) =>
  dxf([0, 'MTEXT', 8, 0, 10, 0, 20, 0, 40, 1, 1, text, 0, 'POINT', 8, 0, 10, 9, 20, 9]);

/** Files that grow with a number, each of which takes some tenths of a second by the number beside it. */
const families: Record<string, [number, (count: number) => string | Uint8Array]> = {
  'an SVG whose style is letters': [100_000, (count) => svg(`<style>${'a'.repeat(count)}</style>`)],
  'an SVG whose style begins many comments': [
    100_000,
    (count) => svg(`<style>${'/*'.repeat(count)}</style>`),
  ],
  'an SVG whose style begins many rules': [100_000, (count) => svg(`<style>${'@a{'.repeat(count)}</style>`)],
  'an SVG whose style is spaces': [100_000, (count) => svg(`<style>${' '.repeat(count)}</style>`)],
  'an SVG whose style opens many addresses': [
    100_000,
    (count) => svg(`<path style="fill:${'url('.repeat(count)}" d="M0 0"/>`),
  ],
  'an SVG of arrowheads': [
    1000,
    (count) =>
      svg(
        `<marker id="m"><path d="M0 0V9"/></marker>${'<path stroke="red" marker-end="url(#m)" d="M0 0H9"/>'.repeat(count)}`,
      ),
  ],
  'an SVG of declarations': [100_000, (count) => svg(`<path style="${';:'.repeat(count)}"/>`)],
  'an SVG of rules with faults': [20_000, (count) => svg(`<style>${'a{b}'.repeat(count)}</style>`)],
  'an SVG clip path of copies': [
    1000,
    (count) =>
      svg(
        `<rect id="r" width="9" height="9" transform="scale(2)"/><clipPath id="c">${'<use href="#r"/>'.repeat(count)}</clipPath><path clip-path="url(#c)" d="M0 0H9V9Z"/>`,
      ),
  ],
  'an SVG of texts in a clip path': [
    20_000,
    (count) => svg(`<clipPath id="c"><text>${'<tspan></tspan>'.repeat(count)}x</text></clipPath>`),
  ],
  'a PDF of operators in a list': [
    100_000,
    (count) => page(`BT /F 9 Tf [(a) ${'Tc '.repeat(count)}(b)] TJ ET`, FONT),
  ],
  'a PDF of marks': [
    5000,
    (count) => page(`BT /F 9 Tf ${'/Span <</ActualText (a)>> BDC (a) Tj EMC '.repeat(count)}ET`, FONT),
  ],
  'an SVG path of arcs': [20_000, (count) => svg(`<path d="M0 0${'a1 1 0 0 1 1 1'.repeat(count)}"/>`)],
  'an SVG of long texts': [4, (count) => svg(`<text y="9">${'a'.repeat(900)}</text>`.repeat(count))],
  'an SVG of one text': [50_000, (count) => svg(`<text y="9">${'a'.repeat(count)}</text>`)],
  'a DXF of stacked fractions': [20_000, (count) => mtext('\\S'.repeat(count))],
  'a DXF of fractions': [5000, (count) => mtext('\\S1/2;'.repeat(count))],
  'a DXF of words': [4000, (count) => mtext('socket '.repeat(count))],
  'a DXF of letters by number': [15_000, (count) => mtext('\\U+00D8'.repeat(count))],
  'a DXF of fonts': [50_000, (count) => mtext('\\Faaaaaaaa'.repeat(count))],
  'a DXF of backslashes': [40_000, (count) => mtext('\\'.repeat(count))],
  'a DXF line that crosses itself': [3000, (count) => dxf([0, 'LWPOLYLINE', 8, 0, ...polyline(count)])],
  'a DXF of groups': [
    50_000,
    (count) =>
      dxf([
        0,
        'LINE',
        8,
        0,
        10,
        0,
        20,
        0,
        11,
        1,
        21,
        1,
        ...Array.from({ length: count }, () => [39, 1]).flat(),
      ]),
  ],
  'a DXF of layers': [
    5000,
    (count) =>
      dxf(Array.from({ length: count }, (_, index) => [0, 'POINT', 8, index, 10, index, 20, 1]).flat()),
  ],
  'a DXF of layers with one name': [
    5000,
    (count) =>
      dxf(
        Array.from({ length: count }, (_, index) => [
          0,
          'POINT',
          8,
          `é${'*'.repeat(40)}${index}`,
          10,
          index,
          20,
          1,
        ]).flat(),
      ),
  ],
  'a PDF followed by words': [40_000, (count) => PDF + 'stream '.repeat(count)],
  'a PDF of objects without an end': [4000, (count) => PDF + '9 0 obj\n<<>>\nstream\n'.repeat(count)],
  'a PDF of texts without an end': [4000, (count) => PDF + '9 0 obj\n('.repeat(count)],
  'a PDF of streams within streams': [
    40_000,
    (count) => PDF + 'stream\nx\x01\x00\xff\xff\x00\x00'.repeat(count),
  ],
  'a PDF of objects': [
    10_000,
    (count) =>
      PDF + Array.from({ length: count }, (_, index) => `${index + 4} 0 obj\n<</A 1>>\nendobj\n`).join(''),
  ],
  'a PDF content of lines': [15_000, (count) => page('0 0 m 9 9 l S '.repeat(count))],
  'a PDF content of open strings': [200_000, (count) => page('('.repeat(count))],
  'a PDF content of comments': [100_000, (count) => page('%a\n'.repeat(count))],
  'a PDF content of words': [100_000, (count) => page('a '.repeat(count))],
  'a PDF content of images without an end': [90_000, (count) => page('BI ID EIx '.repeat(count))],
  'a PDF content of marks': [9000, (count) => page('/OC /A BDC '.repeat(count / 3) + 'EMC '.repeat(count))],
  'a PDF of graphics states': [
    5000,
    (count) =>
      page(
        many(count, (n) => `/A${n} gs `),
        `/ExtGState<<${many(count, (n) => `/A${n}<</LW 1>>`)}>>`,
      ),
  ],
  'a PDF of notes': [
    1000,
    (count) => page('', '', '<</Subtype/Square/Rect[1 1 9 9]/C[1 0 0]>>'.repeat(count)),
  ],
  'a STEP of points': [
    5000,
    (count) =>
      stepCube().replace(
        'ENDSEC;\nEND-ISO',
        `${Array.from({ length: count }, (_, index) => `#${index + 1000}=CARTESIAN_POINT('',(0.,0.,0.));\n`).join('')}ENDSEC;\nEND-ISO`,
      ),
  ],
  'a STEP of comments': [100_000, (count) => stepCube('/*'.repeat(count))],
  // Both are more than may be placed.
  'a 3MF of parts within parts': [4, (count) => cube3mf(nested(count))],
  'a 3MF of triangles': [
    5000,
    // Here and below the many are small beside a large one: they are read, and drawing them ends at no limit.
    (count) =>
      cube3mf(
        model3mf()
          .replace(
            '</vertices>',
            '<vertex x="0" y="0" z="0"/><vertex x="0.01" y="0" z="0"/><vertex x="0" y="0.01" z="0"/></vertices>',
          )
          .replace('</triangles>', `${'<triangle v1="8" v2="9" v3="10"/>'.repeat(count)}</triangles>`),
      ),
  ],
  'a text STL of triangles': [
    5000,
    (count) => textCube().replace('endsolid', `${facet(1, '\n').repeat(count)}endsolid`),
  ],
  'a text STL of the line ends of old Macs': [
    5000,
    (count) => `solid x\r${facet(1000, '\r')}${facet(1, '\r').repeat(count)}endsolid x\r`,
  ],
  'a text STL of spaces': [100_000, (count) => `solid\n${' \n'.repeat(count)}`],
};

const facet = (side: number, lineEnd: string) =>
  [
    'facet normal 0 0 0',
    'outer loop',
    'vertex 0 0 0',
    `vertex ${side} 0 0`,
    `vertex 0 ${side} 0`,
    'endloop',
    'endfacet',
    '',
  ].join(lineEnd);

/** Ten levels of parts without a triangle, each of which holds so many of the next. */
function nested(count: number): string {
  const levels = Array.from(
    { length: 9 },
    (_, level) =>
      `<object id="${level + 10}"><components>${`<component objectid="${level + 9}"/>`.repeat(count)}</components></object>`,
  );
  return model3mf(
    `<object id="9"><mesh><vertices/><triangles/></mesh></object>${levels.join('')}`,
    '<item objectid="18"/>',
  );
}

it.each(Object.entries(families))('%s takes work in proportion to its length', async (_, [count, make]) => {
  const work = async (content: string | Uint8Array) => {
    const folder = temporaryFolder('work');
    const path = join(folder, 'sent');
    await writeFile(path, typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
    const before = process.cpuUsage();
    try {
      await makeFile(path, folder);
    } catch (error) {
      if (!(error instanceof Error) || error instanceof TypeError) throw error;
    }
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await work(make(1));
  let ratio = Infinity;
  for (let tried = 0; tried < TRIES && ratio > MAX_RATIO; tried++)
    ratio = Math.min(ratio, (await work(make(2 * count))) / (await work(make(count))));
  expect(ratio).toBeLessThan(MAX_RATIO);
});
