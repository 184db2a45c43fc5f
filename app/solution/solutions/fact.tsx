import type { ReactNode } from 'react';

/** One line of a list of facts: name, then value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-2 border-t py-2">
      <dt className="w-[7.75rem] text-sm text-ink-3">{name}</dt>
      <dd className="min-w-32 flex-1 wrap-anywhere">{children}</dd>
    </div>
  );
}
