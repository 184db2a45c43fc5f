import { Field } from '#app/ui/controls/field.tsx';
import { Options, Select } from '#app/ui/controls/input.tsx';
import { withdrawalReasons } from './data.ts';

interface ReasonFieldProps {
  isAuthor: boolean;
  value: string;
  onChange: (reason: string) => void;
}

/** The reason that stands at the address of a solution that was public. */
export function ReasonField({ isAuthor, value, onChange }: ReasonFieldProps) {
  return (
    <Field
      label="Reason"
      optional
      hint="Its page will say that it was withdrawn, and why. Text and images are deleted."
      className="mt-5"
    >
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <Options of={withdrawalReasons[isAuthor ? 'author' : 'moderator']} />
      </Select>
    </Field>
  );
}
