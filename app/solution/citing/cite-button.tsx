import { type ReactNode, useState } from 'react';
import { lazyDialog } from '#app/ui/states/region.tsx';
import type { Cited } from './citation.ts';

const CiteDialog = lazyDialog(() => import('./cite-dialog.tsx'), 'CiteDialog');

/** Opens the citation of one version of a solution, or of its translation at this path, ready to be copied. */
export function CiteButton({
  cited,
  path,
  children,
}: {
  cited: Omit<Cited, 'url'>;
  path?: string;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="reach link" onClick={() => setOpen(true)}>
        {children}
      </button>
      {open && <CiteDialog cited={cited} {...(path && { path })} onClose={() => setOpen(false)} />}
    </>
  );
}
