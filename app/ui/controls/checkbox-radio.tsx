import type { ComponentProps, ReactNode } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

interface ChoiceProps extends Omit<ComponentProps<'input'>, 'type'> {
  children: ReactNode;
}

/** A native checkbox, drawn by the site, so that forms work without JavaScript. */
export function Checkbox({ children, className, ...rest }: ChoiceProps) {
  return (
    <label className={classes('choice', className)}>
      <input {...rest} type="checkbox" className="checkbox" />
      <span className="flex flex-1 items-center gap-2">{children}</span>
    </label>
  );
}

/** A native radio button, drawn by the site; those with the same `name` are one choice. */
export function Radio({ children, className, ...rest }: ChoiceProps) {
  return (
    <label className={classes('choice', className)}>
      <input {...rest} type="radio" className="radio" />
      <span>{children}</span>
    </label>
  );
}
