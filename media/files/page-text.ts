const TEXT_CHARACTERS = 4000;

/** PDFium marks a hyphen at the end of a line by a character that is none. */
export const plainText = (text: string) =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\ufffe', '-')
    .replaceAll(/[^\P{C}\n]/gu, '')
    .trim()
    .slice(0, TEXT_CHARACTERS);

/** The words of a drawing, in which details of persons are looked for as in the pages of a document. */
export const drawingTexts = (words: string[]): string[] => {
  const text = plainText(words.join('\n'));
  return text === '' ? [] : [text];
};
