import type { LucideIcon } from 'lucide-react';
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

const tones = {
  amber: 'border-amber bg-amber-soft text-amber-ink',
  red: 'border-red bg-red-soft text-red-ink',
  ok: 'border-ok bg-ok-soft text-ok-ink',
  accent: 'border-accent bg-accent-soft text-accent-ink',
};

interface BannerProps {
  tone: keyof typeof tones;
  /** Drawn by Lucide, the class of a drawing, or what stands in the place of either. */
  icon: LucideIcon | string | ReactElement;
  title: ReactNode;
  /** Makes the title a heading, for those who move by headings. */
  level?: 2 | 3;
  children?: ReactNode;
  className?: string;
}

/** A notice in the page, for what stays true while the reader is there; `toast` is for what has just happened. */
export function Banner({ tone, icon: Icon, title, level, children, className }: BannerProps) {
  const Title = level ? (`h${level}` as const) : 'strong';
  return (
    <div className={classes('flex gap-4 rounded-md border px-5 py-4', tones[tone], className)}>
      {isValidElement(Icon) ? (
        Icon
      ) : typeof Icon === 'string' ? (
        <span className={classes('on-first-line icon', Icon)} />
      ) : (
        <Icon className="on-first-line size-5 shrink-0" strokeWidth={1.75} aria-hidden />
      )}
      <div className="min-w-0 flex-1">
        <Title className="text-base font-bold">{title}</Title> {children}
      </div>
    </div>
  );
}
