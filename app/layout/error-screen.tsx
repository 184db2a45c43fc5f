import type { ReactNode } from 'react';

/** A page that names the problem and the ways to continue. */
export function ErrorScreen({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="page py-12 md:py-20">
      <h1 className="text-2xl md:text-3xl">{title}</h1>
      {children && <div className="mt-3 max-w-[66ch] text-prose text-ink-2">{children}</div>}
      {action && <div className="mt-8 flex flex-wrap gap-3">{action}</div>}
    </div>
  );
}
