import { fold } from '#app/ui/languages/fold.ts';
import { cutText } from '../../../texts/cut-text.ts';
import { partKey } from './part-key.ts';

/** As many words of a search as the site looks for. */
const MAX_WORDS = 8;
/** The most words that have a synonym together. */
const MAX_SPAN = 4;

/** The forms in which a word may be singular, as `private.singulars` in the database has them. */
function singulars(word: string): string[] {
  if (word.length < 4 || !/[^s]s$/.test(word)) return [];
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`, word.slice(0, -1)];
  if (/(ch|sh|x|ss|z)es$/.test(word)) return [word.slice(0, -2)];
  if (word.endsWith('ses')) return [word.slice(0, -1), `${word.slice(0, -2)}is`];
  if (word.endsWith('ves')) return [word.slice(0, -1), `${word.slice(0, -3)}f`, `${word.slice(0, -3)}fe`];
  return [word.slice(0, -1)];
}

type Test = (words: string) => boolean;

/** A part among the words of a solution: a sign before its key tells it from every word that is typed. */
export const partWord = (maker: string | null, number: string | null): string => `#${partKey(maker, number)}`;

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** One or two letters begin a word, more are anywhere in one, and so are those of scripts without spaces. */
const contains = (word: string): Test => {
  const part = word.length < 3 && !UNSPACED.test(word) ? ` ${word}` : word;
  return (words) => words.includes(part);
};

/** An abbreviation must be the whole word: "tt" is not in "fitting". */
const equivalent = (term: string): Test => {
  const tests = term
    .split(' ')
    .map((part): Test => (part.length < 5 ? (words) => words.includes(` ${part} `) : contains(part)));
  return (words) => tests.every((test) => test(words));
};

/** Whether one letter of a word was left out, added, mistaken or swapped with the next. */
function isSlip(typed: string, known: string): boolean {
  if (Math.abs(typed.length - known.length) > 1) return false;
  const shorter = Math.min(typed.length, known.length);
  let start = 0;
  while (start < shorter && typed[start] === known[start]) start += 1;
  let end = 0;
  while (end < shorter - start && typed.at(-1 - end) === known.at(-1 - end)) end += 1;
  const [wrong, right] = [typed, known].map((word) => word.slice(start, word.length - end)) as [
    string,
    string,
  ];
  return (wrong.length < 2 && right.length < 2) || (wrong.length === 2 && right === `${wrong[1]}${wrong[0]}`);
}

/**
 * The known word of which one that occurs nowhere is a slip; undefined for none, and where one letter makes another thing: in short
 * words, numbers of parts, and scripts whose letters are words.
 */
const mended = (word: string, vocabulary: readonly string[]): string | undefined =>
  word.length < 4 ||
  /\p{N}/u.test(word) ||
  UNSPACED.test(word) ||
  vocabulary.some((known) => known.includes(word))
    ? undefined
    : vocabulary.find((known) => isSlip(word, known));

/**
 * Which words of solutions a search finds: every word of it occurs, is the plural of one that does, or stands for others by the
 * words that mean the same. One that occurs nowhere is taken for a slip of the hand in one
 * that does, unless the search is a part, by its number or by maker and number, however they are written.
 *
 * @param vocabulary the different words of all solutions
 * @returns the search with the words that were looked for instead in `corrected`, where there are any
 */
export function searchOf(
  search: string,
  synonyms: string[][],
  vocabulary: readonly string[],
): { finds: Test; corrected?: string } {
  const typed = (fold(cutText(search, 200)).folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, MAX_WORDS);
  const part = partWord(null, search);
  const isPart = vocabulary.includes(part);
  const corrected = [...typed];
  const tests: Test[] = [];
  for (let at = 0; at < typed.length; ) {
    const { span, terms } = equivalentsAt(typed, at, synonyms);
    const literal = typed.slice(at, at + span).map((word, place): Test => {
      const forms = [word, ...singulars(word)];
      const isKnown = isPart || terms.length > 0 || forms.slice(1).some((form) => vocabulary.includes(form));
      const other = isKnown ? undefined : mended(word, vocabulary);
      if (other) corrected[at + place] = other;
      const found = [...forms, ...(other ? [other] : [])].map(contains);
      return (words) => found.some((form) => form(words));
    });
    const others = terms.map(equivalent);
    tests.push((words) => literal.every((test) => test(words)) || others.some((test) => test(words)));
    at += span;
  }
  return {
    finds: (words) => tests.every((test) => test(words)) || (isPart && words.includes(` ${part} `)),
    ...(corrected.some((word, at) => word !== typed[at]) && { corrected: corrected.join(' ') }),
  };
}

/** The longest run of words from there that has synonyms, else one word. */
function equivalentsAt(typed: string[], at: number, synonyms: string[][]): { span: number; terms: string[] } {
  for (let span = Math.min(MAX_SPAN, typed.length - at); span > 0; span -= 1) {
    const run = typed.slice(at, at + span);
    const forms = [run, ...singulars(run.at(-1) ?? '').map((last) => [...run.slice(0, -1), last])].map(
      (form) => form.join(' '),
    );
    const terms = synonyms.filter((group) => group.some((term) => forms.includes(term))).flat();
    if (terms.length > 0) return { span, terms: terms.filter((term) => term !== forms[0]) };
  }
  return { span: 1, terms: [] };
}
