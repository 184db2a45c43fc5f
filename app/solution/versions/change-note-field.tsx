import type { ComponentProps } from 'react';
import { MAX_CHANGE_NOTE_LENGTH } from '#app/solution/solutions/form-schema.ts';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { characterCount, Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';

interface ChangeNoteFieldProps extends ComponentProps<typeof Textarea> {
  text: string;
  error: string | undefined;
  /** The registered field that says whether details about a person are removed. */
  removal: ComponentProps<typeof RemovalQuestion>;
  isHidden: boolean;
}

/** What the author says about a new version of a published solution. */
export function ChangeNoteField({ text, error, removal, isHidden, ...field }: ChangeNoteFieldProps) {
  return (
    <section aria-label="What changed" hidden={isHidden}>
      <Field
        id="changeNote"
        label="What changed in this version?"
        optional
        hint="Shown to readers with the new version"
        error={error}
        note={characterCount(text, MAX_CHANGE_NOTE_LENGTH)}
      >
        <Textarea {...field} rows={2} maxLength={MAX_CHANGE_NOTE_LENGTH} />
      </Field>
      <RemovalQuestion {...removal} />
    </section>
  );
}

/** Asks author and moderator of a new version whether the texts of earlier ones have to go with it. */
export function RemovalQuestion(checkbox: Omit<ComponentProps<typeof Checkbox>, 'children'>) {
  return (
    <fieldset className="mt-6">
      <legend className="font-medium">Does this version remove details about a person?</legend>
      <p className="text-sm text-ink-3">
        Numbers, dates of birth and addresses that the site recognises leave earlier versions by themselves. A
        name does not.
      </p>
      <Checkbox {...checkbox}>Yes: remove the texts of all earlier versions when it is approved</Checkbox>
    </fieldset>
  );
}
