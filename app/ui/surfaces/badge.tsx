import type { ComponentProps } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

const tones = {
  neutral: '',
  accent: 'bg-accent-soft text-accent-ink',
  warm: 'bg-warm-soft text-warm-ink',
  ok: 'bg-ok-soft text-ok-ink',
  amber: 'bg-amber-soft text-amber-ink',
  red: 'bg-red-soft text-red-ink',
};

/** A word or two on a coloured ground, mostly a state. */
export function Badge({
  tone = 'neutral',
  className,
  ...rest
}: ComponentProps<'span'> & { tone?: keyof typeof tones }) {
  return <span {...rest} className={classes('badge', tones[tone], className)} />;
}

/** An unread or chosen count; "9+" above nine. */
export function Count({ value, className }: { value: number; className?: string }) {
  if (value < 1) return null;
  return (
    <span
      className={classes(
        'inline-flex h-[1.25rem] min-w-[1.25rem] items-center justify-center rounded-full bg-warm px-1 text-sm leading-none font-bold text-on-warm',
        className,
      )}
    >
      {value > 9 ? '9+' : value}
    </span>
  );
}
