import type { PDFiumLibrary, PDFiumPage } from '@hyzyla/pdfium';
import { LIMITS } from '../../limits.ts';
import { FileProblem } from '../problem.ts';
import type { Seen } from './losses.ts';
import { damaged } from './unpack.ts';

/** What this uses of PDFium beside what its package wraps. */
interface Native {
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_GetTextObject(text: number, index: number): number;
  _FPDFTextObj_GetTextRenderMode(object: number): number;
  _FPDFTextObj_GetFont(object: number): number;
  _FPDFFont_GetIsEmbedded(font: number): number;
  _FPDFFont_GetBaseFontName(font: number, buffer: number, length: number): number;
  _FPDFPageObj_GetMarkedContentID(object: number): number;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
  _FPDF_ClosePage(page: number): void;
  wasmExports: {
    malloc(size: number): number;
    free(address: number): void;
    __indirect_function_table: WebAssembly.Table;
  };
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
}

/** The functions of PDFium itself, which its package does not type. */
export const nativeOf = (library: PDFiumLibrary) => (library as unknown as { module: Native }).module;
/** The pointer by which PDFium’s own functions know a page; 0 for a page that could not be loaded. */
export const pageOf = (page: PDFiumPage) => (page as unknown as { pageIdx: number }).pageIdx;

/** As much of the text of a page as is compared with what is made of it. */
const COMPARED_CHARACTERS = 100_000;
/** In pixels. */
const COMPARED_EDGE = 200;
const MAX_CODE = 0x10ffff;
const REMOVE_SECURITY = 3;
/** No function of C has this address, so that the table of functions has room for one here. */
const WRITER = 0;
/** A module that passes calls of one function with three numbers on to JavaScript, which a table of functions cannot hold itself. */
const CALL_JAVASCRIPT = Uint8Array.from(
  Buffer.from(
    '0061736d01000000010801 60037f7f7f017f 02070101650166 0000 07050101660000'.replaceAll(' ', ''),
    'hex',
  ),
);

/** Opens a document that needs no password. */
export async function open(library: PDFiumLibrary, bytes: Uint8Array) {
  try {
    return await library.loadDocument(bytes);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/password/i.test(message))
      throw new FileProblem('This PDF needs a password to open. Save it without one and choose it again.');
    if (/security/i.test(message))
      throw new FileProblem(
        'This PDF is encrypted in a way that cannot be read. Save it without protection and choose it again.',
      );
    throw damaged();
  }
}

/** The letters of a page with the object that draws each; PDFium adds some between words and lines, which have none. */
export function* lettersOf(library: PDFiumLibrary, page: PDFiumPage) {
  const native = nativeOf(library);
  const text = native._FPDFText_LoadPage(pageOf(page));
  try {
    const count = native._FPDFText_CountChars(text);
    for (let index = 0; index < count; index++) {
      const object = native._FPDFText_GetTextObject(text, index);
      const code = native._FPDFText_GetUnicode(text, index) >>> 0;
      if (object) yield { object, letter: code > MAX_CODE ? '' : String.fromCodePoint(code) };
    }
  } finally {
    native._FPDFText_ClosePage(text);
  }
}

/**
 * A picture of a page that is compared with another. PDFium makes the looks that are missing when it draws, and closes the page.
 *
 * @param hasNotes whether there are fields to be drawn
 */
export function smallPicture(page: PDFiumPage, hasNotes: boolean) {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = COMPARED_EDGE / Math.max(originalWidth, originalHeight, 1);
  const [width, height] = [originalWidth, originalHeight].map((edge) => Math.round(edge * scale) || 1);
  return page.render({ scale: 1, width, height, render: 'bitmap', renderFormFields: hasNotes });
}

/**
 * The document as PDFium reads it: with a true table of its objects, without encryption, and with an appearance for each
 * field and note that came without one. Beside it what was seen of its pages.
 */
export async function repair(library: PDFiumLibrary, bytes: Uint8Array) {
  const native = nativeOf(library);
  const document = await open(library, bytes);
  const count = document.getPageCount();
  if (count === 0) throw new FileProblem('This PDF has no pages.');
  if (count > LIMITS.pages)
    throw new FileProblem(`This PDF has ${count} pages. A PDF can have at most ${LIMITS.pages}.`);
  const pages: Seen[] = [];
  for (const page of document.pages()) {
    const pageIdx = pageOf(page);
    if (!pageIdx)
      throw new FileProblem(
        `Page ${page.number + 1} of this PDF is damaged. Open it, print it to a new PDF and choose that.`,
      );
    const text = page.getText().slice(0, COMPARED_CHARACTERS);
    pages.push({ text, picture: await smallPicture(page, native._FPDFPage_GetAnnotCount(pageIdx) > 0) });
  }
  const parts: Buffer[] = [];
  const write = (_: number, at: number, length: number) => {
    parts.push(Buffer.from(native.HEAPU8.slice(at, at + length)));
    return 1;
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(CALL_JAVASCRIPT), { e: { f: write } });
  native.wasmExports.__indirect_function_table.set(WRITER, exports.f);
  const writer = native.wasmExports.malloc(8);
  native.HEAP32.set([1, WRITER], writer / 4);
  const { documentIdx } = document as unknown as { documentIdx: number };
  const saved = native._FPDF_SaveAsCopy(documentIdx, writer, REMOVE_SECURITY);
  native.wasmExports.free(writer);
  document.destroy();
  if (!saved) throw new Error('PDFium saved no copy');
  return { repaired: Buffer.concat(parts), pages };
}
