import { useState } from 'react';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { ReasonField } from './reason-field.tsx';

interface DeleteDialogProps {
  isAuthor: boolean;
  isPublished: boolean;
  busy: boolean;
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** Asks for confirmation, and for the reason that stands at the address of what was public. */
export function DeleteDialog({ isAuthor, isPublished, busy, onConfirm, onClose }: DeleteDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <Dialog
      onClose={onClose}
      onSubmit={() => onConfirm(reason)}
      title="Delete solution"
      description="Are you sure you want to delete this solution?"
      action={{ label: 'Delete', variant: 'danger', busy: busy && 'Deleting' }}
    >
      {isPublished && <ReasonField isAuthor={isAuthor} value={reason} onChange={setReason} />}
    </Dialog>
  );
}
