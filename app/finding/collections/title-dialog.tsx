import { useState } from 'react';
import { Field } from '#app/ui/controls/field.tsx';
import { Input } from '#app/ui/controls/input.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { MAX_TITLE } from './data.ts';

interface RenameDialogProps {
  title: string;
  /** @returns whether it has the new title; the dialog stays open otherwise, with what was typed */
  onRename: (title: string) => Promise<boolean>;
  onClose: () => void;
}

/** Asks for another title of a collection. */
export function RenameDialog({ title, onRename, onClose }: RenameDialogProps) {
  const [typed, setTyped] = useState(title);
  const [error, setError] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const rename = async () => {
    if (!typed.trim()) return setError('Please enter a title');
    setError(undefined);
    setIsSaving(true);
    const isRenamed = await onRename(typed.trim());
    setIsSaving(false);
    if (isRenamed) onClose();
  };
  return (
    <Dialog
      onClose={onClose}
      title="Rename collection"
      onSubmit={() => void rename()}
      action={{ label: 'Rename', busy: isSaving && 'Renaming' }}
    >
      <Field label="Title" error={error} className="mt-5">
        <Input value={typed} maxLength={MAX_TITLE} onChange={(event) => setTyped(event.target.value)} />
      </Field>
    </Dialog>
  );
}
