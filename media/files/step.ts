import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openCascade from 'occt-import-js';
import type { JobResult } from '../job.ts';
import { LIMITS } from '../limits.ts';
import { type Mesh, measure, refuseTriangles } from './mesh.ts';
import { previewMesh } from './preview-mesh.ts';
import { FileProblem } from './problem.ts';

const TOKEN =
  /\s+|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[0-9A-F]*"|#\d+|![A-Za-z_]\w*|[A-Za-z_][\w-]*|\.\w+\.|[+-]?\d[\d.]*(?:[Ee][+-]?\d+)?|[()=,;$*]/gy;
/** The texts that a program needs to read the shape. All others are the author's, and are emptied. */
const KEPT_TEXTS = new Set(
  `APPLICATION_CONTEXT APPLICATION_PROTOCOL_DEFINITION CONVERSION_BASED_UNIT DESIGN_CONTEXT FILE_SCHEMA MECHANICAL_CONTEXT
  PRODUCT_CONTEXT PRODUCT_DEFINITION_CONTEXT UNCERTAINTY_MEASURE_WITH_UNIT PRE_DEFINED_CURVE_FONT
  DRAUGHTING_PRE_DEFINED_CURVE_FONT DRAUGHTING_PRE_DEFINED_COLOUR PRODUCT_RELATED_PRODUCT_CATEGORY`.split(
    /\s+/,
  ),
);
const OUTSIDE =
  /^(?:DOCUMENT_FILE|DOCUMENT_REFERENCE|APPLIED_DOCUMENT_REFERENCE|EXTERNAL\w*|APPLIED_EXTERNAL\w*|CC_DESIGN_SPECIFICATION_REFERENCE)$/;
/** How far triangles may lie from the shape, in parts of its size. */
const FINE = 0.0002;
const COARSE = 0.001;
const MAX_TOKENS = 20_000_000;
const HEADER = (schema: string) =>
  `ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(${schema});\nENDSEC;\n`;

/** Writes the shape again without the texts of its author, and triangles of it to look at. */
export async function makeStep(path: string, folder: string): Promise<JobResult> {
  const text = rewrite(await readFile(path, 'latin1'));
  const rewritten = Buffer.from(text, 'latin1');
  const mesh = await tessellate(rewritten);
  const facts = measure(mesh);
  // Triangles lie a little inside of a curved shape.
  facts.dimensions = facts.dimensions.map((edge) => Math.round(edge * 10) / 10) as typeof facts.dimensions;
  await writeFile(join(folder, 'file.step'), rewritten);
  const { previews, width, height } = await previewMesh(mesh, folder);
  return { files: ['file.step', ...previews], width, height, file: { type: 'step', facts, pageTexts: [] } };
}

function rewrite(text: string): string {
  const schema = /\bFILE_SCHEMA\s*\(\s*(\(\s*'[\w{}\s.-]{1,200}'\s*\))\s*\)\s*;/.exec(
    text.slice(0, 20_000),
  )?.[1];
  const data = /\bENDSEC\s*;\s*(?=DATA\s*;)/.exec(text);
  if (!schema || !data) throw new FileProblem('This STEP file has no header or no shape in it.');
  const out = [HEADER(schema)];
  const names: string[] = [];
  let [name, count, ended] = ['', 0, false];
  TOKEN.lastIndex = data.index + data[0].length;
  while (TOKEN.lastIndex < text.length && !ended) {
    const at = TOKEN.lastIndex;
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) throw new FileProblem(`This STEP file is damaged at character ${at + 1}.`);
    if (++count > MAX_TOKENS) throw new FileProblem('This STEP file has too many parts.');
    if (token.startsWith('/*') || /^\s/.test(token)) continue;
    if (/^[!A-Za-z_]/.test(token)) {
      name = token.toUpperCase();
      if (OUTSIDE.test(name))
        throw new FileProblem('This STEP file needs another file. Export it with everything inside.');
      if (name === 'END-ISO-10303-21') ended = true;
    } else if (token === '(') {
      names.push(name);
      name = names.at(-1) ?? '';
    } else if (token === ')') names.pop();
    if (token.startsWith("'")) out.push(KEPT_TEXTS.has(names.at(-1) ?? '') ? token : "''");
    else if (token.startsWith('"')) throw new FileProblem('This STEP file contains another file.');
    else out.push(token);
    if (token === ';') {
      out.push('\n');
      name = '';
    }
  }
  if (!ended) throw new FileProblem('This STEP file is cut off.');
  out.push(';\n');
  return out.join('');
}

async function tessellate(bytes: Uint8Array): Promise<Mesh> {
  const library = await openCascade();
  const read = (linearDeflection: number) => {
    const { success, meshes } = library.ReadStepFile(bytes, { linearUnit: 'millimeter', linearDeflection });
    if (!success) throw new FileProblem('The shape of this STEP file cannot be read.');
    return { meshes, count: meshes.reduce((sum, { index }) => sum + index.array.length / 3, 0) };
  };
  let { meshes, count } = read(FINE);
  if (count > LIMITS.triangles) ({ meshes, count } = read(COARSE));
  refuseTriangles(count);
  const mesh = new Float32Array(count * 9);
  let at = 0;
  for (const { attributes, index } of meshes)
    for (const corner of index.array) {
      for (let axis = 0; axis < 3; axis++)
        mesh[at++] = attributes.position.array[corner * 3 + axis] ?? Number.NaN;
    }
  return mesh;
}
