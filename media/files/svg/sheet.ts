import type { SaxesTagNS } from 'saxes';
import { combined, IN_PLACE, type Placement, placed, turned } from '../affine.ts';
import { FileProblem } from '../problem.ts';
import { attributeOf } from '../xml.ts';

/** The reach of the sharpest corner of a line that does not say it, in parts of its width. */
const MITER_LIMIT = 4;

const numbersOf = (text = '') => (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);

/** The length of one piece of a pattern, in parts of the sheet: the library draws a whole one first, at any size. */
const MAX_TILE = 2;
/** By how much a shape may go over the sheet without a word, in parts of its longer edge: frames are often as large as the sheet. */
const MAX_BESIDE = 0.01;
/** What is drawn where another part names it. */
const NAMED = new Set(['pattern', 'mask', 'clipPath']);

interface Part {
  /** The longer edge of one piece of a pattern. */
  tile: number;
  /** The parts that it names, and how much larger these are drawn in it. */
  uses: { target: string; scale: number }[];
}

/** Follows where the parts of a drawing lie and how large they are: what its sheet does not show, and what is far too large for it. */
export class Sheet {
  private readonly placements: Placement[] = [];
  private readonly whole: Part = { tile: 0, uses: [] };
  private readonly parts = new Map<string, Part>();
  private readonly opened: Part[] = [];
  private readonly clipped: boolean[] = [];
  private edges = { left: 0, right: 0, top: 0, bottom: 0 };

  open(tag: SaxesTagNS) {
    const outer = this.placements.at(-1);
    const numbers = numbersOf(attributeOf(tag, 'transform') ?? attributeOf(tag, 'patternTransform'));
    const [a, b, c, d, e, f] = numbers;
    this.placements.push(
      outer && f !== undefined ? combined(outer, [a, b, c, d, e, f] as Placement) : (outer ?? IN_PLACE),
    );
    if (!outer) this.edges = edgesOf(tag);
    const id = attributeOf(tag, 'id');
    const isNamed = id !== undefined && NAMED.has(tag.local);
    const part = isNamed ? { tile: 0, uses: [] } : (this.opened.at(-1) ?? this.whole);
    if (isNamed) this.parts.set(id, part);
    if (tag.local === 'pattern')
      part.tile =
        this.scale() * Math.max(...['width', 'height'].map((name) => Number(attributeOf(tag, name))));
    this.opened.push(part);
    this.clipped.push(['clip-path', 'mask'].some((name) => attributeOf(tag, name) !== undefined));
  }

  close() {
    this.placements.pop();
    this.opened.pop();
    this.clipped.pop();
  }

  /** Notes that the part that is open names another. */
  use(target: string) {
    this.opened.at(-1)?.uses.push({ target, scale: this.scale() });
  }

  /** @throws when a pattern is far larger than the sheet */
  check() {
    if (!(this.largestTile(this.whole) <= MAX_TILE * this.longestEdge))
      throw new FileProblem(
        'A pattern of this SVG is far larger than the drawing. Turn it into paths and choose the file again.',
      );
  }

  private largestTile(part: Part): number {
    const { uses } = part;
    // Each is followed once; parts that name themselves have been refused.
    part.uses = [];
    for (const { target, scale } of uses) {
      const named = this.parts.get(target);
      if (named) part.tile = Math.max(part.tile, scale * this.largestTile(named));
    }
    return part.tile;
  }

  get longestEdge() {
    return Math.max(this.edges.right - this.edges.left, this.edges.bottom - this.edges.top);
  }

  /** The factor by which the part that is open is drawn larger than it says. */
  scale(): number {
    const [a, b, c, d] = this.placements.at(-1) ?? IN_PLACE;
    return Math.max(Math.hypot(a, b), Math.hypot(c, d));
  }

  /**
   * Where a path or an image lies that was just opened: far beside the sheet by more than its shorter edge. What is clipped
   * lies inside as far as it is seen.
   */
  placeOf(tag: SaxesTagNS): 'inside' | 'across' | 'beside' | 'far' {
    const placement = this.placements.at(-1) ?? IN_PLACE;
    const number = (name: string, missing = 0) => Number(attributeOf(tag, name) ?? missing);
    const isLine = (attributeOf(tag, 'stroke') ?? 'none') !== 'none';
    const reach = isLine ? (number('stroke-width', 1) / 2) * number('stroke-miterlimit', MITER_LIMIT) : 0;
    const [x, y] = [number('x'), number('y')];
    const corners =
      tag.local === 'path'
        ? numbersOf(attributeOf(tag, 'd'))
        : [x, y, x + number('width'), y + number('height')];
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let at = 0; at + 1 < corners.length; at += 2) {
      left = Math.min(left, corners[at] ?? 0);
      right = Math.max(right, corners[at] ?? 0);
      top = Math.min(top, corners[at + 1] ?? 0);
      bottom = Math.max(bottom, corners[at + 1] ?? 0);
    }
    // The middle of the box, and how far it reaches from there when it is turned.
    const [middleX, middleY] = placed(placement, [(left + right) / 2, (top + bottom) / 2]);
    const far = (axis: 0 | 1, line: number) =>
      Math.abs(turned(placement, [(right - left) / 2 + line, 0])[axis]) +
      Math.abs(turned(placement, [0, (bottom - top) / 2 + line])[axis]);
    const [beyondX, beyondY] = [
      Math.max(this.edges.left - middleX, middleX - this.edges.right),
      Math.max(this.edges.top - middleY, middleY - this.edges.bottom),
    ];
    const gap = Math.max(beyondX - far(0, reach), beyondY - far(1, reach));
    const { left: from, right: to, top: above, bottom: below } = this.edges;
    if (gap > 0) return gap > Math.min(to - from, below - above) ? 'far' : 'beside';
    const isClipped = this.clipped.some(Boolean);
    const spare = MAX_BESIDE * this.longestEdge;
    return !isClipped && (beyondX + far(0, 0) > spare || beyondY + far(1, 0) > spare) ? 'across' : 'inside';
  }
}

/** What the sheet shows, in the drawing's own unit; a sheet of another form than the drawing shows more beside it. */
function edgesOf(root: SaxesTagNS) {
  const [width = 0, height = 0] = ['width', 'height'].map((name) => Number(attributeOf(root, name)));
  const [x = 0, y = 0, across = width, up = height] = numbersOf(attributeOf(root, 'viewBox'));
  const isStretched = attributeOf(root, 'preserveAspectRatio')?.startsWith('none');
  const scale = isStretched ? Infinity : Math.min(width / across, height / up);
  const [spareX, spareY] = [Math.max(0, width / scale - across), Math.max(0, height / scale - up)];
  return { left: x - spareX, right: x + across + spareX, top: y - spareY, bottom: y + up + spareY };
}
