import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SaxesTagNS } from 'saxes';
import sharp from 'sharp';
import type { JobResult } from '../job.ts';
import { LIMITS } from '../limits.ts';
import { PICTURE } from './mesh.ts';
import { drawingTexts } from './page-text.ts';
import { FileProblem } from './problem.ts';
import { readXml } from './xml.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const words = (text: string) => new Set(text.split(/\s+/));

/** The elements that draw. All others go with everything in them. */
const ELEMENTS = words(`svg g defs symbol use path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath style`);
const PROPERTIES =
  words(`fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color display visibility clip-path clip-rule font-family
  font-size font-style font-weight text-anchor dominant-baseline letter-spacing stop-color stop-opacity vector-effect
  transform-origin paint-order`);
const ATTRIBUTES =
  words(`x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy rotate width height d points transform viewBox
  preserveAspectRatio offset gradientUnits gradientTransform spreadMethod clipPathUnits textLength lengthAdjust`);
/** Numbers, names, colours and calls; no quote, escaped, colon or address. */
const VALUE = /^[\w\s.,%#()+-]*$/;
const CALL = /(?<![\w-])([\w-]+)\s*\(/g;
const CALLS = words('rgb rgba hsl hsla matrix translate scale rotate skewX skewY');
const LOCAL = /^url\(\s*["']?#([\w-]{1,64})["']?\s*\)$/;
const ID = /^[\w-]{1,64}$/;
const RULE = /(?<![^{}])([^{}]+)\{([^{}]*)\}/g;
const SELECTOR = /^[\w\s.#,*-]+$/;
/** In millimetres. */
const UNITS: Record<string, number> = {
  '': 25.4 / 96,
  px: 25.4 / 96,
  pt: 25.4 / 72,
  pc: 25.4 / 6,
  mm: 1,
  cm: 10,
  in: 25.4,
};
const EDGE = 1600;
/** Of a text in one run: laying out a longer one takes many times as long as several short ones. */
const MAX_TEXT = 1000;

/** Writes a drawing again of what draws alone. */
export async function makeSvg(path: string, folder: string): Promise<JobResult> {
  const { text, facts, words } = rewrite(await readFile(path));
  await writeFile(join(folder, 'file.svg'), text);
  const size = await drawSvg(text, join(folder, PICTURE));
  return {
    files: ['file.svg', PICTURE],
    ...size,
    file: { type: 'svg', facts, pageTexts: drawingTexts(words) },
  };
}

/** A still picture of a drawing that the site itself has written. */
export async function drawSvg(text: string, path: string) {
  try {
    const { width, height } = await sharp(Buffer.from(text), { unlimited: false })
      .resize(EDGE, EDGE, { fit: 'inside' })
      .flatten({ background: 'white' })
      .webp({ quality: 85, effort: 3 })
      .toFile(path);
    return { width, height };
  } catch {
    throw new FileProblem('This drawing cannot be drawn. It may be empty, too large or damaged.');
  }
}

function rewrite(bytes: Uint8Array) {
  const out: string[] = [];
  const words: string[] = [];
  const copied = new Set<string>();
  const withCopies = new Set<string>();
  const ids: (string | undefined)[] = [];
  let [skipped, shapes, copies, texts, run] = [0, 0, 0, 0, 0];
  let root: { width: number; height: number } | undefined;
  let style: string | undefined;
  readXml(bytes, 'SVG', {
    open: (tag) => {
      if (!root && (tag.local !== 'svg' || tag.uri !== SVG))
        throw new FileProblem('This is not an SVG drawing.');
      if (skipped > 0 || tag.uri !== SVG || !ELEMENTS.has(tag.local)) {
        skipped++;
        return;
      }
      if (++shapes > LIMITS.shapes) throw tooMany();
      if (tag.local === 'text') texts++;
      run = 0;
      const attributes = keptAttributes(tag);
      if (!root) {
        root = sizeOf(tag);
        attributes.set('xmlns', SVG);
        attributes.set('viewBox', attributes.get('viewBox') ?? `0 0 ${root.width} ${root.height}`);
        attributes.set('width', `${root.width}mm`);
        attributes.set('height', `${root.height}mm`);
      }
      if (tag.local === 'use') {
        copies++;
        copied.add(attributes.get('href')?.slice(1) ?? '');
        for (const id of ids) if (id) withCopies.add(id);
      }
      ids.push(attributes.get('id'));
      style = tag.local === 'style' ? '' : undefined;
      const written = [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
      out.push(`<${tag.local}${written}>`);
    },
    text: (content) => {
      if (skipped > 0) return;
      if (style !== undefined) {
        style += content;
        return;
      }
      // Outside of a text nothing is drawn.
      if (texts === 0) return;
      run += content.length;
      if (run > MAX_TEXT)
        throw new FileProblem(
          `A text of this SVG has more than ${MAX_TEXT} characters. Divide it into lines and choose it again.`,
        );
      out.push(escaped(content));
      words.push(content);
    },
    close: (tag) => {
      if (skipped > 0) {
        skipped--;
        return;
      }
      ids.pop();
      if (tag.local === 'text') texts--;
      run = 0;
      if (style !== undefined) out.push(escaped(keptRules(style)));
      style = undefined;
      out.push(`</${tag.local}>`);
    },
  });
  if (!root) throw new FileProblem('This is not an SVG drawing.');
  if (copied.size > 0 && [...copied].some((id) => withCopies.has(id)))
    throw new FileProblem('This SVG has copies within copies. Flatten it and choose it again.');
  if (copies * shapes > LIMITS.shapes * 10) throw tooMany();
  return { text: out.join(''), facts: { dimensions: [root.width, root.height] }, words };
}

const tooMany = () =>
  new FileProblem(
    `This drawing has more than ${LIMITS.shapes} lines and shapes. Simplify it and choose it again.`,
  );

function keptAttributes(tag: SaxesTagNS): Map<string, string> {
  const kept = new Map<string, string>();
  for (const { prefix, local, uri, value } of Object.values(tag.attributes)) {
    if (local === 'href' && (prefix === '' || uri === XLINK)) {
      if (/^#[\w-]{1,64}$/.test(value)) kept.set('href', value);
      else if (tag.local === 'use') throw new FileProblem('This SVG needs another file.');
    } else if (prefix !== '') continue;
    else if (local === 'style') {
      const declarations = keptDeclarations(value);
      if (declarations) kept.set('style', declarations);
    } else if ((local === 'id' && ID.test(value)) || (local === 'class' && /^[\w\s-]*$/.test(value)))
      kept.set(local, value);
    else if (ATTRIBUTES.has(local) ? isPlain(value) : PROPERTIES.has(local) && isSafe(value))
      kept.set(local, value);
  }
  return kept;
}

const isPlain = (value: string) =>
  VALUE.test(value) && [...value.matchAll(CALL)].every(([, call]) => CALLS.has(call ?? ''));
const isSafe = (value: string) => LOCAL.test(value.trim()) || isPlain(value);

function keptDeclarations(text: string): string {
  return text
    .split(';')
    .map((declaration) => declaration.split(':').map((part) => part.trim()))
    .map(([name = '', ...value]) => [name, value.join(':').replaceAll(/["']/g, '')] as const)
    .filter(([name, value]) => PROPERTIES.has(name) && isSafe(value))
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
}

function keptRules(text: string): string {
  const plain = text
    .replaceAll(/\/\*.*?(?:\*\/|$)/gs, '')
    .replaceAll(/(?<=^|[;{}])\s*@[^;{}]*(?:;|\{(?:[^{}]|\{[^{}]*\})*\})/g, '');
  return [...plain.matchAll(RULE)]
    .filter(([, selector = '']) => SELECTOR.test(selector.trim()))
    .map(([, selector = '', declarations = '']) => `${selector.trim()}{${keptDeclarations(declarations)}}`)
    .join('');
}

function sizeOf(tag: SaxesTagNS) {
  const read = (name: string) =>
    Object.values(tag.attributes).find(({ local, prefix }) => local === name && prefix === '')?.value;
  const box =
    read('viewBox')
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const edge = (name: string, inBox: number | undefined) => {
    const [, number = '', unit = ''] =
      /^([\d.]+(?:e[+-]?\d+)?)\s*([a-z]*)$/i.exec(read(name)?.trim() ?? '') ?? [];
    return Number(number || (inBox ?? 0)) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  };
  const [width, height] = [edge('width', box[2]), edge('height', box[3])];
  if (!(width > 0 && height > 0 && Math.max(width, height) <= LIMITS.modelEdge))
    throw new FileProblem('This SVG does not say how large it is, or is larger than 100 metres.');
  return { width: Math.round(width * 100) / 100, height: Math.round(height * 100) / 100 };
}

/** For text and for attributes. */
export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
