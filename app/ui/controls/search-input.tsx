import type { ComponentProps } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

/** A search box without its button; name it with aria-label. */
export function SearchInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <span className={classes('search-input with-icon icon-search', className)}>
      <input type="search" dir="auto" enterKeyHint="search" autoComplete="off" {...rest} />
    </span>
  );
}
