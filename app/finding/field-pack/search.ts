import { fold } from '#app/ui/languages/fold.ts';

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

/**
 * Which words of solutions a search finds: every word of it occurs, is the plural of one that does, or stands for others by the
 * words that mean the same. Unlike on the site no slip of the hand is mended.
 */
export function searchOf(search: string, synonyms: string[][]): Test {
  const typed = (fold(search.slice(0, 200)).folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, MAX_WORDS);
  const tests: Test[] = [];
  for (let at = 0; at < typed.length; ) {
    const { span, terms } = equivalentsAt(typed, at, synonyms);
    const literal = typed.slice(at, at + span).map((word): Test => {
      const forms = [word, ...singulars(word)].map(contains);
      return (words) => forms.some((form) => form(words));
    });
    const others = terms.map(equivalent);
    tests.push((words) => literal.every((test) => test(words)) || others.some((test) => test(words)));
    at += span;
  }
  return (words) => tests.every((test) => test(words));
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
