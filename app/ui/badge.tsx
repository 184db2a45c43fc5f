import type { ReactNode } from 'react';
import { classes } from './classes.ts';

const tones = {
  neutral: 'bg-chip text-ink-2',
  accent: 'bg-accent-soft text-accent-ink',
  warm: 'bg-warm-soft text-warm-ink',
  ok: 'bg-ok-soft text-ok-ink',
  amber: 'bg-amber-soft text-amber-ink',
  red: 'bg-red-soft text-red-ink',
};

export function Badge({
  tone = 'neutral',
  className,
  children,
}: {
  tone?: keyof typeof tones;
  className?: string;
  children: ReactNode;
}) {
  return <span className={classes('badge', tones[tone], className)}>{children}</span>;
}

/** An unread or chosen count; "9+" above nine. */
export function Count({ value, className }: { value: number; className?: string }) {
  if (value < 1) return null;
  return (
    <span
      className={classes(
        'inline-flex h-[22px] min-w-[22px] items-center justify-center rounded-full bg-warm px-1 text-sm leading-none font-bold text-on-warm',
        className,
      )}
    >
      {value > 9 ? '9+' : value}
    </span>
  );
}
