import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classes } from './classes.ts';

const box =
  'w-full rounded-md border border-line-2 bg-surface px-3 text-ink transition-colors disabled:border-transparent disabled:bg-sunken disabled:text-ink-3 aria-invalid:border-2 aria-invalid:border-red';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={classes(box, 'h-11', className)} />;
}

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} rows={rows} className={classes(box, 'block resize-y py-2.5', className)} />;
}

export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={classes('relative block', className)}>
      <select {...rest} className={classes(box, 'h-11 appearance-none pr-10')}>
        {children}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-3 right-3 size-5 text-ink-2"
        strokeWidth={1.75}
        aria-hidden
      />
    </span>
  );
}
