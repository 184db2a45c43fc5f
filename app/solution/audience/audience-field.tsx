import { audienceLabel, audiences } from '#app/solution/solutions/value-lists.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Options, Select } from '#app/ui/controls/input.tsx';
import { OptionalPart } from '#app/ui/controls/optional-part.tsx';

interface AudienceFieldProps {
  value: string;
  onChange: (audience: string) => void;
  /** Whether readers have a version of the solution already. */
  isPublished: boolean;
  error: string | undefined;
}

/** The choice of who can see a solution; folded while everyone can. */
export function AudienceField({ value, onChange, isPublished, error }: AudienceFieldProps) {
  return (
    <OptionalPart
      title="Who can see it"
      value={audienceLabel(value)}
      isFilled={value !== 'public'}
      hasProblem={Boolean(error)}
    >
      <Field
        id="audience"
        label="Show it to"
        hint={
          isPublished
            ? 'A smaller audience takes effect when you submit. A larger one waits for review. Comments and trial reports stay with those who could read them when they were written.'
            : 'Members have an account here. Checked professionals are members whose registration a moderator has checked.'
        }
        error={error}
      >
        <Select value={value} onChange={({ target }) => onChange(target.value)}>
          <Options of={audiences} />
        </Select>
      </Field>
    </OptionalPart>
  );
}
