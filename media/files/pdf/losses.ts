import { isDeepStrictEqual } from 'node:util';
import { type PDFDict, PDFHexString, PDFName, type PDFString } from '@cantoo/pdf-lib';
import type { PDFiumLibrary, PDFiumPage } from '@hyzyla/pdfium';
import { FileProblem } from '../problem.ts';
import { draw, lettersOf, nativeOf, open, pageOf, sizeOf } from './pdfium.ts';

/** What a text says, in whatever letters: without case, accents, signs and spaces, and with ligatures taken apart. */
const said = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** What has texts, and what is seen, of that which is left out and named. */
const WITH_TEXTS = ['hidden layers', 'hidden texts'];
const SEEN = [
  'attachments',
  'cropping of pages',
  'drawn notes',
  'notes',
  'sounds',
  'values of fields',
  'videos',
];
/** The longest edge of the pictures that are compared. */
const COMPARED_EDGE = 200;
/** A difference of a colour, of 255. */
const VISIBLE = 40;
/** The share of a page that may be drawn a little different. PDFium draws fields paler than their looks. */
const [MAX_DIFFERENT, MAX_DIFFERENT_WITH_FIELDS] = [0.001, 0.01];
/** As many letters as a glyph joins. */
const LETTERS_OF_GLYPH = 3;

/**
 * Compares a page with what was made of it, and closes it.
 *
 * @param text what is read on the page that was made
 * @param leftOut what may be lost, since it is named
 * @param isSteady whether PDFium draws the page the same each time
 * @throws {FileProblem} when it has lost anything else
 */
export async function refuseLoss(
  library: PDFiumLibrary,
  [sent, made]: [PDFiumPage, PDFiumPage],
  { text, leftOut, isSteady }: { text: string; leftOut: Set<string>; isSteady: boolean },
): Promise<void> {
  const native = nativeOf(library);
  const refuse = (what: string) => {
    throw new FileProblem(
      `${what} of page ${sent.number + 1} of this PDF would be lost here. Open it, print it to a new PDF and choose that.`,
    );
  };
  const isNamed = (names: string[]) => names.some((name) => leftOut.has(name));
  const words = Array.from(lettersOf(library, sent), ({ letter }) => letter).join('');
  if (!isNamed(WITH_TEXTS) && !holds(text, words)) refuse('Words');
  // A margin of less than a point may have been cropped away.
  if (isSteady && !isNamed(SEEN) && isDeepStrictEqual(sent.getOriginalSize(), made.getOriginalSize())) {
    const most = leftOut.has('fields to fill in') ? MAX_DIFFERENT_WITH_FIELDS : MAX_DIFFERENT;
    const [width, height] = sizeOf(sent, COMPARED_EDGE, COMPARED_EDGE);
    const renderFormFields = native._FPDFPage_GetAnnotCount(pageOf(sent)) > 0;
    const { data } = await sent.render({ scale: 1, width, height, render: 'bitmap', renderFormFields });
    if ((await draw(library, made, [width, height], (pixels) => difference(data, pixels, width))) > most)
      refuse('Parts');
  } else native._FPDF_ClosePage(pageOf(sent));
}

/** Whether a text has all letters of another one, in their order. */
function holds(text: string, part: string): boolean {
  const letters = said(text);
  let at = 0;
  for (const letter of said(part)) {
    at = letters.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** The share of a picture that is seen to be different from another, in which lines may lie a pixel beside. */
function difference(a: Uint8Array, b: Uint8Array, width: number): number {
  const row = width * 4;
  const around = [0, 4, row - 4, row, row + 4].flatMap((offset) => [offset, -offset]);
  let different = 0;
  for (const [at, value] of a.entries())
    if (around.every((offset) => Math.abs(value - (b[at + offset] ?? 0)) > VISIBLE)) different++;
  return different / a.length;
}

/** A mark that says as what text its glyphs are copied and read aloud. */
export interface Mark {
  /** Its properties in the new document, which so far are its number in the list of all marks. */
  properties: PDFDict;
  text: PDFString | PDFHexString;
}

/**
 * Gives those marks their texts that say what is drawn. Any other text would be seen by those alone who copy it.
 *
 * @param bytes the document with the numbers of the marks
 * @returns whether one has lost its text
 */
export async function fillMarks(library: PDFiumLibrary, bytes: Uint8Array, marks: Mark[]): Promise<boolean> {
  const native = nativeOf(library);
  const document = await open(library, bytes);
  const drawn = marks.map(() => '');
  for (const page of document.pages()) {
    for (const { object, letter } of lettersOf(library, page)) {
      if (!object) continue;
      const number = native._FPDFPageObj_GetMarkedContentID(object);
      if (number in drawn) drawn[number] += letter;
    }
    native._FPDF_ClosePage(pageOf(page));
  }
  document.destroy();
  let hasLost = false;
  for (const [number, { properties, text }] of marks.entries()) {
    properties.delete(PDFName.of('MCID'));
    const words = text.decodeText().replaceAll(/[^\P{C}\u00ad]/gu, '');
    if (isDrawn(words, drawn[number] ?? ''))
      properties.set(PDFName.of('ActualText'), PDFHexString.fromText(words));
    else hasLost = true;
  }
  return hasLost;
}

function isDrawn(text: string, drawn: string): boolean {
  const [words, all] = [said(text), said(drawn)];
  // A glyph that joins letters, or is the form of one in the middle of a word, is often known as another letter.
  if ([...drawn].length === 1) return words.length <= LETTERS_OF_GLYPH;
  // What is drawn several times has one mark.
  return words === all || (words !== '' && all !== '' && all.replaceAll(words, '') === '');
}
