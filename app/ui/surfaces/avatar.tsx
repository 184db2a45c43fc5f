import { useState } from 'react';
import { classes } from '#app/ui/texts/classes.ts';
import { useImageFailure, useSavesData } from './picture.tsx';

const sizes = {
  32: 'size-[2rem] text-sm',
  40: 'size-[2.5rem] text-sm',
  56: 'size-[3.5rem] text-lg',
  96: 'size-[6rem] text-2xl',
};
const grounds = ['bg-accent-soft text-accent-ink', 'bg-warm-soft text-warm-ink', 'bg-chip text-ink-2'];

const signs = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first sign of a word as a reader sees it: an accented letter, or an emoji, is one. */
const firstSign = (word = ''): string =>
  signs.segment(word)[Symbol.iterator]().next().value?.segment.toUpperCase() ?? '';

/**
 * A portrait, or the initials of the name on a colour derived from it, also when the portrait cannot be loaded. Always
 * beside the name.
 */
export function Avatar({
  name,
  src,
  size = 40,
  className,
}: {
  name: string;
  src?: string | null;
  size?: keyof typeof sizes;
  className?: string;
}) {
  const [failed, setFailed] = useState<string>();
  const savesData = useSavesData();
  const failure = useImageFailure(() => setFailed(src ?? undefined));
  const words = name
    // Titles, those of other languages too: "Dr. med."
    .replace(/^(?:(?:Dr|Prof|Mr|Mrs|Ms|Miss)\.?\s+|\p{L}{2,}\.\s+)+/u, '')
    .split(/\s+/)
    .filter(Boolean);
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined].map(firstSign).join('');
  const ground =
    grounds[
      [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) % grounds.length
    ];
  return (
    <span
      aria-hidden
      className={classes(
        'inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full font-bold',
        sizes[size],
        ground,
        className,
      )}
    >
      {src && src !== failed && !savesData ? (
        <img
          {...failure}
          src={src}
          alt=""
          width={size}
          height={size}
          className="picture size-full object-cover"
          loading="lazy"
        />
      ) : (
        initials
      )}
    </span>
  );
}
