import sharp from 'sharp';
import { LIMITS } from '../../limits.ts';
import { sniff } from '../../sniff.ts';
import { FileProblem } from '../problem.ts';
import { attributeOf, escaped, readXml } from '../xml.ts';
import { Copies } from './copies.ts';
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
const LAYERS = ['opacity', 'mask', 'clip-path'];
const MAX_LAYERS = 1000;

/**
 * Writes what the library made of a drawing: paths, gradients, patterns, masks and images with all sizes and styles worked
 * out, under names of its own.
 *
 * @param text as the library wrote it
 * @param leftOut is told what could not be kept
 */
export async function writeDrawing(text: string, leftOut: Set<string>) {
  const out: string[] = [];
  const names = new Map<string, string>();
  const nameOf = (id: string) => {
    const name = names.get(id) ?? `p${names.size + 1}`;
    names.set(id, name);
    return name;
  };
  const images: { at: number; data: string }[] = [];
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
  let [skipped, defs, shapes] = [0, 0, 0];
  let size = { width: 0, height: 0 };
  readXml(Buffer.from(text), 'SVG', {
    open: (tag) => {
      const id = attributeOf(tag, 'id');
      if (
        skipped > 0 ||
        !ELEMENTS.has(tag.local) ||
        isUnseen(attributeOf(tag, 'visibility'), attributeOf(tag, 'opacity'))
      ) {
        if (tag.local === 'filter') leftOut.add('filters');
        skipped++;
        return;
      }
      sheet.open(tag);
      const isShape = defs === 0 && (tag.local === 'path' || tag.local === 'image');
      const place = isShape ? sheet.placeOf(tag) : 'inside';
      if (place !== 'inside') leftOut.add('parts beside the sheet');
      if (place === 'beside') {
        sheet.close();
        skipped++;
        return;
      }
      if (tag.local === 'defs') defs++;
      if (isShape) shapes++;
      copies.open(id, 1);
      layers.open(id, LAYERS.some((name) => attributeOf(tag, name) !== undefined) ? 1 : 0);
      const written = [`<${tag.local}`];
      const write = (name: string, value: string) => written.push(` ${name}="${escaped(value)}"`);
      if (out.length === 0) {
        size = sizeOf(attributeOf(tag, 'width'), attributeOf(tag, 'height'));
        write('xmlns', 'http://www.w3.org/2000/svg');
        write('width', `${size.width}mm`);
        write('height', `${size.height}mm`);
      }
      if (id && NAMED.has(tag.local)) write('id', nameOf(id));
      for (const { local, prefix, value } of Object.values(tag.attributes)) {
        const target = /^url\(#(.*)\)$/.exec(value)?.[1];
        if (prefix === '' && local === 'style' && BLENDING.test(value)) write(local, value);
        if (prefix !== '' || !ATTRIBUTES.has(local) || (out.length === 0 && /^(?:width|height)$/.test(local)))
          continue;
        if (target !== undefined) {
          copies.draw(target);
          sheet.use(target);
          layers.draw(target);
        }
        copies.weigh(value.length / 1000);
        write(local, target === undefined ? value : `url(#${nameOf(target)})`);
      }
      const data = Object.values(tag.attributes).find(({ local }) => local === 'href')?.value;
      if (tag.local === 'image') images.push({ at: out.length + 1, data: data ?? '' });
      const thinnest = isShape ? (THINNEST * sheet.longestEdge) / EDGE / sheet.scale() : 0;
      if (Number(attributeOf(tag, 'stroke-width') ?? 1) < thinnest) {
        const others = written.filter((part) => !part.startsWith(' stroke-width='));
        thin.set(out.length, `${others.join('')} stroke-width="${thinnest}"`);
      }
      out.push(written.join(''), '', tag.isSelfClosing ? '/>' : '>');
    },
    close: (tag) => {
      if (skipped > 0) {
        skipped--;
        return;
      }
      sheet.close();
      copies.close();
      layers.close();
      if (tag.local === 'defs') defs--;
      if (!tag.isSelfClosing) out.push(`</${tag.local}>`);
    },
  });
  copies.check();
  layers.check();
  sheet.check();
  let pixels = 0;
  for (const { at, data } of images) {
    const image = await cleanImage(data, LIMITS.imagePixels - pixels);
    pixels += image.pixels;
    out[at] = ` href="${image.data}"`;
  }
  const drawing = out.join('');
  const preview = thin.size === 0 ? drawing : out.map((part, at) => thin.get(at) ?? part).join('');
  return { text: drawing, preview, ...size, isEmpty: shapes === 0 };
}

const isUnseen = (visibility = 'visible', opacity = '1') => visibility !== 'visible' || Number(opacity) === 0;

/** The image alone, without what cameras and editors write beside it. */
async function cleanImage(link: string, maxPixels: number) {
  const bytes = Buffer.from(link.slice(link.indexOf(',') + 1), 'base64');
  try {
    if (!sniff(bytes)?.startsWith('image/')) throw new Error('it is of another type');
    const image = sharp(bytes, { limitInputPixels: Math.max(1, maxPixels), failOn: 'none' }).autoOrient();
    const isPhoto = bytes[0] === 0xff;
    const { data, info } = await (isPhoto ? image.jpeg({ quality: 90 }) : image.png()).toBuffer({
      resolveWithObject: true,
    });
    return {
      data: `data:image/${isPhoto ? 'jpeg' : 'png'};base64,${data.toString('base64')}`,
      pixels: info.width * info.height,
    };
  } catch {
    throw new FileProblem(
      'An image in this SVG is damaged or too large. Replace it and choose the file again.',
    );
  }
}

/** In millimetres; the library writes pixels of a 96th of an inch. */
function sizeOf(...edges: (string | undefined)[]) {
  const [width = 0, height = 0] = edges.map((edge) => Math.round(Number(edge) * (25.4 / 96) * 100) / 100);
  if (!(width > 0 && height > 0 && Math.max(width, height) <= LIMITS.modelEdge))
    throw new FileProblem(
      'This SVG is larger than 100 metres, or smaller than a hundredth of a millimetre. Check how large it says it is.',
    );
  return { width, height };
}
