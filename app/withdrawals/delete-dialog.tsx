import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';
import { Select } from '#app/ui/input.tsx';
import { withdrawalReasons } from './data.ts';

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
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" busy={busy && 'Deleting'}>
            Delete
          </Button>
        </>
      }
    >
      {isPublished && (
        <Field
          label={
            <>
              Reason <span className="font-normal text-ink-3">optional</span>
            </>
          }
          hint="Its address will say that it was withdrawn, and why. Text and images are deleted."
          className="mt-5"
        >
          {(control) => (
            <Select {...control} value={reason} onChange={({ target }) => setReason(target.value)}>
              {withdrawalReasons[isAuthor ? 'author' : 'moderator'].map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </Dialog>
  );
}
