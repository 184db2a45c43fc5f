import { LIMITS } from '../../limits.ts';
import { FileProblem } from '../problem.ts';

/** What a drawing may come to when each copy is counted. */
const MAX_WEIGHT = 2 * LIMITS.shapes;
const MAX_DEPTH = 30;

interface Part {
  own: number;
  /** The other parts that it draws, and how often. */
  copies: Map<string, number>;
  total?: { weight: number; depth: number } | 'counting';
}

/** The refusal of a drawing that is short as a file and long once its copies are drawn. */
export const tooMuchCopied = () =>
  new FileProblem(
    'This SVG is too large when all its copies, patterns and arrowheads are drawn. Remove some and choose it again.',
  );
const tooDeep = () =>
  new FileProblem('This SVG has copies of copies too many times over. Flatten it and choose it again.');

/** Counts what a drawing comes to when all that it draws again is drawn, so that a short file cannot become a long one. */
export class Copies {
  private readonly max: number;
  private readonly problem: () => FileProblem;

  /** @param max what all may come to */
  constructor(max = MAX_WEIGHT, problem = tooMuchCopied) {
    this.max = max;
    this.problem = problem;
  }

  private readonly whole: Part = { own: 0, copies: new Map() };
  private readonly parts = new Map<string, Part>();
  private readonly opened = [this.whole];
  private readonly depths: number[] = [];

  open(id: string | undefined, weight: number) {
    this.depths.push(this.opened.length);
    if (id && !this.parts.has(id)) {
      const part: Part = { own: 0, copies: new Map() };
      this.parts.set(id, part);
      this.opened.push(part);
    }
    this.weigh(weight);
  }

  /** Adds to the part that is open. */
  weigh(weight: number) {
    for (const part of this.opened) part.own += weight;
  }

  close() {
    this.opened.length = this.depths.pop() ?? 1;
  }

  get isClosed() {
    return this.depths.length === 0;
  }

  draw(id: string, times = 1) {
    for (const { copies } of this.opened) copies.set(id, (copies.get(id) ?? 0) + times);
  }

  /** @throws when it is more than may be drawn */
  check() {
    if (this.count(this.whole).weight > this.max) throw this.problem();
  }

  private count(part: Part, level = 0): { weight: number; depth: number } {
    if (part.total === 'counting')
      throw new FileProblem('This SVG has parts that contain themselves. Remove these and choose it again.');
    if (part.total) return part.total;
    // Here already, before a long chain has filled the stack.
    if (level > MAX_DEPTH) throw tooDeep();
    part.total = 'counting';
    let [weight, depth] = [part.own, 0];
    for (const [id, times] of part.copies) {
      const copied = this.parts.get(id);
      if (!copied) continue;
      const total = this.count(copied, level + 1);
      weight += times * total.weight;
      depth = Math.max(depth, total.depth + 1);
      if (level + depth > MAX_DEPTH) throw tooDeep();
    }
    part.total = { weight, depth };
    return part.total;
  }
}
