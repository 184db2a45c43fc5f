import { type PDFDict, PDFHexString, PDFName, type PDFString } from '@cantoo/pdf-lib';
import type { PDFiumLibrary } from '@hyzyla/pdfium';
import { lettersOf, nativeOf, open, pageOf } from './pdfium.ts';

/** What a text says, in whatever letters: without case, accents, signs and spaces, and with ligatures taken apart. */
const said = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** As many letters as a glyph joins. */
const LETTERS_OF_GLYPH = 3;

/** Whether a text has all letters of another one, in their order. */
export function holds(text: string, part: string): boolean {
  const letters = said(text);
  let at = 0;
  for (const letter of said(part)) {
    at = letters.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
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
