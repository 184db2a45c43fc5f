import type { ComponentProps } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

type Variant = 'primary' | 'default' | 'quiet' | 'danger' | 'over-picture';
type Size = 'normal' | 'bar' | 'icon' | 'small';

const variants: Record<Variant, string> = {
  primary: 'button button-primary',
  default: 'button button-default',
  quiet: 'button button-quiet',
  danger: 'button button-danger',
  'over-picture': 'button button-over-picture',
};

const sizes: Record<Size, string> = {
  normal: 'min-h-11 px-4',
  bar: 'min-h-11 px-4 lg:min-h-10',
  icon: 'size-11 shrink-0',
  small: 'min-h-11 px-3 text-sm md:min-h-9',
};

/** The look of a button, for links. */
export function buttonClass(variant: Variant = 'default', size: Size = 'normal', extra?: string): string {
  return classes(variants[variant], sizes[size], extra);
}

interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant;
  size?: Size;
  /** The action in progress, for example "Sending"; the button then spins and does nothing. */
  busy?: string | false | undefined;
}

/**
 * The site’s button; it does nothing while it is busy. One that decides does nothing on the second press of a double click
 * either, where the next of several cases may stand.
 */
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
  const decides = type === 'submit' || variant === 'primary' || variant === 'danger';
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass(variant, size, className)}
      aria-disabled={busy ? true : undefined}
      // The second press of a double click can come before the first has been drawn, and is not meant as another.
      onClick={(event) => (busy || (decides && event.detail > 1) ? event.preventDefault() : onClick?.(event))}
    >
      {busy ? (
        <>
          <span className="icon icon-spinner animate-spin" />
          {busy}
        </>
      ) : (
        children
      )}
    </button>
  );
}
