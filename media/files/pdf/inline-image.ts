import { isDelimiter, isSpace, stringEnd, wordEnd } from './syntax.ts';
import { damaged } from './unpack.ts';

/** An image that stands in the content of a page. */
export interface InlineImage {
  /** Its properties by their short names, as they are written. */
  properties: Map<string, string>;
  /** With the space before the operator that ends it. */
  data: Buffer;
  /** Where the content goes on. */
  end: number;
}

/** What an image is drawn with, by the long names. */
const SHORT: Record<string, string> = {
  BitsPerComponent: 'BPC',
  ColorSpace: 'CS',
  Decode: 'D',
  DecodeParms: 'DP',
  Filter: 'F',
  Height: 'H',
  ImageMask: 'IM',
  Intent: 'Intent',
  Interpolate: 'I',
  Width: 'W',
};
const KEPT = new Set(Object.values(SHORT));
/** After the end of an image comes content, which is text, but for what is within a comment or string. */
const LOOK_AHEAD = 16;
const OPENING = new Set(Buffer.from('%(<'));

/** Reads what follows the operator that begins an image. @throws {FileProblem} when the image has no end */
export function readInlineImage(bytes: Buffer, start: number): InlineImage {
  const properties = new Map<string, string>();
  let key: string | undefined;
  let value = '';
  let depth = 0;
  for (let at = start; at < bytes.length; ) {
    const code = bytes[at] ?? 0;
    const from = at;
    if (isSpace(code)) {
      at++;
      continue;
    }
    if (code === 0x25) {
      while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
      continue;
    }
    if (code === 0x28 || (code === 0x3c && bytes[at + 1] !== 0x3c)) at = stringEnd(bytes, at);
    else if (code === 0x2f) at = wordEnd(bytes, at + 1);
    else if (isDelimiter(code)) at += code === bytes[at + 1] ? 2 : 1;
    else at = wordEnd(bytes, at);
    const token = bytes.toString('latin1', from, at);
    if (depth === 0 && token === 'ID') return { properties, ...dataAt(bytes, at + 1) };
    if (depth === 0 && key === undefined) {
      key = token.slice(1);
      value = '';
      continue;
    }
    if (token === '[' || token === '<<') depth++;
    if (token === ']' || token === '>>') depth--;
    value += `${token} `;
    if (depth === 0) {
      const name = SHORT[key ?? ''] ?? key ?? '';
      if (KEPT.has(name)) properties.set(name, value.trim());
      key = undefined;
    }
  }
  throw damaged();
}

function dataAt(bytes: Buffer, start: number) {
  for (let at = bytes.indexOf('EI', start); at >= 0; at = bytes.indexOf('EI', at + 1)) {
    const after = bytes.subarray(at + 2, at + 2 + LOOK_AHEAD);
    const opened = after.findIndex((code) => OPENING.has(code));
    const isText = after
      .subarray(0, opened < 0 ? LOOK_AHEAD : opened)
      .every((code) => isSpace(code) || (code >= 0x20 && code < 0x7f));
    if (isSpace(bytes[at - 1]) && isSpace(after[0]) && isText)
      return { data: bytes.subarray(start, at), end: at + 2 };
  }
  throw damaged();
}
