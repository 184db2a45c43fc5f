import type { ComponentProps } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

/** The look of a chip, for a button of another kind. */
export function chipClass(tone: 'filter' | 'tag' = 'tag', className?: string): string {
  return classes(
    'inline-flex min-h-11 max-w-full items-center gap-2 rounded-md border px-3 text-start font-medium transition-colors lg:min-h-9',
    tone === 'filter'
      ? 'border-accent bg-accent-soft text-accent-ink'
      : 'border-line-2 bg-surface text-ink hover:bg-chip',
    className,
  );
}

/** A chosen value that one press removes, as screen readers announce it; the whole chip is the button. */
export function Chip({ tone, children, ...rest }: ComponentProps<'button'> & { tone?: 'filter' | 'tag' }) {
  return (
    <button type="button" {...rest} className={chipClass(tone)}>
      <span className="sr-only">Remove </span>
      <span className="truncate">{children}</span>
      <span className="icon icon-close size-4" />
    </button>
  );
}
