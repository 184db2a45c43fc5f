import { Search } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classes } from './classes.ts';

/** A search box without its button; name it with aria-label. */
export function SearchInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <span className={classes('relative block', className)}>
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-5 -translate-y-1/2 text-ink-2"
        strokeWidth={1.75}
        aria-hidden
      />
      <input
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        {...rest}
        className="h-full min-h-[inherit] w-full rounded-md border border-line-2 bg-inherit pr-3 pl-10 text-ink"
      />
    </span>
  );
}
