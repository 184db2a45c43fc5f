import type { PDFiumLibrary, PDFiumPage } from '@hyzyla/pdfium';
import { LIMITS } from '../../limits.ts';
import { FileProblem } from '../problem.ts';
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
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: number, stride: number): number;
  _FPDFBitmap_FillRect(
    bitmap: number,
    x: number,
    y: number,
    width: number,
    height: number,
    colour: number,
  ): void;
  _FPDFBitmap_GetBuffer(bitmap: number): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    turn: number,
    flags: number,
  ): void;
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

/** What PDFium reads for a hyphen at the end of a line. */
const HYPHENS = new Set(['\x02', '\ufffe']);
const MAX_CODE = 0x10ffff;
const [WHITE, RED_FIRST] = [0xffffffff, 0x10];
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

/** The letters of a page with the object that draws each; it is 0 for what PDFium adds between words and lines. */
export function* lettersOf(library: PDFiumLibrary, page: PDFiumPage) {
  const native = nativeOf(library);
  const text = native._FPDFText_LoadPage(pageOf(page));
  try {
    const count = native._FPDFText_CountChars(text);
    for (let index = 0; index < count; index++) {
      const object = native._FPDFText_GetTextObject(text, index);
      const code = native._FPDFText_GetUnicode(text, index) >>> 0;
      const letter = code === 0 || code > MAX_CODE ? '' : String.fromCodePoint(code);
      yield { object, letter: HYPHENS.has(letter) ? '-' : letter };
    }
  } finally {
    native._FPDFText_ClosePage(text);
  }
}

/** Uses a picture of a page, in PDFium’s own memory. The page stays open. */
export async function draw<T>(
  library: PDFiumLibrary,
  page: PDFiumPage,
  [width, height]: [number, number],
  use: (pixels: Uint8Array) => T | Promise<T>,
): Promise<T> {
  const native = nativeOf(library);
  const bitmap = native._FPDFBitmap_CreateEx(width, height, 4, 0, 0);
  if (!bitmap) throw new Error('PDFium made no picture');
  try {
    native._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    native._FPDF_RenderPageBitmap(bitmap, pageOf(page), 0, 0, width, height, 0, RED_FIRST);
    const at = native._FPDFBitmap_GetBuffer(bitmap);
    return await use(native.HEAPU8.subarray(at, at + width * height * 4));
  } finally {
    native._FPDFBitmap_Destroy(bitmap);
  }
}

/** The size of a page in pixels, at least one. */
export function sizeOf(page: PDFiumPage, maxWidth: number, maxHeight: number): [number, number] {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = Math.min(maxWidth / originalWidth, maxHeight / originalHeight);
  return [Math.round(originalWidth * scale) || 1, Math.round(originalHeight * scale) || 1];
}

/**
 * The document as PDFium reads it: with a true table of its objects, without encryption, and with an appearance for each
 * field and note that came without one.
 */
export async function repair(library: PDFiumLibrary, bytes: Uint8Array): Promise<Buffer> {
  const native = nativeOf(library);
  const document = await open(library, bytes);
  const count = document.getPageCount();
  if (count === 0) throw new FileProblem('This PDF has no pages.');
  if (count > LIMITS.pages)
    throw new FileProblem(`This PDF has ${count} pages. A PDF can have at most ${LIMITS.pages}.`);
  for (const page of document.pages()) {
    const pageIdx = pageOf(page);
    if (!pageIdx)
      throw new FileProblem(
        `Page ${page.number + 1} of this PDF is damaged. Open it, print it to a new PDF and choose that.`,
      );
    const { originalWidth, originalHeight } = page.getOriginalSize();
    // PDFium makes what is missing when it draws, at any size.
    if (native._FPDFPage_GetAnnotCount(pageIdx) > 0)
      await page.render({
        scale: 8 / Math.max(originalWidth, originalHeight, 8),
        renderFormFields: true,
        render: 'bitmap',
      });
    else native._FPDF_ClosePage(pageIdx);
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
  return Buffer.concat(parts);
}
