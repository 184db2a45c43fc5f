import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { FileProblem } from '../problem.ts';

/** The version since which a DXF is in UTF-8, AutoCAD 2007. */
const FIRST_IN_UTF8 = 'AC1021';
/** Code pages in which a short text is sometimes valid UTF-8 by accident. */
const DENSE = /^cp(?:874|932|936|949|950)$/;
/** Those of one-byte and two-byte letters, as the library names them. */
const CODE_PAGE = /^(?:cp\d{3,5}|iso8859\d{1,2}|gb2312|big5|ksc5601|koi8r|macroman)$/;
/** By the number that `\M+` begins with. */
const PAGES_OF_ESCAPES = ['cp932', 'cp950', 'cp949', 'cp1361', 'cp936'];

/**
 * The text of a DXF. Some programs write UTF-8 in a file that names a code page, or the reverse, so the bytes decide where
 * they can. A letter that cannot be read becomes U+FFFD, which {@link letters} refuses where it is needed.
 */
export function decodeDxf(bytes: Buffer): string {
  const plain = bytes.toString('latin1');
  if (/^[\0-\x7f]*$/.test(plain)) return plain;
  const version = /\$ACADVER\s+1\s+(AC\d{4})/.exec(plain)?.[1] ?? '';
  const page = (/\$DWGCODEPAGE\s+3\s+(\S+)/.exec(plain)?.[1] ?? '')
    .toLowerCase()
    .replace(/^(?:ansi_|dos|ibm)/, 'cp')
    .replaceAll(/[-_]/g, '');
  const isLikely = version >= FIRST_IN_UTF8 || !DENSE.test(page) || /[\xe0-\xf4]/.test(plain);
  if (isLikely && isUtf8(bytes)) return bytes.toString('utf8').replace(/^\ufeff/, '');
  return iconv.decode(bytes, pageOr(page, 'ascii'));
}

const pageOr = (page: string, other: string) =>
  CODE_PAGE.test(page) && iconv.encodingExists(page) ? page : other;

/** The signs of drawings in the fonts of AutoCAD, where others have controls; the letters that follow are of Windows. */
const SIGNS: Record<string, string> = { 127: '°', 128: '±', 129: 'Ø' };

/** A word of the drawing with the letters that are written by their number. */
export function letters(text: string): string {
  const read = text
    .replaceAll(
      /(?<!%)%%(12[7-9]|1[3-5]\d)/g,
      (_, code: string) => SIGNS[code] ?? iconv.decode(Buffer.of(Number(code)), 'cp1252'),
    )
    .replaceAll(/\\U\+([0-9A-F]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\M\+([1-5])([0-9A-F]{4})/gi, (_, page: string, code: string) =>
      iconv.decode(Buffer.from(code, 'hex'), pageOr(PAGES_OF_ESCAPES[Number(page) - 1] ?? '', 'ascii')),
    );
  if (read.includes('\ufffd'))
    throw new FileProblem(
      'Some letters in the texts of this DXF cannot be read. Save it as DXF 2007 or later and choose it again.',
    );
  return read;
}
