import { type CssNode, generate, ident, parse, tokenize, tokenTypes } from 'css-tree';
import { cutText } from '../../../texts/cut-text.ts';
import { FileProblem } from '../problem.ts';

const set = (text: string) => new Set(text.split(/\s+/));
/** The functions that the library knows; what it does not know it would pass over, and draw in black. */
const CALLS = set(
  `url rgb rgba hsl hsla matrix translate translateX translateY scale scaleX scaleY rotate skewX skewY`,
);
const CALL = /([\w-]+)\(/g;
const UNITS = /\d(?:rem|r?lh|ch|cap|ic|[sld]?v(?:w|h|i|b|min|max)|q)\b/i;
const PAINTS = set('fill stroke color stop-color');
const PAINT = /^(?:url\(#[\w.:-]+\)\s*)?(?:[a-z]+|#[\da-f]{3,8}|(?:rgb|hsl)a?\([\d\s.,%+-]*\))?$/i;
const BLEND_MODES =
  set(`normal multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion
  hue saturation color luminosity`);
/** The parts of a font that one declaration may give together. */
const FONT = /^((?:[\w-]+\s+){0,4}?)(\d[\d.]*(?:px|pt|em|mm|cm|in|pc|%)?)(?:\s*\/\s*\S+)?\s+(\S.*)$/;
/** What the library reads from attributes alone, or not at all. */
const MOVING = set('translate rotate scale offset-path mask-image');
const GEOMETRY = new Set([...MOVING, ...set('x y cx cy r rx ry d width height')]);
/** The properties that change what is drawn, by how their names begin. */
const DRAWING =
  /^(?:alignment|baseline|clip|color$|direction$|display|dominant|fill|font-size|letter|marker|mask|mix|opacity|paint|stop|stroke|text|transform|vector|visibility|word)/;
/** Capitals in the size of small letters, as a variant or as a feature of a font. */
const SMALL = /small-caps|petite-caps|unicase|titling-caps|smcp|c2sc|pcap/;
const SELECTOR = /^[\w\s.#*>+[\]="'-]+(?::first-child)?$/;
/** The brackets within brackets. */
const MAX_DEPTH = 20;
/** What the faults of a style may take, in letters that are gone through. */
const MAX_FAULT_WORK = 20_000_000;
const COMMENT = /\/\*|<!--|-->/;
/** What is true of a drawing while someone points at it. */
const POINTED = /:(?:hover|focus|active|visited|target)/;

/** The library tries each way up through the groups around an element. */
const MAX_STEPS = 3;
/** The number of elements that a selector names one inside the other. */
export const stepsOf = (selector: string) => selector.split(/[\s>+]+/).length;

/** A style that the drawing cannot be right without. */
export const unknownStyle = (style: string) =>
  new FileProblem(
    `This SVG has a style that cannot be kept (“${cutText(style.replaceAll(/\s+/g, ' ').trim(), 40)}”). Turn that part into paths, or remove the style, and choose it again.`,
  );

/** An id that a reference can name without quotes. */
export const plainId = (id: string) =>
  id.replaceAll(/[^\w.:-]/gu, (letter) => `_${letter.codePointAt(0)?.toString(16)}_`);

/** The value of a property as the library reads it. @param leftOut is told what could not be kept */
export function keptValue(name: string, text: string, leftOut: Set<string>): string {
  const property = name.toLowerCase();
  let value = text
    .replaceAll(/url\(([^()]*)\)/gi, (_, quoted: string) => {
      const target = quoted.trim().replaceAll(/^["']|["']$/g, '');
      if (target.startsWith('#')) return `url(#${plainId(target.slice(1))})`;
      leftOut.add('linked parts');
      return 'none';
    })
    .replaceAll(/(?:icc|device)-color\([^()]*\)/gi, '')
    // Of the colours for light and for dark screens, paper has the first.
    .replaceAll(/light-dark\(((?:[^(),]|\([^()]*\))*),(?:[^()]|\([^()]*\))*\)/gi, '$1')
    .trim();
  const plain = value.replace(/\s*!important$/, '');
  if (property === 'filter') {
    if (plain !== 'none') leftOut.add('filters');
    return 'none';
  }
  if (property.startsWith('font-') && SMALL.test(plain)) leftOut.add('small capitals');
  if (PAINTS.has(property)) {
    if (/^context-(?:fill|stroke)$/.test(plain)) return value;
    if (!PAINT.test(plain)) throw unknownStyle(`${name}: ${text}`);
    return value.replace(/currentcolor/i, 'currentColor').replace(/rebeccapurple/i, '#663399');
  }
  if (!DRAWING.test(property)) return value;
  if (property === 'transform') value = value.replaceAll(/(?<=\d)(?:deg|px)\b/g, '');
  if (property === 'transform-box' || (property === 'transform-origin' && !/^(?:0\w*\s*){1,3}$/.test(plain)))
    throw unknownStyle(`${name}: ${text}`);
  const isUnknown =
    (property === 'mix-blend-mode' && !BLEND_MODES.has(plain)) ||
    (property === 'text-transform' && plain !== 'none') ||
    (property === 'direction' && plain === 'rtl');
  if (isUnknown) throw unknownStyle(`${name}: ${text}`);
  if (property === 'vector-effect' && plain === 'non-scaling-stroke')
    leftOut.add('line widths that do not scale');
  if (
    (property === 'display' && plain === 'none') ||
    (property === 'visibility' && plain !== 'visible') ||
    (property === 'opacity' && Number.parseFloat(plain) === 0)
  )
    leftOut.add('hidden parts');
  if (
    UNITS.test(plain) ||
    plain.includes('\\') ||
    [...plain.matchAll(CALL)].some(([, call = '']) => !CALLS.has(call))
  )
    throw unknownStyle(`${name}: ${text}`);
  return value;
}

/** The parts of a style or a sheet, without comments. */
function partsIn(text: string, context: 'declarationList' | 'stylesheet'): CssNode[] {
  const plain = COMMENT.test(text) ? withoutComments(text) : text;
  let depth = 0;
  for (const [bracket] of plain.matchAll(/[()[\]{}]/g)) {
    depth = Math.max(0, depth + ('([{'.includes(bracket) ? 1 : -1));
    if (depth > MAX_DEPTH) throw unknownStyle(text);
  }
  let work = 0;
  const parts = parse(plain, {
    context,
    parseValue: false,
    parseAtrulePrelude: false,
    // The parser goes through all of a style for the message of each fault.
    onParseError: () => {
      work += plain.length;
      if (work > MAX_FAULT_WORK) throw unknownStyle(text);
    },
  });
  return 'children' in parts ? [...(parts.children ?? [])] : [];
}

function withoutComments(text: string): string {
  let plain = '';
  tokenize(text, (type, start, end) => {
    if (![tokenTypes.Comment, tokenTypes.CDO, tokenTypes.CDC].includes(type)) plain += text.slice(start, end);
  });
  return plain;
}

/** The declarations of a `style`. @param isShape whether they would give a shape its size */
export const keptDeclarations = (text: string, isShape: boolean, leftOut: Set<string>): string =>
  kept(partsIn(text, 'declarationList'), isShape, leftOut);

function kept(parts: CssNode[], isShape: boolean, leftOut: Set<string>): string {
  const declarations: string[] = [];
  for (const part of parts) {
    // What is neither a declaration nor a rule is passed over by all programs.
    if (part.type === 'Raw' && !part.value.includes('{')) continue;
    if (part.type !== 'Declaration')
      throw unknownStyle(part.type === 'Raw' ? part.value : 'a rule in another');
    const written = ident.decode(part.property).toLowerCase();
    const name = written === 'text-decoration-line' ? 'text-decoration' : written;
    const value = generate(part.value) + (part.important ? '!important' : '');
    if (name.startsWith('-')) continue;
    if (name.startsWith('background') && !/^\s*(?:none|transparent)\s*$/i.test(value))
      leftOut.add('background');
    const isUnread = isShape ? GEOMETRY.has(name) : MOVING.has(name);
    if (isUnread && value !== 'none') throw unknownStyle(`${name}:${value}`);
    declarations.push(
      name === 'font' ? longFont(value, leftOut) : `${name}:${keptValue(name, value, leftOut)}`,
    );
  }
  return declarations.join(';');
}

function longFont(value: string, leftOut: Set<string>): string {
  const [, looks = '', size, family] = FONT.exec(value.trim()) ?? [];
  if (!size) throw unknownStyle(`font: ${value}`);
  if (SMALL.test(looks)) leftOut.add('small capitals');
  const [weight] = /\b(?:bold|bolder|lighter|[1-9]00)\b/.exec(looks) ?? [];
  const [style] = /\b(?:italic|oblique)\b/.exec(looks) ?? [];
  return `font-style:${style ?? 'normal'};font-weight:${weight ?? 'normal'};font-size:${size};font-family:${family}`;
}

/** The rules of a style sheet. */
export const keptRules = (text: string, leftOut: Set<string>): string[] =>
  partsIn(text, 'stylesheet').flatMap((part) => keptRule(part, leftOut));

function keptRule(part: CssNode, leftOut: Set<string>): string[] {
  if (part.type === 'Atrule') {
    const [name, prelude] = [part.name.toLowerCase(), part.prelude ? generate(part.prelude) : ''];
    if (name === 'import') leftOut.add('linked style sheets');
    else if (name.endsWith('keyframes')) leftOut.add('animations');
    else if (name === 'media' && /^(?:all|screen)$/i.test(prelude))
      return [...(part.block?.children ?? [])].flatMap((inner) => keptRule(inner, leftOut));
    else if (name === 'media' && /print|prefers-|hover|pointer/.test(prelude))
      leftOut.add('styles for other screens');
    else if (part.block && name !== 'font-face' && name !== 'page') throw unknownStyle(`@${name} ${prelude}`);
    return [];
  }
  if (part.type !== 'Rule') return [];
  const declarations = kept([...part.block.children], true, leftOut);
  if (declarations === '') return [];
  // The library lets an element's own style win over it.
  if (declarations.includes('!important')) throw unknownStyle(generate(part));
  const selectors = part.prelude.type === 'SelectorList' ? [...part.prelude.children] : [part.prelude];
  return selectors
    .map((selector) => generate(selector).replace(/^:root/, 'svg'))
    .filter((selector) => !POINTED.test(selector))
    .map((selector) => {
      if (!SELECTOR.test(selector) || stepsOf(selector) > MAX_STEPS) throw unknownStyle(selector);
      return `${selector}{${declarations}}`;
    });
}
