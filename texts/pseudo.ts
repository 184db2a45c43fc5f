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

/** Words whose letters run from right to left, as those of Arabic do by themselves. */
const turned = (text: string) => text.replace(/\p{L}+/gu, '\u202e$&\u202c');

/** A message in the language that no one speaks, with its places untouched. */
export const pseudoText = (text: string): string =>
  `${text}${padding(text)}`
    .split(/([{<]\/?\d+[}>])/)
    .map((part, at) => (at % 2 === 1 ? part : turned(accented(part))))
    .join('');
