import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openCascade from 'occt-import-js';
import type { JobResult } from '../job.ts';
import { LIMITS } from '../limits.ts';
import { type Colours, cross, dot, type Mesh, measure, refuseTriangles, type Vector } from './mesh.ts';
import { previewMesh } from './preview-mesh.ts';
import { FileProblem } from './problem.ts';

const TOKEN =
  /\s+|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[0-9A-F]*"|#\d+|![A-Za-z_]\w*|[A-Za-z_][\w-]*|\.\w+\.|[+-]?\d[\d.]*(?:[Ee][+-]?\d+)?|<[^>\n]*>|[()=,;$*{}:]/gy;
/** The texts that a program needs to read the shape. All others are the author's, and are emptied. */
const KEPT_TEXTS = new Set(
  `APPLICATION_CONTEXT APPLICATION_PROTOCOL_DEFINITION CONVERSION_BASED_UNIT DESIGN_CONTEXT FILE_SCHEMA MECHANICAL_CONTEXT
  PRODUCT_CONTEXT PRODUCT_DEFINITION_CONTEXT UNCERTAINTY_MEASURE_WITH_UNIT PRE_DEFINED_CURVE_FONT
  DRAUGHTING_PRE_DEFINED_CURVE_FONT DRAUGHTING_PRE_DEFINED_COLOUR PRODUCT_RELATED_PRODUCT_CATEGORY`.split(
    /\s+/,
  ),
);
/** The name of a file that holds a shape, and with it a part of this one. */
const OUTSIDE =
  /\.(?:ste?pz?|stpz|p21|prt|asm|par|psm|sldprt|sldasm|catpart|catproduct|ipt|iam|igs|iges|jt|x_t|x_b|sat|brep|3dm)$/i;
const SCHEMA = /^'[\w{}\s.-]{1,200}'$/;
/** What the texts were of that are emptied, where readers may look for them. */
const TEXTS: [RegExp, string][] = [
  [/^PRODUCT$/, 'names of parts'],
  [/^PRESENTATION_LAYER_ASSIGNMENT$/, 'names of layers'],
  [/^DOCUMENT(?:_FILE)?$/, 'references to documents'],
  [/^DESCRIPTIVE_REPRESENTATION_ITEM$|^TEXT_LITERAL|DIMENSION|TOLERANCE|^DATUM|^ANNOTATION/, 'notes'],
];
/** The distance at which triangles may lie from the shape, in parts of its size. */
const FINE = 0.0005;
const COARSE = 0.001;
const MAX_TOKENS = 20_000_000;
const HEADER = (schema: string) =>
  `ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(${schema});\nENDSEC;\n`;

/** Writes the shape again without the texts of its author, and triangles of it to look at. */
export async function makeStep(path: string, folder: string): Promise<JobResult> {
  const { text, leftOut } = rewrite(await readFile(path, 'latin1'));
  refuseMirrored(text);
  const rewritten = Buffer.from(text, 'latin1');
  const { mesh, colours } = await tessellate(rewritten);
  const facts = { ...measure(mesh), ...(leftOut.length > 0 && { leftOut }) };
  // Triangles lie a little inside of a curved shape.
  facts.dimensions = facts.dimensions.map((edge) => Math.round(edge * 10) / 10) as typeof facts.dimensions;
  await writeFile(join(folder, 'file.step'), rewritten);
  const { previews, width, height } = await previewMesh(mesh, folder, colours);
  return { files: ['file.step', ...previews], width, height, file: { type: 'step', facts, pageTexts: [] } };
}

/** The sections of data as one, below a header with nothing but their schemas. */
function rewrite(text: string) {
  const out: string[] = [];
  const schemas: string[] = [];
  const names: string[] = [];
  const emptied = new Map<string, number>();
  let [section, statement, name, count] = ['', '', '', 0];
  TOKEN.lastIndex = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  while (TOKEN.lastIndex < text.length && statement !== 'END-ISO-10303-21') {
    const at = TOKEN.lastIndex;
    const [token] = TOKEN.exec(text) ?? [];
    // Names of places and signatures stand in other sections.
    if (token === undefined || (section === 'DATA' && /^[<{}:]/.test(token)))
      throw new FileProblem(`This STEP file is damaged at character ${at + 1}. Export it again.`);
    if (++count > MAX_TOKENS) throw new FileProblem('This STEP file has too many parts.');
    if (token.startsWith('/*') || /^\s/.test(token)) continue;
    if (/^[!A-Za-z_]/.test(token)) name = token.toUpperCase();
    statement ||= name || token;
    if (token === '(') {
      names.push(name);
      name = names.at(-1) ?? '';
    } else if (token === ')') names.pop();
    const own = names.at(-1) ?? '';
    if (token.startsWith('"')) throw new FileProblem('This STEP file contains another file.');
    const isText = token.startsWith("'");
    if (isText && statement === 'FILE_SCHEMA' && SCHEMA.test(token)) schemas.push(token);
    if (isText && own === 'DOCUMENT_FILE' && OUTSIDE.test(token.slice(1, -1)))
      throw new FileProblem('This STEP file needs another file. Export it with everything inside.');
    if (section === 'DATA' && statement !== 'ENDSEC') {
      const isEmptied = isText && token.length > 2 && !KEPT_TEXTS.has(own);
      if (isEmptied) emptied.set(own, (emptied.get(own) ?? 0) + 1);
      out.push(isEmptied ? "''" : token);
    }
    if (token !== ';') continue;
    if (section === 'DATA' && statement !== 'ENDSEC') out.push('\n');
    if (statement === 'REFERENCE')
      throw new FileProblem('This STEP file needs another file. Export it with everything inside.');
    if (statement === 'ENDSEC') section = '';
    else if (section === '') section = statement;
    [statement, name] = ['', ''];
  }
  if (schemas.length === 0 || out.length === 0)
    throw new FileProblem('This STEP file has no header or no shape in it. Export it again.');
  if (statement !== 'END-ISO-10303-21') throw new FileProblem('This STEP file is cut off. Export it again.');
  const leftOut = TEXTS.filter(([pattern]) =>
    [...emptied].some(([entity, times]) => pattern.test(entity) && (entity !== 'PRODUCT' || times > 3)),
  ).map(([, note]) => note);
  return { text: `${HEADER(`(${schemas})`)}DATA;\n${out.join('')}ENDSEC;\nEND-ISO-10303-21;\n`, leftOut };
}

const OPERATOR = /CARTESIAN_TRANSFORMATION_OPERATOR_3D(\w*)\(([^;]*)\);/gi;
/** Its axes; it has three texts first, and behind its origin the factor 1 or none. */
const RIGID = /^(?:(?:''|\$),){3}(#\d+|\$),(#\d+|\$),#\d+,(?:1\.0*(?:E[+-]?0+)?|\$),(#\d+|\$)$/i;

/**
 * The library places a part that is mirrored as if it were turned, and forgets that it is scaled: a left hand would be shown as a
 * right one.
 */
function refuseMirrored(text: string): void {
  let directions: Map<string, Vector> | undefined;
  for (const [, kind, values = ''] of text.matchAll(OPERATOR)) {
    const [isRigid, ...axes] = (kind === '' && RIGID.exec(values)) || [];
    directions ??= new Map(
      [...text.matchAll(/(#\d+)=DIRECTION\([^(]*\(([^)]*)\)\)/gi)].map(([, id = '', numbers = '']) => [
        id,
        numbers.split(',').map(Number) as Vector,
      ]),
    );
    const [x, y, z] = axes.map((id) => directions?.get(id));
    const isMirrored = x && y && z && dot(cross(x, y), z) < 0;
    if (!isRigid || isMirrored)
      throw new FileProblem(
        'A part of this STEP file is mirrored or scaled where it is placed, which cannot be shown as it is. Export that part as a shape of its own and choose the file again.',
      );
  }
}

async function tessellate(bytes: Uint8Array): Promise<{ mesh: Mesh; colours?: Colours }> {
  const library = await openCascade();
  const read = (linearDeflection: number) => {
    const { success, meshes } = library.ReadStepFile(bytes, { linearUnit: 'millimeter', linearDeflection });
    if (!success) throw new FileProblem('The shape of this STEP file cannot be read.');
    return { meshes, count: meshes.reduce((sum, { index }) => sum + index.array.length / 3, 0) };
  };
  let { meshes, count } = read(FINE);
  if (count > LIMITS.triangles) ({ meshes, count } = read(COARSE));
  refuseTriangles(count);
  if (count === 0)
    throw new FileProblem(
      'This STEP file holds no solid and no surface. Export the shape itself, not only its lines.',
    );
  const mesh = new Float32Array(count * 9);
  const colours: Colours = [];
  let at = 0;
  for (const { attributes, index, color, brep_faces: faces } of meshes) {
    for (const corner of index.array) {
      for (let axis = 0; axis < 3; axis++)
        mesh[at++] = attributes.position.array[corner * 3 + axis] ?? Number.NaN;
    }
    const before = colours.length;
    colours.length = at / 9;
    colours.fill(color && rgb(color), before);
    for (const face of faces)
      if (face.color) colours.fill(rgb(face.color), before + face.first, before + face.last + 1);
  }
  return { mesh, ...(colours.some(Boolean) && { colours }) };
}

const rgb = (parts: [number, number, number]) =>
  parts.map((part) => Math.round(part * 255)) as [number, number, number];
