import { useState } from 'react';
import { Button } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import type { AccountProps } from './data.ts';

const DeleteDialog = lazyDialog(() => import('./delete-dialog.tsx'), 'DeleteDialog');

/** The end of a membership. */
export function DeleteAccount(props: AccountProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <p className="max-w-[66ch] text-ink-2">
        Deleting your account erases your personal data immediately. Records we are legally required to keep
        are archived for 7 years, separately from this site.
      </p>
      <Button className="mt-3 text-red-ink" onClick={() => setIsOpen(true)}>
        Delete my account
      </Button>
      {isOpen && <DeleteDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}
