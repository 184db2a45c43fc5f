import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '#app/ui/texts/classes.ts';

/** An icon, one sentence, one action. */
export function EmptyState({
  icon: Icon,
  children,
  action,
}: {
  /** Drawn by Lucide, or the class of a drawing. */
  icon: LucideIcon | string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-md border px-6 py-16 text-center">
      {typeof Icon === 'string' ? (
        <span className={classes('icon size-7 text-ink-2', Icon)} />
      ) : (
        <Icon className="size-7 text-ink-2" strokeWidth={1.75} aria-hidden />
      )}
      <p className="max-w-[36ch] text-balance text-ink-2 wrap-anywhere">{children}</p>
      {action}
    </div>
  );
}
