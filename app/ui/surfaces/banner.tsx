import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

const tones = {
  amber: 'border-amber bg-amber-soft text-amber-ink',
  red: 'border-red bg-red-soft text-red-ink',
  ok: 'border-ok bg-ok-soft text-ok-ink',
  accent: 'border-accent bg-accent-soft text-accent-ink',
};

interface BannerProps {
  tone: keyof typeof tones;
  /** Drawn by Lucide, or the class of a drawing. */
  icon: LucideIcon | string;
  title: ReactNode;
  children?: ReactNode;
  className?: string;
}

/** A notice in the page, for what stays true while the reader is there; `toast` is for what has just happened. */
export function Banner({ tone, icon: Icon, title, children, className }: BannerProps) {
  return (
    <div className={classes('flex gap-3.5 rounded-md border px-5 py-4', tones[tone], className)}>
      {typeof Icon === 'string' ? (
        <span className={classes('mt-0.5 icon', Icon)} />
      ) : (
        <Icon className="mt-0.5 size-5 shrink-0" strokeWidth={1.75} aria-hidden />
      )}
      <div className="min-w-0 flex-1">
        <strong className="font-bold">{title}</strong> {children}
      </div>
    </div>
  );
}
