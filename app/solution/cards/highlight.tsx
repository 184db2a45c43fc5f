import { Fragment } from 'react';
import { fold } from '#app/ui/languages/fold.ts';

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Letters of the scripts that are written without spaces, where a word has no edges; Korean joins words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The terms to mark in results, or none without a search. The typed words are marked wherever they stand, if
 * longer than two letters; an abbreviation that means the same only as a whole word.
 */
export function highlightPattern(search: string, marks: readonly string[]): RegExp | undefined {
  const typed = fold(search)
    .folded.split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);
  const parts = [...marks]
    .sort((a, b) => b.length - a.length)
    .map((mark) => {
      const word = escapeRegExp(mark).replaceAll(' ', '[\\s-]+');
      if (UNSPACED.test(mark)) return word;
      if (typed.includes(mark)) return mark.length < 3 ? `(?<![\\p{L}\\p{N}])${word}` : word;
      return mark.length < 5 ? `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])` : word;
    });
  return parts.length > 0 ? new RegExp(parts.join('|'), 'gu') : undefined;
}

/** Where the pattern is found in a text, from where to where. Words that overlap, as the parts of one without spaces do, are one. */
function found(text: string, pattern: RegExp): { from: number; to: number }[] {
  const { folded, starts } = fold(text);
  const search = new RegExp(pattern);
  const places: { from: number; to: number }[] = [];
  for (let match = search.exec(folded); match; match = search.exec(folded)) {
    const from = starts[match.index] ?? 0;
    // A letter is marked as a whole, with what search leaves out of it.
    const to = starts.find((start, at) => at >= match.index + match[0].length && start > from) ?? text.length;
    const last = places.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else places.push({ from, to });
    search.lastIndex = match.index + 1;
  }
  return places;
}

/** The text with the found terms marked. */
export function Highlighted({ text, pattern }: { text: string; pattern: RegExp | undefined }) {
  if (!pattern) return text;
  const pieces: { at: number; text: string; matched: boolean }[] = [];
  let end = 0;
  for (const { from, to } of found(text, pattern)) {
    if (from > end) pieces.push({ at: end, text: text.slice(end, from), matched: false });
    pieces.push({ at: from, text: text.slice(from, to), matched: true });
    end = to;
  }
  pieces.push({ at: end, text: text.slice(end), matched: false });
  return pieces.map((piece) =>
    piece.matched ? (
      <mark key={piece.at} className="rounded-[3px] bg-warm-soft text-inherit">
        {piece.text}
      </mark>
    ) : (
      <Fragment key={piece.at}>{piece.text}</Fragment>
    ),
  );
}
