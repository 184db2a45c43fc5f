import { Gavel } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';

const SanctionDialog = lazyDialog(() => import('./sanction-dialog.tsx'), 'SanctionDialog');

interface SanctionButtonProps {
  memberId: string;
  name: string;
  size?: 'small';
}

/** Opens the dialog about a member’s sanctions from the list of members and from reports. */
export function SanctionButton({ memberId, name, size }: SanctionButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...(size && { size })} onClick={() => setOpen(true)}>
        <Gavel className="size-4" strokeWidth={2} aria-hidden />
        Sanction<span className="sr-only"> {name}</span>
      </Button>
      {open && <SanctionDialog memberId={memberId} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}
