import type { ComponentProps } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

/** A field of one line, in the direction of what is typed. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input dir="auto" {...rest} className={classes('input', 'h-11', className)} />;
}

/** For a code from a mail or an authenticator app, which phones and password managers fill in. */
export const CodeInput = (props: ComponentProps<'input'>) => (
  <Input
    inputMode="numeric"
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
);

/** A field of several lines, which the reader can make higher. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      dir="auto"
      {...rest}
      rows={rows}
      className={classes('input', 'block resize-y py-2.5', className)}
    />
  );
}

/** The browser’s own list of options, drawn like the other fields. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={classes('relative block', className)}>
      <select {...rest} className={classes('input', 'h-11 appearance-none pr-10')}>
        {children}
      </select>
      <span className="pointer-events-none absolute top-3 right-3 icon icon-chevron-down text-ink-2" />
    </span>
  );
}
