import { useState } from 'react';
import { Input } from '#app/ui/controls/input.tsx';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { MAX_TITLE, type Named } from './data.ts';

interface TitleDialogProps {
  /** What the dialog does, as its title and its button say it. */
  heading: string;
  action: { label: string; busy: string };
  /** The title at first. */
  title?: string;
  language?: string | null;
  /** @returns whether the collection has the title; the dialog stays open otherwise, with what was typed */
  onSave: (named: Named) => Promise<boolean>;
  onClose: () => void;
}

/** Asks for the title of a collection. */
export function TitleDialog({ heading, action, title = '', language, onSave, onClose }: TitleDialogProps) {
  const [typed, setTyped] = useState(title);
  const [chosen, setChosen] = useState(language ?? '');
  const [isTried, setIsTried] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    if (!typed.trim()) return setIsTried(true);
    setIsSaving(true);
    const isSaved = await onSave({ title: typed.trim(), language: chosenLanguage(chosen, typed) });
    setIsSaving(false);
    if (isSaved) onClose();
  };
  return (
    <Dialog
      onClose={onClose}
      title={heading}
      onSubmit={() => void save()}
      action={{ label: action.label, busy: isSaving && action.busy }}
    >
      <LanguageField
        form={{ fields: { language: chosen }, change: (part) => setChosen(part.language) }}
        text={typed}
        label="Title"
        error={isTried && !typed.trim() ? 'Please enter a title' : undefined}
        className="mt-5"
      >
        <Input
          dir="auto"
          value={typed}
          maxLength={MAX_TITLE}
          onChange={(event) => setTyped(event.target.value)}
        />
      </LanguageField>
    </Dialog>
  );
}
