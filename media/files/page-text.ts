import { cutText } from '../../texts/cut-text.ts';

/** The letters of one page: one that is read has some 3,000, and a plan in small print up to 20,000. */
const PAGE_CHARACTERS = 20_000;
/** As much as is searched of a file. */
const DRAWING_CHARACTERS = 1_000_000;

const plain = (text: string) =>
  text
    .replaceAll(/\r\n?/g, '\n')
    // PDFium marks a hyphen at the end of a line by a character that is none.
    .replaceAll('\ufffe', '-')
    .replaceAll(/[^\P{C}\n]/gu, '')
    .trim();

/** The text of one page, as much of it as is searched for details of persons. */
export const pageText = (text: string) => cutText(plain(text), PAGE_CHARACTERS);

/** The words of a drawing, in which details of persons are looked for as in the pages of a document. */
export const drawingTexts = (words: string[]): string[] => {
  const text = cutText(plain(words.join('\n')), DRAWING_CHARACTERS);
  return text === '' ? [] : [text];
};
