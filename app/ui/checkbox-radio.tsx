import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import { SpriteIcon } from './icon-sprite.tsx';

interface ChoiceProps extends Omit<ComponentProps<'input'>, 'type'> {
  children: ReactNode;
  /** A figure at the end of the row. */
  count?: number | undefined;
}

const rowClass = 'flex items-start gap-2.5 py-2.5 lg:py-1.5';

/** A native checkbox, drawn by the site, so that forms work without JavaScript. */
export function Checkbox({ children, count, className, ...rest }: ChoiceProps) {
  return (
    <label className={classes(rowClass, rest.disabled && 'text-ink-3', className)}>
      <span className="relative mt-0.5 size-5 shrink-0">
        <input
          {...rest}
          type="checkbox"
          className="peer size-5 appearance-none rounded-sm border border-line-2 bg-surface transition-colors checked:border-accent checked:bg-accent disabled:border-line disabled:bg-sunken aria-invalid:border-2 aria-invalid:border-red"
        />
        <SpriteIcon
          name="check"
          className="pointer-events-none absolute inset-0 m-auto size-4 text-on-accent opacity-0 transition-opacity peer-checked:opacity-100 stroke-3"
        />
      </span>
      <span className="flex flex-1 items-center gap-2">{children}</span>
      {count !== undefined && <span className="text-sm text-ink-3 tabular-nums">{count}</span>}
    </label>
  );
}

export function Radio({ children, className, ...rest }: Omit<ChoiceProps, 'count'>) {
  return (
    <label className={classes(rowClass, className)}>
      <input
        {...rest}
        type="radio"
        className="mt-0.5 size-5 shrink-0 appearance-none rounded-full border border-line-2 bg-surface transition-[border-width] checked:border-[6px] checked:border-accent aria-invalid:border-2 aria-invalid:border-red"
      />
      <span>{children}</span>
    </label>
  );
}
