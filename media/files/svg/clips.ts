/** The parts of a drawing as it was read, in which each element has an end tag and values are escaped. */
const CLIP = /(?<=<clipPath\b[^>]*>).*?(?=<\/clipPath>)/gs;
const SHAPE = /<(use|path|rect|circle|ellipse|polygon|polyline)\b([^>]*)><\/\1>/g;
const EMPTY_TEXT = /<text\b[^>]*>(?:\s|<\/?t(?:span|extPath)\b[^>]*>)*<\/text>/g;
const ATTRIBUTE = / ([^\s=]+)="([^"]*)"/g;
/** What a copy does not hand on to the shape that it shows. */
const OF_COPIES = new Set(['id', 'href', 'x', 'y', 'width', 'height', 'transform']);

/** Each has one reading alone, so that a long one is not read again and again. */
const NUMBER = String.raw`[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?!\d)[\s,]*`;
/** What has two corners at least. */
const D = new RegExp(
  String.raw`^\s*m\s*${NUMBER}${NUMBER}(?:[hv]\s*|(?:[lmtqsca]\s*)?${NUMBER})${NUMBER}`,
  'i',
);
const POINTS = new RegExp(String.raw`^\s*(?:${NUMBER}){4}`, 'i');
/** The library’s numbers have no more than 39 digits before the point. */
const MAX_LENGTH = 1e30;
const LENGTH = /^\s*\+?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?:p[xtc]|[cm]m|in|e[mx]|%)?\s*$/i;

interface Shape {
  name: string;
  attributes: Map<string, string>;
}

/**
 * The same drawing with shapes in its clip paths where these had copies of shapes. The library writes no group within a clip
 * path: it makes one of a copy whose shape has a transform, and ends the process over one that is empty.
 */
export function withShapesInClips(text: string): string {
  const known = new Map<string, Shape>();
  return text.replaceAll(CLIP, (content) => {
    if (known.size === 0 && content.includes('<use'))
      for (const [, name = '', attributes = ''] of text.matchAll(SHAPE)) {
        const shape = shapeOf(name, attributes);
        known.set(shape.attributes.get('id') ?? '', shape);
      }
    return content.replaceAll(EMPTY_TEXT, '').replaceAll(SHAPE, (_, name: string, attributes: string) => {
      const shape = shownBy(shapeOf(name, attributes), known);
      return shape && hasArea(shape) ? written(shape) : '';
    });
  });
}

const shapeOf = (name: string, attributes: string): Shape => ({
  name,
  attributes: new Map([...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value])),
});
const written = ({ name, attributes }: Shape) =>
  `<${name}${[...attributes].map(([key, value]) => ` ${key}="${value}"`).join('')}></${name}>`;

/** The shape that a copy shows, in its place; copies of themselves have been refused. */
function shownBy({ name, attributes }: Shape, known: Map<string, Shape>): Shape | undefined {
  if (name !== 'use') return { name, attributes };
  const copied = known.get(attributes.get('href')?.slice(1) ?? '');
  const shape = copied && shownBy(copied, known);
  if (!shape) return undefined;
  const own = [...attributes].filter(([key]) => !OF_COPIES.has(key));
  const [x, y] = ['x', 'y'].map((edge) => attributes.get(edge) ?? 0);
  const both = new Map([...own, ...shape.attributes]);
  const places = [attributes.get('transform'), `translate(${x} ${y})`, shape.attributes.get('transform')];
  both.set('transform', places.filter(Boolean).join(' '));
  for (const [key, mark] of [
    ['style', ';'],
    ['class', ' '],
  ] as const) {
    const values = [attributes, shape.attributes].flatMap((from) => from.get(key) ?? []);
    if (values.length > 0) both.set(key, values.join(mark));
  }
  both.delete('id');
  return { name: shape.name, attributes: both };
}

function hasArea({ name, attributes }: Shape): boolean {
  const isLong = (key: string) => {
    const length = attributes.get(key) ?? '';
    return LENGTH.test(length) && Number.parseFloat(length) > 0 && Number.parseFloat(length) < MAX_LENGTH;
  };
  if (name === 'rect') return isLong('width') && isLong('height');
  if (name === 'circle') return isLong('r');
  if (name === 'ellipse') return ['rx', 'ry'].every((key) => isLong(key) || !attributes.has(key));
  return name === 'path' ? D.test(attributes.get('d') ?? '') : POINTS.test(attributes.get('points') ?? '');
}
