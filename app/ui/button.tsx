import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classes } from './classes.ts';

type Variant = 'primary' | 'default' | 'quiet' | 'danger' | 'over-picture';
type Size = 'normal' | 'bar' | 'icon' | 'small';

const variants: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  default: 'border border-line-2 bg-surface text-ink hover:bg-chip',
  quiet: 'text-accent hover:text-accent-hover hover:bg-accent-soft',
  danger: 'bg-red text-on-red hover:bg-red-hover',
  'over-picture': 'bg-over-picture text-white hover:bg-[rgb(15_22_20)]',
};

const sizes: Record<Size, string> = {
  normal: 'min-h-11 px-4',
  bar: 'min-h-11 px-4 lg:min-h-10',
  icon: 'size-11 shrink-0',
  small: 'min-h-11 px-3 text-sm md:min-h-9',
};

/** The look of a button, for links. */
export function buttonClass(variant: Variant = 'default', size: Size = 'normal', extra?: string): string {
  return classes(
    'inline-flex items-center justify-center gap-2 rounded-md font-semibold whitespace-nowrap transition-colors select-none',
    'disabled:bg-chip disabled:text-ink-3 disabled:border-transparent',
    variants[variant],
    sizes[size],
    extra,
  );
}

interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant;
  size?: Size;
  /** The action in progress, for example "Sending"; the button then spins and does nothing. */
  busy?: string | false | undefined;
}

export function Button({
  variant,
  size,
  busy,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass(variant, size, className)}
      aria-disabled={busy ? true : undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {busy ? (
        <>
          <LoaderCircle className="size-5 animate-spin" aria-hidden />
          {busy}
        </>
      ) : (
        children
      )}
    </button>
  );
}
