import { type ReactNode, useId } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** The label beside it; a click there switches too. */
  children: ReactNode;
  hint?: ReactNode;
  className?: string;
}

/** A setting that is on or off and takes effect at once. */
export function Switch({ checked, onChange, children, hint, className }: SwitchProps) {
  const id = useId();
  return (
    <span className={classes('inline-flex min-h-11 items-center gap-3', className)}>
      <span>
        <label htmlFor={id}>{children}</label>
        {hint && (
          <span id={`${id}-hint`} className="block text-sm text-ink-2">
            {hint}
          </span>
        )}
      </span>
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onClick={() => onChange(!checked)}
        className="group relative h-6 w-11 shrink-0 rounded-full bg-line-2 transition-colors aria-checked:bg-accent"
      >
        <span className="block size-4 ms-1 rounded-full bg-white transition-transform group-aria-checked:translate-x-5 rtl:group-aria-checked:-translate-x-5 group-aria-checked:bg-on-accent" />
      </button>
    </span>
  );
}
