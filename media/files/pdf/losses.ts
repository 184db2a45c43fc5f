import { type PDFDict, PDFHexString, PDFName, type PDFString } from '@cantoo/pdf-lib';
import type { PDFiumLibrary, PDFiumPageRender } from '@hyzyla/pdfium';
import { FileProblem } from '../problem.ts';
import { lettersOf, nativeOf, open, pageOf } from './pdfium.ts';

/** What a text says, in whatever letters: without case, accents, signs and spaces, and with ligatures taken apart. */
const said = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** A difference of a colour, of 255. */
const VISIBLE = 24;
/** The share of a page that may be drawn a little different. */
const [MAX_DIFFERENT, MAX_DIFFERENT_WITH_FIELDS] = [0.001, 0.01];
/** As many letters as a glyph joins. */
const LETTERS_OF_GLYPH = 3;

/** What is compared of a page. */
export interface Seen {
  text: string;
  /** Small, and not there where the page may look different. */
  picture?: PDFiumPageRender | undefined;
  /** Whether it has fields, which PDFium draws paler than their looks. */
  hasFields?: boolean;
}

/** @throws {FileProblem} when something of a page is not in what was made of it */
export function refuseLoss(before: Seen, after: Seen, number: number): void {
  const lost = !holds(after.text, before.text) ? 'Words' : !looksLike(before, after) ? 'Parts' : undefined;
  if (lost)
    throw new FileProblem(
      `${lost} of page ${number} of this PDF would be lost here. Open it, print it to a new PDF and choose that.`,
    );
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

function looksLike({ picture: a, hasFields }: Seen, { picture: b }: Seen): boolean {
  if (!a || !b || a.width !== b.width || a.height !== b.height) return true;
  let different = 0;
  for (let at = 0; at < a.data.length; at++)
    if (Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0)) > VISIBLE) different++;
  return different <= a.data.length * (hasFields ? MAX_DIFFERENT_WITH_FIELDS : MAX_DIFFERENT);
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
