import type { ReactNode } from 'react';

/** The decisions on a case, which stay at the foot of the screen while the case is longer than it. */
export const DecisionBar = ({ children }: { children: ReactNode }) => (
  <div
    data-decision
    className="sticky bottom-0 z-10 mt-5 flex flex-wrap gap-3 rounded-md border bg-surface p-3 max-sm:gap-2 max-sm:p-2 max-sm:*:grow max-sm:*:px-3 print:hidden max-sm:[&_svg]:hidden"
  >
    {children}
  </div>
);
