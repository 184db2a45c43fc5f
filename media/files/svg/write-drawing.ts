import { LIMITS } from '../../limits.ts';
import { FileProblem } from '../problem.ts';
import { attributeOf, escaped, readXml } from '../xml.ts';
import { Copies } from './copies.ts';
import { damagedImage, type Images } from './images.ts';
import { Sheet } from './sheet.ts';

const set = (text: string) => new Set(text.split(/\s+/));
const ELEMENTS = set('svg g defs path linearGradient radialGradient stop clipPath mask pattern image');
/** What another element can name. */
const NAMED = set('linearGradient radialGradient clipPath mask pattern');
const ATTRIBUTES =
  set(`d transform fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-dasharray stroke-dashoffset opacity paint-order clip-path clip-rule mask x y width height x1 y1
  x2 y2 cx cy r fx fy offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits
  maskUnits maskContentUnits mask-type patternUnits patternContentUnits patternTransform viewBox preserveAspectRatio shape-rendering
  image-rendering`);
/** The longer edge of a preview, in pixels, and the width below which its lines would not be seen. */
export const EDGE = 1600;
const THINNEST = 0.7;
const BLENDING = /^mix-blend-mode:[a-z-]+;isolation:[a-z]+$/;
/** Each is drawn on an image of its own first, which costs as much as thousands of lines. */
const LAYERS = ['opacity', 'mask', 'clip-path', 'style'];
const MAX_LAYERS = 1000;
/** What a shape of a clip path costs of that: all of them are drawn for each part that it clips. */
const OF_CLIP = 0.02;

/**
 * Writes what the library made of a drawing: paths, gradients, patterns, masks and images with all sizes and styles worked
 * out, under names of its own.
 *
 * @param text as the library wrote it
 * @param images those that may be in it
 * @param leftOut is told what could not be kept
 */
export function writeDrawing(text: string, images: Images, leftOut: Set<string>) {
  const out: string[] = [];
  const names = new Map<string, string>();
  const nameOf = (id: string) => {
    const name = names.get(id) ?? `p${names.size + 1}`;
    names.set(id, name);
    return name;
  };
  const [used, whole] = [new Set<string>(), new Set<string>()];
  /** Elements that are drawn with wider lines than they have. */
  const thin = new Map<number, string>();
  const copies = new Copies();
  const sheet = new Sheet();
  const layers = new Copies(
    MAX_LAYERS,
    () =>
      new FileProblem(
        `This SVG has more than ${MAX_LAYERS} masks, clippings and transparent parts. Flatten these and choose it again.`,
      ),
  );
  let [skipped, defs, shapes, pixels] = [0, 0, 0, 0];
  let size = { width: 0, height: 0 };
  /** Whether each element that is open is a layer, and whether one has parts far beside the sheet that are not written. */
  const layered: boolean[] = [];
  let [hasFarLayers, isInClip] = [false, false];
  readXml(Buffer.from(text), 'SVG', {
    open: (tag) => {
      const id = attributeOf(tag, 'id');
      const isLayer = LAYERS.some((name) => attributeOf(tag, name) !== undefined);
      const isUnseen =
        (attributeOf(tag, 'visibility') ?? 'visible') !== 'visible' ||
        Number(attributeOf(tag, 'opacity') ?? 1) === 0;
      sheet.open(tag);
      layered.push(isLayer);
      const isShape = defs === 0 && (tag.local === 'path' || tag.local === 'image');
      const place = isShape ? sheet.placeOf(tag) : 'inside';
      if (place === 'far' && layered.includes(true)) hasFarLayers = true;
      const isKept = skipped === 0 && ELEMENTS.has(tag.local) && !isUnseen;
      if (isKept && place !== 'inside') leftOut.add('parts beside the sheet');
      if (!isKept || place === 'beside' || place === 'far') {
        skipped++;
        return;
      }
      if (tag.local === 'defs') defs++;
      if (isShape) shapes++;
      copies.open(id, 1);
      layers.open(id, isLayer ? 1 : isInClip ? OF_CLIP : 0);
      if (tag.local === 'clipPath') isInClip = true;
      const written = [`<${tag.local}`];
      const write = (name: string, value: string) => written.push(` ${name}="${escaped(value)}"`);
      if (out.length === 0) {
        size = sizeOf(attributeOf(tag, 'width'), attributeOf(tag, 'height'));
        write('xmlns', 'http://www.w3.org/2000/svg');
        write('width', `${size.width}mm`);
        write('height', `${size.height}mm`);
      }
      if (id && NAMED.has(tag.local)) {
        write('id', nameOf(id));
        // The library writes the name alone of a part whose content it has lost.
        if (!tag.isSelfClosing) whole.add(id);
      }
      for (const { local, prefix, value } of Object.values(tag.attributes)) {
        const target = /^url\(#(.*)\)$/.exec(value)?.[1];
        if (prefix === '' && local === 'style' && BLENDING.test(value)) write(local, value);
        if (prefix !== '' || !ATTRIBUTES.has(local) || (out.length === 0 && /^(?:width|height)$/.test(local)))
          continue;
        if (target !== undefined) {
          used.add(target);
          copies.draw(target);
          sheet.use(target);
          layers.draw(target);
        }
        copies.weigh(value.length / 1000);
        write(local, target === undefined ? value : `url(#${nameOf(target)})`);
      }
      if (tag.local === 'image') {
        const link = Object.values(tag.attributes).find(({ local }) => local === 'href')?.value ?? '';
        // The library adds a space.
        const image = link.replace(' ', '');
        pixels += images.get(image) ?? Infinity;
        if (pixels > LIMITS.imagePixels) throw damagedImage();
        write('href', image);
      }
      const thinnest = isShape ? (THINNEST * sheet.longestEdge) / EDGE / sheet.scale() : 0;
      if (Number(attributeOf(tag, 'stroke-width') ?? 1) < thinnest) {
        const others = written.filter((part) => !part.startsWith(' stroke-width='));
        thin.set(out.length, `${others.join('')} stroke-width="${thinnest}"`);
      }
      out.push(written.join(''), tag.isSelfClosing ? '/>' : '>');
    },
    close: (tag) => {
      sheet.close();
      layered.pop();
      if (skipped > 0) {
        skipped--;
        return;
      }
      copies.close();
      layers.close();
      if (tag.local === 'defs') defs--;
      if (tag.local === 'clipPath') isInClip = false;
      if (!tag.isSelfClosing) out.push(`</${tag.local}>`);
    },
  });
  copies.check();
  layers.check();
  sheet.check();
  if ([...used].some((id) => !whole.has(id))) throw lostPart();
  const drawing = out.join('');
  const preview = thin.size === 0 ? drawing : out.map((part, at) => thin.get(at) ?? part).join('');
  return { text: drawing, preview, ...size, isEmpty: shapes === 0, hasFarLayers };
}

/** The refusal of a drawing that would be written without a part of it. */
export const lostPart = () =>
  new FileProblem(
    'A part of this SVG would be lost or look different. Turn its texts into paths, apply its clippings and masks, and choose it again.',
  );

/** In millimetres; the library writes pixels of a 96th of an inch. */
function sizeOf(...edges: (string | undefined)[]) {
  const [width = 0, height = 0] = edges.map((edge) => Math.round(Number(edge) * (25.4 / 96) * 100) / 100);
  if (!(width > 0 && height > 0 && Math.max(width, height) <= LIMITS.modelEdge))
    throw new FileProblem(
      'This SVG is larger than 100 metres, or smaller than a hundredth of a millimetre. Check how large it says it is.',
    );
  return { width, height };
}
