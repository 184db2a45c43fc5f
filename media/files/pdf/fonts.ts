import { PDFArray, type PDFDict, PDFName, PDFNumber, type PDFObject } from '@cantoo/pdf-lib';
import type { PDFiumLibrary, PDFiumPage } from '@hyzyla/pdfium';
import { FileProblem } from '../problem.ts';
import { get } from './document.ts';
import { lettersOf, nativeOf } from './pdfium.ts';

/** The letters of the fonts that PDFium has for those that a document does not hold: those of western Europe. */
const WESTERN = /[\s\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸıŁłˇ˘˙˛˝⁄−ﬁﬂ]/u;
/** The names of the same. */
const WESTERN_GLYPH =
  /^(?:\.notdef|[A-Za-z]|[AEIOUaeiou](?:acute|grave|circumflex|dieresis)|[ANOano]tilde|[Aa]ring|[Cc]cedilla|[SsZz]caron|[OoLl]slash|[Yy](?:acute|dieresis))$/;
const OTHER_GLYPHS = new Set(
  'space nbspace exclam quotedbl numbersign dollar percent ampersand quotesingle quoteright parenleft parenright asterisk plus comma hyphen sfthyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at bracketleft backslash bracketright asciicircum underscore grave quoteleft braceleft bar braceright asciitilde exclamdown cent sterling fraction yen florin section currency quotedblleft guillemotleft guilsinglleft guilsinglright fi fl endash dagger daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand questiondown acute circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek caron emdash AE ae OE oe ordfeminine ordmasculine germandbls dotlessi brokenbar copyright registered trademark degree plusminus logicalnot minus mu multiply divide onehalf onequarter threequarters onesuperior twosuperior threesuperior Eth eth Thorn thorn Euro'.split(
    ' ',
  ),
);
/** Readers have these two themselves. The second is drawn with its own signs or, if they are unknown, as letters. */
const SYMBOLS: Record<string, RegExp> = { Symbol: /./su, ZapfDingbats: /[\s\u2000-\uffff]/u };
/** Fonts whose letters are signs. That a font says so of itself means little: LibreOffice says it of all. */
const OF_SIGNS =
  /dings|symbol|marlett|gdt|extra|emoji|icon|barcode|code ?(?:39|128)|^cm(?:sy|mi|ex)|^ms[ab]m|^wasy/i;
const STANDARD = /^(?:Arial|Courier|Helvetica|Symbol|Times|ZapfDingbats)/;
const [INVISIBLE, CLIPS] = [3, 7];
const NAME_BYTES = 128;

/** A reader's machine may have a font that the document does not hold, and show what moderators did not see. */
const missing = (name: string) => {
  // The font of the values that PDFium writes into fields itself.
  if (name === 'ChromeSansMM')
    return new FileProblem(
      'A field of this PDF is filled in with letters that cannot be drawn here. Print the PDF to a new one and choose that.',
    );
  const readable = name.replaceAll(/[^\p{L}\p{N} -]/gu, '').trim();
  return new FileProblem(
    `This PDF needs ${readable === '' ? 'a font' : `the font ${readable}`} that is not inside it. Save it with its fonts embedded and choose it again.`,
  );
};

/**
 * Reads a page.
 *
 * @returns also whether it is drawn the same each time: PDFium bends a font for one that is missing, each time differently
 * @throws {FileProblem} when a text of the page is in a font that is not in the document, and that PDFium has no like of
 */
export function readPage(library: PDFiumLibrary, page: PDFiumPage) {
  const native = nativeOf(library);
  const known = new Map<number, { name: string; letters: RegExp } | undefined>();
  const describe = (font: number) => {
    if (native._FPDFFont_GetIsEmbedded(font)) return undefined;
    const at = native.wasmExports.malloc(NAME_BYTES);
    const length = native._FPDFFont_GetBaseFontName(font, at, NAME_BYTES);
    const name = Buffer.from(native.HEAPU8.subarray(at, at + Math.min(length, NAME_BYTES) - 1)).toString();
    native.wasmExports.free(at);
    return { name, letters: SYMBOLS[name] ?? (OF_SIGNS.test(name) ? /\s/u : WESTERN) };
  };
  let text = '';
  for (const { object, letter } of lettersOf(library, page)) {
    text += letter;
    if (!object) continue;
    const font = native._FPDFTextObj_GetFont(object);
    if (!known.has(font)) known.set(font, describe(font));
    const own = known.get(font);
    if (!own || letter === '' || letter === '-' || own.letters.test(letter)) continue;
    const mode = native._FPDFTextObj_GetTextRenderMode(object);
    if (mode !== INVISIBLE && mode !== CLIPS) throw missing(own.name);
  }
  return { text, isSteady: [...known.values()].every((font) => !font || STANDARD.test(font.name)) };
}

const isEmbedded = (font: PDFObject) =>
  ['FontFile', 'FontFile2', 'FontFile3'].some((key) => get(font, 'FontDescriptor', key));

/**
 * The numbers of glyphs say nothing without the font that they number.
 *
 * @throws {FileProblem} when a font that is not in the document is used by such numbers alone
 */
export function refuseUnknownNumbers(font: PDFDict): void {
  const descendants = get(font, 'DescendantFonts');
  const own = descendants instanceof PDFArray ? descendants.lookup(0) : undefined;
  const base = get(font, 'BaseFont');
  const isNumbered = /^\/Identity-[HV]$/.test(String(get(font, 'Encoding'))) && !get(font, 'ToUnicode');
  if (own && isNumbered && !isEmbedded(own)) throw missing(base instanceof PDFName ? base.decodeText() : '');
}

/** PDFium passes over a glyph whose name it does not know. @throws {FileProblem} when a font that is not in the document has one */
export function refuseUnknownGlyphs(font: PDFDict): void {
  const differences = get(get(font, 'Encoding'), 'Differences');
  const base = get(font, 'BaseFont');
  if (!(differences instanceof PDFArray) || !(base instanceof PDFName) || isEmbedded(font)) return;
  const name = base.decodeText();
  if (name in SYMBOLS) return;
  const [first, widths] = [get(font, 'FirstChar'), get(font, 'Widths')];
  let code = 0;
  for (let index = 0; index < differences.size(); index++) {
    const item = differences.lookup(index);
    if (item instanceof PDFNumber) code = item.asNumber();
    if (!(item instanceof PDFName)) continue;
    // An encoding may name many glyphs; those that are used have a width.
    const width =
      first instanceof PDFNumber && widths instanceof PDFArray
        ? String(widths.get(code - first.asNumber()) ?? 0)
        : 'unknown';
    const glyph = item.decodeText();
    if (width !== '0' && !WESTERN_GLYPH.test(glyph) && !OTHER_GLYPHS.has(glyph)) throw missing(name);
    code++;
  }
}
