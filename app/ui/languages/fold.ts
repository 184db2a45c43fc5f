/**
 * What search leaves out of a text: what is not seen, and the marks that readers of a script may leave out. The class is as
 * `private.normalized` in the database has it.
 */
const LEFT_OUT =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the marks stand for themselves
  /[\u00AD\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061C\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED\u093C\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFE00-\uFE0F\uFEFF]+/gu;

/** Letters that are written as others where they cannot be typed. */
const REPLACED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŧ: 't',
  ŋ: 'n',
  ɓ: 'b',
  ɖ: 'd',
  ɗ: 'd',
  ɛ: 'e',
  ƒ: 'f',
  ƙ: 'k',
  ɲ: 'n',
  ʋ: 'v',
  ƴ: 'y',
  ё: 'е',
  آ: 'ا',
  أ: 'ا',
  إ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};

const isLatinOrGreek = /[\p{Script=Latin}\p{Script=Greek}]/u;

/** One letter with the marks after it as search compares it: `private.normalized` in the database. */
function foldLetter(letter: string): string {
  const composed = letter.normalize('NFKC').toLowerCase().replace(LEFT_OUT, '');
  return Array.from(composed, (char) => {
    const replaced = REPLACED[char];
    if (replaced !== undefined) return replaced;
    return isLatinOrGreek.test(char) ? char.normalize('NFD').replace(LEFT_OUT, '') : char;
  }).join('');
}

/** A text as search compares it, and for each of its positions where its letter begins in the text, with the end as the last one. */
export function fold(text: string): { folded: string; starts: number[] } {
  const starts: number[] = [];
  let folded = '';
  for (const { 0: letter, index } of text.matchAll(/.[\p{M}\uFF9E\uFF9F]*/gsu)) {
    const added = foldLetter(letter);
    folded += added;
    for (let at = 0; at < added.length; at += 1) starts.push(index);
  }
  return { folded, starts: [...starts, text.length] };
}
