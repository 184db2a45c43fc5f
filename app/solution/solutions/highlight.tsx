import { Fragment } from 'react';

const foldAccents = (text: string) =>
  // One letter for each letter, so that positions in the folded text are positions in the text.
  Array.from(
    { length: text.length },
    (_, at) => (text[at] ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()[0] ?? ' ',
  ).join('');

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * The terms to mark in results, or none without a search. The typed words are marked wherever they stand, if
 * longer than two letters; an abbreviation that means the same only as a whole word.
 */
export function highlightPattern(search: string, marks: readonly string[]): RegExp | undefined {
  const typed = foldAccents(search)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const parts = [...marks]
    .sort((a, b) => b.length - a.length)
    .map((mark) => {
      const word = escapeRegExp(mark).replaceAll(' ', '[\\s-]+');
      if (typed.includes(mark)) return mark.length < 3 ? `(?<![\\p{L}\\p{N}])${word}` : word;
      return mark.length < 5 ? `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])` : word;
    });
  return parts.length > 0 ? new RegExp(parts.join('|'), 'gu') : undefined;
}

/** The text with the found terms marked. */
export function Highlighted({ text, pattern }: { text: string; pattern: RegExp | undefined }) {
  if (!pattern) return text;
  const pieces: { at: number; text: string; matched: boolean }[] = [];
  let end = 0;
  for (const match of foldAccents(text).matchAll(pattern)) {
    if (match.index > end) pieces.push({ at: end, text: text.slice(end, match.index), matched: false });
    end = match.index + match[0].length;
    pieces.push({ at: match.index, text: text.slice(match.index, end), matched: true });
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
