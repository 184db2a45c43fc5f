import { type PDFDict, PDFHexString, PDFName, type PDFString } from '@cantoo/pdf-lib';
import type { PDFiumLibrary, PDFiumPage, PDFiumPageRender } from '@hyzyla/pdfium';
import { FileProblem } from '../problem.ts';
import { lettersOf, nativeOf, open, pageOf } from './pdfium.ts';

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
const VISIBLE = 24;
/** The share of a page that may be drawn a little different. PDFium draws fields paler than their looks. */
const [MAX_DIFFERENT, MAX_DIFFERENT_WITH_FIELDS] = [0.001, 0.01];
/** As many letters as a glyph joins. */
const LETTERS_OF_GLYPH = 3;

/**
 * Compares a page with what was made of it, and closes both.
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
  const refuse = (what: string) => {
    throw new FileProblem(
      `${what} of page ${sent.number + 1} of this PDF would be lost here. Open it, print it to a new PDF and choose that.`,
    );
  };
  const isNamed = (names: string[]) => names.some((name) => leftOut.has(name));
  if (!isNamed(WITH_TEXTS) && !holds(text, sent.getText())) refuse('Words');
  if (isSteady && !isNamed(SEEN)) {
    const most = leftOut.has('fields to fill in') ? MAX_DIFFERENT_WITH_FIELDS : MAX_DIFFERENT;
    const hasNotes = nativeOf(library)._FPDFPage_GetAnnotCount(pageOf(sent)) > 0;
    if (difference(await smallPicture(sent, hasNotes), await smallPicture(made, false)) > most)
      refuse('Parts');
  } else for (const page of [sent, made]) nativeOf(library)._FPDF_ClosePage(pageOf(page));
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

/** Drawing a page closes it. @param hasNotes whether there are fields to be drawn */
function smallPicture(page: PDFiumPage, hasNotes: boolean) {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = COMPARED_EDGE / Math.max(originalWidth, originalHeight);
  const [width, height] = [originalWidth, originalHeight].map((edge) => Math.round(edge * scale) || 1);
  return page.render({ scale: 1, width, height, render: 'bitmap', renderFormFields: hasNotes });
}

/** The share of two pictures that is seen to be different; they may differ in size by rounding. */
function difference(a: PDFiumPageRender, b: PDFiumPageRender): number {
  if (a.width !== b.width || a.height !== b.height) return 0;
  const different = a.data.reduce(
    (sum, value, at) => sum + Number(Math.abs(value - (b.data[at] ?? 0)) > VISIBLE),
    0,
  );
  return different / a.data.length;
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
