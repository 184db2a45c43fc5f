import type { ComponentProps } from 'react';
import { Checkbox } from '#app/ui/checkbox-radio.tsx';

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
