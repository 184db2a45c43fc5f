import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** An icon, one sentence, one action. */
export function EmptyState({
  icon: Icon,
  children,
  action,
}: {
  icon: LucideIcon;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-4 rounded-md border px-6 py-16 text-center">
      <Icon className="size-7 text-ink-2" strokeWidth={1.75} aria-hidden />
      <p className="max-w-[36ch] text-balance text-ink-2">{children}</p>
      {action}
    </div>
  );
}
