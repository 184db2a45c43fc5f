const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ACCENTED = 'åßçðéƒĝĥîĵķļµñöþœŕšţûγŵχýž';
const CAPITALS = 'ÅßÇÐÉƑĜĤÎĴĶĻΜÑÖÞŒŔŠŢÛΓŴΧÝŽ';

const accented = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => {
    const at = LETTERS.indexOf(letter.toLowerCase());
    return (letter === letter.toLowerCase() ? ACCENTED : CAPITALS)[at] ?? letter;
  });

/** Words in place of what other languages need more than English: German texts are longer by a third. */
const padding = (text: string) => ' ķļŵ'.repeat(Math.ceil(text.length / 3 / 4));

/** A message in a language that no one speaks, with its places untouched. */
export function pseudoText(text: string, tag: string): string {
  const parts = text.split(/([{<]\/?\d+[}>])/);
  const words = (change: (part: string) => string) =>
    parts.map((part) => (/^[{<]\/?\d+[}>]$/.test(part) ? part : change(part))).join('');
  if (tag === 'ar-XB') return words((part) => part.replace(/\p{L}+/gu, '\u202e$&\u202c'));
  return `${words(accented)}${padding(text)}`;
}
