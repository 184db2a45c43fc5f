import { MTextContext, MTextParser, TokenType } from '@mlightcad/mtext-parser';
import { FileProblem } from '../problem.ts';
import { letters } from './decode.ts';

/** The letters of a text in one run: laying out a longer one takes many times as long as several short ones. */
const MAX_TEXT = 1000;
const MAX_LINE = 250;
const SIGNS: Record<string, string> = { d: '°', c: 'Ø', p: '±', '%': '%' };
const BREAKS = new Set([TokenType.NEW_PARAGRAPH, TokenType.NEW_COLUMN, TokenType.WRAP_AT_DIMLINE]);
export const TEXT_STYLES = 'text styles';

/** The words of a text as they are read, without signs that steer a program. */
export function plainText(text: string, leaveOut: (name: string) => void): string {
  const read = letters(text);
  if (/%%[uok]/i.test(read)) leaveOut(TEXT_STYLES);
  const plain = read
    // A caret stands before a control, or before a space for itself.
    .replaceAll(/\^([ IJ])/g, (_, control: string) => (control === ' ' ? '^' : ' '))
    .replaceAll(/%%(?:([dcp%])|(\d{3})|[uok])/gi, (_, sign?: string, code?: string) =>
      sign ? (SIGNS[sign.toLowerCase()] ?? '') : code ? String.fromCharCode(Number(code)) : '',
    )
    .replaceAll(/\p{C}/gu, '');
  if (plain.length > MAX_TEXT)
    throw new FileProblem(
      `A text of this DXF has more than ${MAX_TEXT} characters. Divide it into lines and choose it again.`,
    );
  return plain;
}

export interface Line {
  text: string;
  height: number;
}

/**
 * The lines of a text of several lines, wrapped about where a program wraps it. Styles of single words are named as left out.
 *
 * @param width at which it is wrapped, or 0
 */
export function linesOfText(
  text: string,
  height: number,
  width: number,
  leaveOut: (name: string) => void,
): Line[] {
  if (/%%[uok]/i.test(text)) leaveOut(TEXT_STYLES);
  const context = new MTextContext();
  context.capHeight = { value: height, isRelative: false };
  // Its words may be in several pieces, of which each can have another style. The last letter is kept beside the word:
  // looking it up in a long word again and again takes the square of its length.
  let [word, tall, used, endsInDigit] = ['', height, 0, false];
  let line: Line = { text: '', height };
  const lines = [line];
  const beginLine = () => {
    line = { text: '', height: tall };
    lines.push(line);
    used = 0;
  };
  const endWord = () => {
    const wide = widthOf(word) * tall;
    const isFull = (width > 0 && used + wide > width) || line.text.length + word.length > MAX_LINE;
    if (line.text !== '' && isFull) beginLine();
    for (let at = 0; at < word.length; at += MAX_LINE) {
      if (at > 0) beginLine();
      if (line.text === '') line.height = tall;
      line.text += word.slice(at, at + MAX_LINE);
    }
    used += wide;
    word = '';
    endsInDigit = false;
  };
  for (const { type, data, ctx } of new MTextParser(escapedLetters(text), context).parse()) {
    if (type === TokenType.WORD || type === TokenType.STACK) {
      const { value, isRelative } = ctx.capHeight;
      const now = isRelative ? value * height : value;
      const isStyled =
        ctx.hasAnyStroke ||
        ctx.aci !== 256 ||
        ctx.oblique !== 0 ||
        ctx.widthFactor.value !== 1 ||
        ctx.bold ||
        ctx.italic;
      const isBegun = word !== '' || line.text !== '';
      if (isStyled || (isBegun && now !== tall) || !(now > 0)) leaveOut(TEXT_STYLES);
      if (now > 0) tall = now;
    }
    if (type === TokenType.WORD) endsInDigit = /\d/.test(String(data).at(-1) ?? '');
    if (type === TokenType.WORD) word += String(data).replaceAll(/\p{C}/gu, '');
    else if (type === TokenType.STACK) {
      const [above = '', below = ''] = (data as string[]).map((part) => part.trim());
      leaveOut('stacked texts');
      // Two and a half is no twenty-first part.
      word += `${endsInDigit && below && /^\d/.test(above) ? ' ' : ''}${above}${above && below ? '/' : ''}${below}`;
      endsInDigit = /\d/.test(below.at(-1) ?? '');
    } else if (type === TokenType.NBSP) word += ' ';
    else {
      endWord();
      if (type === TokenType.SPACE || type === TokenType.TABULATOR) {
        if (line.text !== '') line.text += ' ';
        used += widthOf(' ') * tall;
      } else if (BREAKS.has(type)) beginLine();
    }
  }
  endWord();
  return lines.map((line) => ({ ...line, text: line.text.trim() }));
}

/** Letters that are written by their number, of which some would steer the parser. */
const escapedLetters = (text: string) =>
  letters(
    text
      .replaceAll(/(?:\^M)?\^J/g, '\\P')
      .replaceAll('^I', ' ')
      .replaceAll(/\\U\+(?:005C|007B|007D)/gi, (sign) => `\\${letters(sign)}`),
  );

/** The width of words in a plain font, of capitals of height 1. */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text)
    width += /[ijl.,:;'|! ()[\]ftI]/.test(letter)
      ? 0.4
      : /[\u2e80-\uffef]/.test(letter)
        ? 1.4
        : /[A-Zmw@%]/.test(letter)
          ? 0.95
          : 0.78;
  return width;
}
