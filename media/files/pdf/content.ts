import { FileProblem } from '../problem.ts';
import { type InlineImage, readInlineImage } from './inline-image.ts';
import { isDelimiter, isSpace, NUMBER, stringEnd, wordEnd } from './syntax.ts';
import { damaged } from './unpack.ts';

/** What the content of a page is read for. */
export interface ContentReader {
  /** The name under which a resource is kept, or nothing when it is not: what would use it goes. */
  resource(category: string, name: string): string | undefined;
  /** Whether what is marked with this property belongs to a layer that is switched off. */
  isHidden(name: string): boolean;
  /** Something was drawn in a layer that is switched off. */
  hid(): void;
  /** The name under which a mark is kept, if it is. @param written a property that stands in the content, where none are named */
  mark(named: string | undefined, written: (key: string) => string | undefined): string | undefined;
  /** The image as it is written. */
  image(image: InlineImage): Buffer;
}

const words = (list: string) => new Set(list.split(' '));
const PATH = words('m l c v y h re');
const PAINT = words('S s f F f* B B* b b* n');
const SHOW = words(`Tj TJ ' "`);
const MOVE = words('BT ET Td TD Tm T*');
/** The operators that name a resource, and its category. */
const NAMING = new Map([
  ['gs', 'ExtGState'],
  ['cs', 'ColorSpace'],
  ['CS', 'ColorSpace'],
  ['scn', 'Pattern'],
  ['SCN', 'Pattern'],
  ['sh', 'Shading'],
  ['Do', 'XObject'],
  ['Tf', 'Font'],
]);
/** What is kept beside those above. All other operators go, and so do comments and most marks. */
const OTHERS = words('q Q cm w J j M d i W W* Tc Tw Tz TL Tr Ts d0 d1 SC sc G g RG rg K k');
/** The colour spaces that need no resource. */
const DEVICE = words('DeviceGray DeviceRGB DeviceCMYK Pattern');
const INTENTS = words('AbsoluteColorimetric RelativeColorimetric Saturation Perceptual');
const MAX_NESTING = 10_000;
const MAX_OPERANDS = 100_000;

type Kind = 'number' | 'name' | 'bracket' | 'text';

/** An operand, by its place. */
interface Operand {
  kind: Kind;
  start: number;
  end: number;
}

/** Places to which the output can return. */
interface Mark {
  /** The length of the output. */
  length: number;
  /** Up to here the input has been written or left out. */
  done: number;
  /** Where the operator before ended. */
  at: number;
}

/**
 * The content of a page without what it does not draw: comments, marks, unknown operators, and layers that are switched off.
 * Whatever it opens is closed at its end.
 */
export function cleanContent(bytes: Buffer, reader: ContentReader): Buffer {
  let output = Buffer.allocUnsafe(bytes.length + 1024);
  let mark: Mark = { length: 0, done: 0, at: 0 };
  let length = 0;
  let done = 0;
  const write = (part: Buffer) => {
    if (length + part.length > output.length)
      output = Buffer.concat([output, Buffer.allocUnsafe(output.length + part.length)]);
    part.copy(output, length);
    length += part.length;
  };
  const replace = (start: number, end: number, by: string | Buffer) => {
    if (start > done) write(bytes.subarray(done, start));
    write(typeof by === 'string' ? Buffer.from(by, 'latin1') : by);
    done = end;
  };
  /** Writes something else, or nothing, for all that came since a mark. */
  const instead = (since: Mark, end: number, by: string | Buffer = '') => {
    ({ length, done } = since);
    replace(since.at, end, by);
  };

  let pathMark: Mark | undefined;
  let clips = false;
  let depth = 0;
  const marked: { isHidden: boolean; isKept: boolean }[] = [];
  let hidden = 0;
  let texts = 0;
  let inList = false;
  let inText = false;
  let hidText = false;
  let operands: Operand[] = [];
  const textOf = ({ start, end }: Operand) => bytes.toString('latin1', start, end);
  const nameOf = (operand?: Operand) => (operand?.kind === 'name' ? textOf(operand).slice(1) : undefined);

  const paint = (word: string, end: number) => {
    if (hidden > 0) {
      // A path that clips does so behind the layer as well.
      if (clips) instead(mark, end, ' n');
      else instead(pathMark ?? mark, end);
      if (word !== 'n') reader.hid();
    }
    pathMark = undefined;
    clips = false;
  };
  const show = (word: string, end: number) => {
    if (hidden > 0) {
      instead(mark, end, word === "'" ? ' T*' : '');
      hidText = true;
      reader.hid();
    } else if (hidText && word !== "'")
      throw new FileProblem(
        'The hidden layers of this PDF cannot be separated from the visible ones. Delete them and choose it again.',
      );
  };
  const use = (word: string, category: string, end: number) => {
    if (hidden > 0 && (word === 'Do' || word === 'sh')) {
      reader.hid();
      return instead(mark, end);
    }
    const named = operands.find(({ kind }) => kind === 'name');
    const name = nameOf(named);
    if (name === undefined) return category === 'Pattern' ? plain(word, end) : instead(mark, end);
    // A font that is missing is drawn with a common one.
    const kept = DEVICE.has(name) ? name : (reader.resource(category, name) ?? (word === 'Tf' ? 'None' : ''));
    if (kept === '') return instead(mark, end);
    const numbers = operands.filter(({ kind }) => kind === 'number').map(textOf);
    const all = word === 'Tf' ? [`/${kept}`, ...numbers] : [...numbers, `/${kept}`];
    instead(mark, end, ` ${all.join(' ')} ${word}`);
  };
  /** Texts and names have no place before an operator that takes numbers. */
  const plain = (word: string, end: number) => {
    const numbers = operands.filter(({ kind }) => kind === 'number' || kind === 'bracket');
    if (numbers.length < operands.length) instead(mark, end, ` ${numbers.map(textOf).join(' ')} ${word}`);
  };
  const operate = (word: string, end: number) => {
    const last = operands.at(-1);
    const category = NAMING.get(word);
    if (category) return use(word, category, end);
    if (SHOW.has(word)) return show(word, end);
    if (word === 'BMC' || word === 'BDC') {
      const isHidden = word === 'BDC' && nameOf(operands[0]) === 'OC' && reader.isHidden(nameOf(last) ?? '');
      hidden += Number(isHidden);
      const written = (key: string) => {
        const value = operands[operands.findIndex((operand) => nameOf(operand) === key) + 1];
        return value?.kind === 'text' ? textOf(value) : undefined;
      };
      // Readers differ on which text counts where there is one within another.
      const kept = word === 'BDC' && hidden + texts === 0 && reader.mark(nameOf(operands[1]), written);
      if (kept) texts++;
      marked.push({ isHidden, isKept: Boolean(kept) });
      return instead(mark, end, kept ? ` /Span /${kept} BDC` : '');
    }
    if (word === 'EMC') {
      const { isHidden, isKept } = marked.pop() ?? { isHidden: false, isKept: false };
      hidden -= Number(isHidden);
      texts -= Number(isKept);
      return instead(mark, end, isKept ? ' EMC' : '');
    }
    if (word === 'ri') return INTENTS.has(nameOf(last) ?? '') ? undefined : instead(mark, end);
    const isPaint = PAINT.has(word);
    if (!(isPaint || PATH.has(word) || MOVE.has(word) || OTHERS.has(word))) return instead(mark, end);
    plain(word, end);
    if (isPaint) paint(word, end);
    else if (PATH.has(word)) pathMark ??= mark;
    else if (MOVE.has(word)) {
      hidText = false;
      if (word === 'BT' || word === 'ET') inText = word === 'BT';
    } else if (word === 'W' || word === 'W*') clips = true;
    else if (word === 'q') depth++;
    else if (word === 'Q') {
      if (depth > 0) depth--;
      else instead(mark, end);
    }
    if (depth + marked.length > MAX_NESTING)
      throw new FileProblem('A page of this PDF is nested too deeply.');
  };

  for (let at = 0; at < bytes.length; ) {
    const code = bytes[at] ?? 0;
    const start = at;
    let kind: Kind | undefined;
    if (isSpace(code)) {
      at++;
      continue;
    }
    if (code === 0x25) {
      while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
      replace(start, at, ' ');
      continue;
    }
    if (code === 0x2f) {
      at = wordEnd(bytes, at + 1);
      kind = 'name';
    } else if (code === 0x28 || (code === 0x3c && bytes[at + 1] !== 0x3c)) {
      at = stringEnd(bytes, at);
      kind = 'text';
    } else if (isDelimiter(code)) {
      at += code === 0x3c || (code === 0x3e && bytes[at + 1] === 0x3e) ? 2 : 1;
      kind = code === 0x5b || code === 0x5d ? 'bracket' : 'text';
      if (kind === 'bracket') inList = code === 0x5b;
    } else {
      at = wordEnd(bytes, at);
      if (code <= 0x39) {
        kind = NUMBER.test(bytes.toString('latin1', start, at)) ? 'number' : undefined;
      }
    }
    if (kind) {
      operands.push({ kind, start, end: at });
      if (operands.length > MAX_OPERANDS) throw damaged();
      continue;
    }
    const word = bytes.toString('latin1', start, Math.min(at, start + 6));
    if (word === 'true' || word === 'false' || word === 'null') {
      operands.push({ kind: 'text', start, end: at });
      continue;
    }
    // Readers pass over an operator within a list, and take the list as a whole.
    if (inList) {
      replace(start, at, ' ');
      continue;
    }
    if (word === 'BI') {
      const image = readInlineImage(bytes, at);
      at = image.end;
      if (hidden > 0) reader.hid();
      instead(mark, at, hidden > 0 ? '' : reader.image(image));
    } else operate(word, at);
    operands = [];
    mark = { length, done, at };
  }
  instead(mark, bytes.length);
  if (inText) replace(done, done, '\nET');
  for (const { isKept } of marked) if (isKept) replace(done, done, '\nEMC');
  replace(done, done, '\nQ'.repeat(depth));
  return output.subarray(0, length);
}
