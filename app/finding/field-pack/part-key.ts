import { fold } from '#app/ui/languages/fold.ts';

/** More of a maker or number than a part may have, and of a key no more than the database keeps. */
const MAX_LENGTH = 200;
const DIGIT = /\p{Nd}/u;

/** Cyrillic and Greek letters, folded, that look like these Latin ones. */
const ALIKE = 'авекмнорстухαβεζηικμνορτυχ';
const LATIN = 'abekmhopctyxabezhikmnoptyx';

/** A digit of any script as one of ours: each script has its ten in a row. */
function plainDigit(digit: string): string {
  let value = 0;
  while (DIGIT.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - value - 1))) value += 1;
  return String(value % 10);
}

const cut = (text: string) => Array.from(text).slice(0, MAX_LENGTH).join('');

/**
 * What a part is known by however its maker and number are written: `private.part_key` in the database. Blank where there is neither
 * letter nor digit.
 */
export function partKey(maker: string | null, number: string | null): string {
  const written = (cut(maker ?? '') + cut(number ?? '')).normalize('NFKC');
  const { folded } = fold(written.replace(/\p{Nd}/gu, plainDigit));
  const latin = Array.from(folded, (letter) => LATIN[ALIKE.indexOf(letter)] ?? letter).join('');
  return cut(latin.replace(/[\p{P}\p{S}\p{Z}\p{C}\u02B0-\u036F]+/gu, ''));
}
