import type { SaxesTagNS } from 'saxes';
import { LIMITS } from '../../limits.ts';
import { FileProblem, otherKind } from '../problem.ts';
import { attributeOf, escaped, readXml } from '../xml.ts';
import { Copies } from './copies.ts';
import { Markers, type Paints } from './markers.ts';
import { keptDeclarations, keptRules, keptValue, plainId, stepsOf, unknownStyle } from './style.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const set = (text: string) => new Set(text.split(/\s+/));

/** The elements that draw. All others go with everything in them. */
const ELEMENTS =
  set(`svg g a defs symbol use switch path rect circle ellipse line polyline polygon image text tspan textPath
  linearGradient radialGradient stop clipPath mask pattern marker style`);
/** What is said of those that go. */
const LEFT_OUT: Record<string, string> = {
  foreignObject: 'web page parts',
  flowRoot: 'flowed text',
  script: 'scripts',
  animate: 'animations',
  animateColor: 'animations',
  animateMotion: 'animations',
  animateTransform: 'animations',
  set: 'animations',
  mesh: 'mesh gradients',
  meshgradient: 'mesh gradients',
  hatch: 'hatching',
};
/** Notes on the drawing and settings, which no program draws, and filters, which are named where a part uses them. */
const UNDRAWN = set('title desc metadata view cursor color-profile font font-face script-data filter');
const STYLED =
  /^(?:alignment-|clip-path$|clip-rule$|color$|direction$|display$|fill|filter$|font-(?:size$|variant)|letter-|marker|mask$|opacity$|stop-|stroke|text-|transform-|vector-|visibility$|word-)/;
const SHAPES = set('rect circle ellipse path line polyline polygon image use');
const IMAGE = /^data:image\/(?:png|jpe?g);base64,/i;
/** The letters of a text in one run: laying out a longer one takes many times as long as several short ones. */
const MAX_TEXT = 1000;
/** Each becomes an outline of some hundred bytes. */
const MAX_LETTERS = 50_000;
/** Style rules times elements: each rule is tried on each element. */
const MAX_MATCHES = 20_000_000;

export interface Drawing {
  /** The elements that draw, with their attributes, as one SVG. */
  text: string;
  /** Each text of the drawing. */
  words: string[];
  /** Whether it says its size in pixels alone, of which programs make inches in several ways. */
  isInPixels: boolean;
  leftOut: Set<string>;
}

/** Reads an SVG for what draws in it. @throws when what is left could not be the same drawing */
export function readDrawing(bytes: Uint8Array): Drawing {
  const out: string[] = [];
  const words: string[] = [];
  const leftOut = new Set<string>();
  const copies = new Copies();
  const markers = new Markers();
  /** Where the content of an open marker begins. */
  const markerStarts: { attributes: Map<string, string>; at: number }[] = [];
  /** The classes, ids and elements that style sheets hide. */
  const hiding = new Set<string>();
  /** What the rules of style sheets draw, by the class, id or element that they end with. */
  const ruled = new Map<string, ReturnType<typeof partsOf>>();
  const paints: Paints[] = [{ fill: 'black', stroke: 'none', isSure: true }];
  let [skipped, elements, rules, texts, letters, run, hiddenFrom] = [0, 0, 0, 0, 0, 0, 0];
  let word = '';
  let isFlowed = false;
  let isInPixels = false;
  let sheet: string | undefined;
  let isSheetRead = false;

  const attributesOf = (tag: SaxesTagNS) => {
    const kept = new Map<string, string>();
    for (const { prefix, local, uri, value } of Object.values(tag.attributes)) {
      if (local === 'href' && (prefix === '' || uri === XLINK)) {
        // The newer of both names of a link counts, wherever it stands.
        const href = prefix !== '' && kept.has('href') ? undefined : keptLink(tag.local, value, leftOut);
        if (href) kept.set('href', href);
      } else if (prefix === 'xml' && local === 'space') kept.set('xml:space', value);
      else if (prefix !== '' || /^(?:data|aria)-/.test(local)) continue;
      else if (/^on[a-z]+$/.test(local)) leftOut.add('scripts');
      else if (local === 'id') kept.set(local, plainId(value));
      else if (local === 'style') kept.set(local, keptDeclarations(value, SHAPES.has(tag.local), leftOut));
      else if (local === 'pathLength' && /dasharray|"id"/.test(JSON.stringify(tag.attributes)))
        throw unknownStyle('pathLength');
      // All parts of SVG 1.1 are there.
      else if (local === 'requiredFeatures') continue;
      else kept.set(local, STYLED.test(local) ? keptValue(local, value, leftOut) : value);
    }
    const style = kept.get('style');
    if (style) setFromStyle(kept, style, elements === 1);
    return kept;
  };

  readXml(bytes, 'SVG', {
    instruction: (target) => {
      if (target === 'xml-stylesheet') leftOut.add('linked style sheets');
    },
    open: (tag) => {
      const isSvg = tag.uri === SVG || tag.uri === '';
      if (elements === 0 && !(isSvg && tag.local === 'svg')) throw otherKind();
      if (skipped > 0 || !isSvg || !ELEMENTS.has(tag.local)) {
        if (skipped++ === 0 && isSvg && !UNDRAWN.has(tag.local) && !attributeOf(tag, 'requiredExtensions'))
          leftOut.add(LEFT_OUT[tag.local] ?? 'unknown parts');
        return;
      }
      if (++elements > LIMITS.shapes)
        throw new FileProblem(
          `This drawing has more than ${LIMITS.shapes} lines and shapes. Simplify it and choose it again.`,
        );
      const attributes = attributesOf(tag);
      if (elements === 1) {
        if (!hasSize(attributes))
          throw new FileProblem(
            'This SVG does not say how large it is. Give it a width and a height and choose it again.',
          );
        setMissingEdge(attributes);
        isInPixels = !/(?:mm|cm|in|pt|pc|q)\s*$/i.test(attributes.get('width') ?? '');
        attributes.set('xmlns', SVG);
      }
      if (tag.local === 'image' && !attributes.has('href')) {
        skipped++;
        return;
      }
      if (tag.local === 'style') {
        isSheetRead =
          /^\s*(?:text\/css)?\s*$/i.test(attributes.get('type') ?? '') &&
          /^\s*(?:all|screen)?\s*$/i.test(attributes.get('media') ?? '');
        if (!isSheetRead) leftOut.add('styles for other screens');
        sheet = '';
      }
      if (tag.local === 'text' && texts++ === 0) [word, isFlowed] = ['', false];
      if (/(?:inline-size|shape-inside):(?!\s*(?:auto|none|0\w*)\b)/.test(attributes.get('style') ?? ''))
        isFlowed = true;
      if (tag.local === 'tspan' && (attributes.has('x') || attributes.has('y')))
        [word, isFlowed] = [`${word}\n`, false];
      run = 0;
      let weight = 1;
      for (const value of attributes.values()) weight += value.length / 100;
      copies.open(attributes.get('id'), weight);
      const href = attributes.get('href');
      if (href && tag.local !== 'image') copies.draw(href.slice(1));
      const corners = 1 + (attributes.get('d') ?? attributes.get('points') ?? '').length / 2;
      const own = paintsOf(attributes, paints.at(-1), rules > 0);
      paints.push(own);
      // An inherited "currentColor" is the colour of the element that inherits it; the library takes it from further out.
      if (attributes.has('color') || /(?:^|;)color:/.test(attributes.get('style') ?? ''))
        for (const name of ['fill', 'stroke'] as const)
          if (/^currentcolor$/i.test(own[name]) && !attributes.has(name))
            attributes.set(name, 'currentColor');
      const draw = (parts: ReturnType<typeof partsOf> = []) => {
        for (const { id, isOnCorners } of parts) copies.draw(id, isOnCorners ? corners : 1);
      };
      const classes = (attributes.get('class') ?? '').split(/\s+/).map((name) => `.${name}`);
      const ends = rules > 0 ? ['*', tag.local, `#${attributes.get('id')}`, ...classes] : [];
      for (const end of ends) draw(ruled.get(end));
      const isHidden =
        attributes.get('display') === 'none' ||
        /(?:^|;)display:\s*none/.test(attributes.get('style') ?? '') ||
        ends.some((end) => hiding.has(end));
      if (isHidden && hiddenFrom === 0) hiddenFrom = paints.length;
      for (const [name, value] of attributes) {
        const parts = partsOf(name === 'marker-mid' ? `${name}:${value}` : value);
        draw(parts);
        if (name === 'style') attributes.set(name, markers.inStyle(value, own));
        else if (/^marker-(?:start|mid|end)$/.test(name) && parts[0])
          attributes.set(name, `url(#${markers.copyOf(parts[0].id, name === 'marker-start', own)})`);
      }
      const written = [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
      out.push(`<${tag.local}${written}>`);
      if (tag.local === 'marker') markerStarts.push({ attributes, at: out.length });
    },
    text: (content) => {
      if (skipped > 0) return;
      if (sheet !== undefined) {
        sheet += content;
        return;
      }
      // Outside of a text nothing is drawn.
      if (texts === 0) return;
      run += content.length;
      if (run > MAX_TEXT)
        throw new FileProblem(
          `A text of this SVG has more than ${MAX_TEXT} characters. Divide it into lines and choose it again.`,
        );
      letters += content.length;
      if (letters > MAX_LETTERS)
        throw new FileProblem(
          `The texts of this SVG have more than ${MAX_LETTERS} letters. Shorten them and choose it again.`,
        );
      // A copy of a text copies its outlines.
      copies.weigh(5 * content.length);
      out.push(escaped(content));
      // What is hidden is not kept, and neither are its words.
      if (hiddenFrom === 0) word += content;
    },
    close: (tag) => {
      if (skipped > 0) {
        skipped--;
        return;
      }
      copies.close();
      if (hiddenFrom === paints.length) hiddenFrom = 0;
      paints.pop();
      const marker = tag.local === 'marker' ? markerStarts.pop() : undefined;
      if (marker) markers.define(marker.attributes, out.slice(marker.at).join(''));
      run = 0;
      if (tag.local === 'text' && --texts === 0 && word.trim() !== '') {
        words.push(word);
        if (isFlowed) leftOut.add('flowed text');
      }
      if (sheet !== undefined && isSheetRead) {
        const kept = keptRules(sheet, leftOut);
        for (const rule of kept) rules += 10 ** (stepsOf(rule.slice(0, rule.indexOf('{'))) - 1);
        const unsure = { fill: 'black', stroke: 'black', isSure: false };
        for (const rule of kept) {
          const [, end = '*'] = /([.#]?[\w-]+)[^\w\s]*$/.exec(rule.slice(0, rule.indexOf('{'))) ?? [];
          if (/^[.#]?[\w-]+\{/.test(rule) && /[{;]display:\s*none/.test(rule)) hiding.add(end);
          const known = ruled.get(end) ?? [];
          known.push(...partsOf(rule));
          if (known.length > 0) ruled.set(end, known);
          out.push(escaped(markers.inStyle(rule, unsure)));
        }
      }
      sheet = undefined;
      if (copies.isClosed) out.push(markers.write(leftOut));
      out.push(`</${tag.local}>`);
    },
  });
  copies.check();
  if (rules * elements > MAX_MATCHES)
    throw new FileProblem('This SVG has too many style rules. Simplify it and choose it again.');
  return { text: out.join(''), words, isInPixels, leftOut };
}

/** The parts that a value draws, and whether one of them stands on each corner. */
const partsOf = (value: string) =>
  value.includes('url(')
    ? [...value.matchAll(/(marker(?:-mid)?\s*:\s*)?url\(#([^()]*)\)/g)].map(([, corners, id = '']) => ({
        id,
        isOnCorners: corners !== undefined,
      }))
    : [];

function paintsOf(attributes: Map<string, string>, outer: Paints | undefined, isStyled: boolean): Paints {
  const style = attributes.get('style') ?? '';
  const read = (name: 'fill' | 'stroke') => {
    const [, styled] = new RegExp(`(?:^|;)${name}:([^;!]*)`).exec(style) ?? [];
    return styled?.trim() ?? attributes.get(name);
  };
  const [fill, stroke] = [read('fill'), read('stroke')];
  return {
    fill: fill ?? outer?.fill ?? 'black',
    stroke: stroke ?? outer?.stroke ?? 'none',
    isSure: !isStyled,
  };
}

/** What a style may say and the library reads from attributes alone. */
function setFromStyle(attributes: Map<string, string>, style: string, isRoot: boolean) {
  const says = (property: string) => new RegExp(`(?:^|;)${property}:([^;]*)`).exec(style)?.[1]?.trim();
  for (const property of ['mask-type', ...(isRoot ? ['width', 'height'] : [])]) {
    const value = says(property);
    if (value) attributes.set(property, value);
  }
  if (says('white-space')?.startsWith('pre')) attributes.set('xml:space', 'preserve');
}

function keptLink(element: string, link: string, leftOut: Set<string>): string | undefined {
  const target = link.trim();
  if (element === 'a') leftOut.add('links');
  else if (element === 'image') {
    if (IMAGE.test(target)) return target;
    leftOut.add(/^data:/i.test(target) ? 'images' : 'linked images');
  } else if (target.startsWith('#')) {
    try {
      return `#${plainId(decodeURIComponent(target.slice(1)))}`;
    } catch {
      return `#${plainId(target.slice(1))}`;
    }
  } else if (element === 'use')
    throw new FileProblem('This SVG needs another file. Copy its parts into this one and choose it again.');
  else if (target !== '') leftOut.add('linked parts');
  return undefined;
}

const LENGTH = /^\s*([\d.]+(?:e[+-]?\d+)?)([a-z]*)\s*$/i;

function hasSize(attributes: Map<string, string>): boolean {
  const isLength = (name: string) => LENGTH.test(attributes.get(name) ?? '');
  return attributes.has('viewBox') || (isLength('width') && isLength('height'));
}

/** A drawing with one edge alone has the form of its viewBox. */
function setMissingEdge(attributes: Map<string, string>) {
  const [, , across = 0, up = 0] =
    attributes
      .get('viewBox')
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const [width, height] = ['width', 'height'].map((name) => LENGTH.exec(attributes.get(name) ?? ''));
  if (!(across > 0 && up > 0) || !width === !height) return;
  if (width) attributes.set('height', `${(Number(width[1]) * up) / across}${width[2]}`);
  if (height) attributes.set('width', `${(Number(height[1]) * across) / up}${height[2]}`);
}
