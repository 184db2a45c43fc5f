/**
 * The beginning of a text, of at most so many characters as the database counts them. What a reader takes for one letter stays
 * whole: half of it is no text, which JSON for the database and addresses refuse. Only a letter of more marks than that is cut.
 */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (let count = 0; count < most && end < text.length; count++)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  const letter = new Intl.Segmenter().segment(text).containing(end);
  return text.slice(0, letter?.index || end);
}
