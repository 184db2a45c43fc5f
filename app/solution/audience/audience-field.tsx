import { useState } from 'react';
import { audienceLabel, audiences } from '#app/solution/solutions/options.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Options, Select } from '#app/ui/controls/input.tsx';

interface AudienceFieldProps {
  value: string;
  onChange: (audience: string) => void;
  /** Whether readers have a version of the solution already. */
  isPublished: boolean;
  error: string | undefined;
}

/** The choice of who can see a solution; folded while everyone can. */
export function AudienceField({ value, onChange, isPublished, error }: AudienceFieldProps) {
  const [isOpen, setOpen] = useState(value !== 'public');
  return (
    <details
      // A problem in it is shown.
      open={isOpen || Boolean(error)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-md border bg-surface px-4 md:px-5"
    >
      <summary className="disclosure min-h-12 justify-between py-2 font-title">
        <span>
          Who can see it: {audienceLabel(value)}{' '}
          <span className="text-sm font-normal text-ink-3">optional</span>
        </span>
      </summary>
      <div className="pb-5">
        <Field
          id="audience"
          label="Show it to"
          hint={
            isPublished
              ? 'A smaller audience takes effect when you submit. A larger one waits for review.'
              : 'Members have an account here. Checked professionals are members whose registration a moderator has checked.'
          }
          error={error}
        >
          <Select value={value} onChange={({ target }) => onChange(target.value)}>
            <Options of={audiences} />
          </Select>
        </Field>
      </div>
    </details>
  );
}
