import type { ReactNode } from 'react';

/** The decisions on a case, which stay at the foot of the screen while the case is longer than it. */
export const DecisionBar = ({ children }: { children: ReactNode }) => (
  <div
    data-decision
    className="sticky bottom-3 z-10 mt-5 flex flex-wrap gap-3 rounded-md border bg-surface p-3 print:hidden"
  >
    {children}
  </div>
);
