// @module-tag whole

import { expect, test } from 'vitest';
import { buildFileMaker } from '../make-build-file.ts';
import { binaryCube, cube3mf, cubeMesh, model3mf, textCube } from '../models.ts';
import { stepAssembly, stepCylinder } from '../step-models.ts';

const make = buildFileMaker();
const cube = { triangles: 12, dimensions: [20, 20, 20] };
const refused = async (content: string | Uint8Array) =>
  (await make(content).catch((error: Error) => error.message)) as string;

/** A tube along an axis, whose triangles are long and thin. */
function tube(count: number, axis: 0 | 1 | 2): Buffer {
  const bytes = Buffer.alloc(84 + count * 50);
  bytes.writeUInt32LE(count, 80);
  const corner = (turn: number, along: number) => {
    const angle = (turn * 4 * Math.PI) / count;
    const [x, y] = [15 * Math.cos(angle), 15 * Math.sin(angle)];
    return [
      [along, x, y],
      [x, along, y],
      [x, y, along],
    ][axis] as number[];
  };
  for (let triangle = 0; triangle < count; triangle++) {
    const turn = Math.floor(triangle / 2);
    const [from, to] = triangle % 2 === 0 ? [0, 400] : [400, 0];
    const numbers = [corner(turn, from), corner(turn + 1, from), corner(turn + (triangle % 2), to)].flat();
    for (const [index, number] of numbers.entries())
      bytes.writeFloatLE(number, 84 + triangle * 50 + 12 + index * 4);
  }
  return bytes;
}

/** The cube with other bytes in its spare ones, which hold a colour in most programs. */
function painted(header: string, spare: number): Buffer {
  const bytes = binaryCube();
  bytes.fill(0, 0, 80).write(header, 'latin1');
  for (let at = 84 + 48; at < bytes.length; at += 50) bytes.writeUInt16LE(spare, at);
  return bytes;
}

function uncounted(number: number): Buffer {
  const bytes = binaryCube();
  bytes.writeUInt32LE(number, 80);
  return bytes;
}

test.each<[string, string | Uint8Array, object]>([
  ['an STL of long triangles along X', tube(1440, 0), { triangles: 1440, dimensions: [400, 30, 30] }],
  ['an STL of long triangles along Y', tube(1440, 1), { triangles: 1440, dimensions: [30, 400, 30] }],
  ['an STL with two bytes behind its end', Buffer.concat([binaryCube(), Buffer.from('\r\n')]), cube],
  ['an STL whose header leaves open how many triangles it has', uncounted(0), cube],
  ['an STL whose header has the highest number there', uncounted(0xffffffff), cube],
  ['an STL that is filled up with zeros', Buffer.concat([binaryCube(), Buffer.alloc(900)]), cube],
  ['a binary STL whose header begins like text', painted('solid Exported from a program', 0), cube],
  ['a text STL with a byte order mark', `\ufeff${textCube()}`, cube],
  ['a text STL with comments', `# by hand\n${textCube().replace('\n', '\n// the first side\n')}`, cube],
  [
    'a text STL in capitals, with line ends of Windows',
    textCube().toUpperCase().replaceAll('\n', '\r\n'),
    cube,
  ],
  [
    'a text STL of two parts with names',
    `${textCube().replaceAll('solid', 'solid ')}${textCube()}`,
    { triangles: 24, leftOut: ['names of parts'] },
  ],
  [
    'a STEP file of two schemas, whose data have a name, with a comment before them',
    stepCylinder(10, 40)
      .replace(/FILE_SCHEMA\(\((.*)\)\)/, "FILE_SCHEMA(($1,'GEOMETRIC_VALIDATION_PROPERTIES_MIM'))")
      .replace('DATA;', "/* written by a program */ DATA('PART',('AUTOMOTIVE_DESIGN'));"),
    { dimensions: [20, 20, 40] },
  ],
  [
    'a STEP file that names a font and a document outside of it',
    stepCylinder(10, 40).replace(
      /ENDSEC;\s*END-ISO/,
      "#9001=EXTERNALLY_DEFINED_TEXT_FONT(IDENTIFIER('arial'),$);\n#9002=DOCUMENT('report','a report',$,$);\nENDSEC;\nEND-ISO",
    ),
    { dimensions: [20, 20, 40], leftOut: ['references to documents'] },
  ],
  ['a STEP file with a byte order mark', `\ufeff${stepCylinder(10, 40)}`, { dimensions: [20, 20, 40] }],
  ['a STEP file of two parts', stepAssembly(), { dimensions: [145, 10, 40], leftOut: ['names of parts'] }],
  [
    'a 3MF that uses prefixes it does not declare',
    cube3mf(
      model3mf()
        .replace('<build>', '<build slic3r:plate="1">')
        .replace('<vertex x="0" y="0" z="0"/>', '<vertex x="0" y="0" z="0" v:note="1"/>'),
    ),
    cube,
  ],
  [
    'a 3MF whose object has a lattice beside its triangles',
    cube3mf(
      model3mf(
        `<object id="1">${cubeMesh.replace('</mesh>', '<b:beamlattice xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02" radius="1"/></mesh>')}</object>`,
      ),
    ),
    { ...cube, leftOut: ['lattices', 'print settings'] },
  ],
  [
    'a 3MF with an object that only carries others while they are printed, and one that is not printed',
    cube3mf(
      model3mf(
        `<object id="1">${cubeMesh}</object><object id="2" type="support">${cubeMesh}</object>`,
        '<item objectid="1"/><item objectid="2"/><item objectid="1" printable="0" transform="1 0 0 0 1 0 0 0 1 90 0 0"/>',
      ),
    ),
    { ...cube, leftOut: ['parts that are not printed', 'print settings', 'supports'] },
  ],
  [
    'a 3MF of PrusaSlicer with a modifier in its mesh',
    cube3mf(model3mf(), {
      'Metadata/Slic3r_PE_model.config': Buffer.from(
        '<config><object id="1"><volume firstid="0" lastid="9"><metadata type="volume" key="volume_type" value="ModelPart"/></volume><volume firstid="10" lastid="11"><metadata type="volume" key="volume_type" value="ParameterModifier"/></volume></object></config>',
      ),
    }),
    { triangles: 10, leftOut: ['modifiers and supports of a slicer', 'print settings'] },
  ],
  [
    'a 3MF of Bambu Studio with a support blocker beside its part',
    cube3mf(
      model3mf(
        `<object id="1">${cubeMesh}</object><object id="2">${cubeMesh}</object><object id="3"><components><component objectid="1"/><component objectid="2" transform="1 0 0 0 1 0 0 0 1 90 0 0"/></components></object>`,
        '<item objectid="3"/>',
      ),
      {
        'Metadata/model_settings.config': Buffer.from(
          '<config><object id="3"><part id="1" subtype="normal_part"/><part id="2" subtype="support_blocker"/></object></config>',
        ),
      },
    ),
    { ...cube, leftOut: ['modifiers and supports of a slicer', 'print settings'] },
  ],
  [
    'a 3MF of Cura with a mesh that changes the filling of another',
    cube3mf(
      model3mf(
        `<object id="1">${cubeMesh}</object><object id="2"><metadatagroup><metadata name="cura:infill_mesh">True</metadata></metadatagroup>${cubeMesh}</object>`,
        '<item objectid="1"/><item objectid="2"/>',
      ),
    ),
    { ...cube, leftOut: ['modifiers and supports of a slicer', 'print settings'] },
  ],
])('%s is kept, and what is not is named', async (_name, content, facts) => {
  expect((await make(content)).file?.facts).toMatchObject(facts);
});

test.each<[string, string | Uint8Array, RegExp]>([
  [
    'an STL that is cut off',
    binaryCube().subarray(0, 400),
    /says 12 triangles, but it holds only 6\..*export it again/,
  ],
  ['a text STL that is cut off within a word', textCube().slice(0, 900), /STL is cut off/],
  ['a text STL with decimal commas', textCube('1,5'), /commas in its numbers.*decimal points/],
  ['a text STL in UTF-16', Buffer.from(`\ufeff${textCube()}`, 'utf16le'), /UTF-16.*binary STL/],
  [
    'a STEP file of lines alone',
    stepCylinder(10, 40).replaceAll('ADVANCED_FACE', 'EDGE_FACE'),
    /no solid and no surface|cannot be read/,
  ],
  [
    'a STEP file that names one with a shape',
    stepCylinder(10, 40).replace(
      /ENDSEC;\s*END-ISO/,
      "#9001=DOCUMENT_FILE('socket.stp','socket.stp',$,$,'',$);\nENDSEC;\nEND-ISO",
    ),
    /needs another file.*everything inside/,
  ],
  [
    'a 3MF that requires lattices',
    cube3mf(
      model3mf(
        `<object id="1">${cubeMesh.replace('</mesh>', '<b:beamlattice radius="1"/></mesh>')}</object>`,
      ).replace(
        '<model ',
        '<model xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02" requiredextensions="b" ',
      ),
    ),
    /holds lattices, which cannot be kept.*mesh of triangles/,
  ],
  [
    'a 3MF whose mesh stands for its slices',
    cube3mf(
      model3mf(`<object id="1" s:meshresolution="lowres">${cubeMesh}</object>`).replace(
        '<model ',
        '<model xmlns:s="http://schemas.microsoft.com/3dmanufacturing/slice/2015/07" ',
      ),
    ),
    /rough mesh that stands for its slices/,
  ],
  [
    'a 3MF whose slicer cuts a part out of another',
    cube3mf(model3mf(), {
      'Metadata/model_settings.config': Buffer.from(
        '<config><object id="1"><part id="1" subtype="negative_part"/></object></config>',
      ),
    }),
    /cuts out of others.*export the shape/,
  ],
  ['a ZIP file of other files', cube3mf(model3mf(), {}).slice(0, 0), /Only PDF, STL/],
])('%s is refused with the reason and a way out', async (_name, content, reason) => {
  expect(await refused(content)).toMatch(reason);
});

test.each([
  ['after the colour of the whole in the header', painted('COLOR=\x00\x00\xff\xff', 0x001f)],
  ['in the other order', painted('', 0x8000 | (31 << 10))],
])('colours of an STL %s are in the image and in the download', async (_name, sent) => {
  const { contents } = await make(sent);
  const written = contents[0] ?? Buffer.alloc(0);
  expect(written.toString('latin1', 0, 6)).toBe('COLOR=');
  expect(written.readUInt16LE(84 + 48)).toBe(0x001f);
});
