import { textLicences } from '#app/solution/build-files/text-licences.ts';
import { Field } from '#app/ui/controls/field.tsx';
import { Select } from '#app/ui/controls/input.tsx';
import { OptionalPart } from '#app/ui/controls/optional-part.tsx';
import { knownText } from '#app/ui/languages/known-text.ts';

interface LicenceFieldProps {
  /** The name of a licence; blank while none is chosen. */
  value: string;
  onChange: (licence: string) => void;
}

/** The licence of a solution's texts, images and videos; folded once one is chosen. */
export function LicenceField({ value, onChange }: LicenceFieldProps) {
  return (
    <OptionalPart
      title="Licence of texts, images and videos"
      value={knownText(value) || 'not chosen'}
      isFilled={value === ''}
    >
      <Field
        id="licence"
        label="What others can do with them"
        hint="Each build file has a licence of its own. A licence can’t be taken back from readers who have a copy."
      >
        <Select value={value} onChange={({ target }) => onChange(target.value)}>
          {value === '' && <option value="">Choose a licence</option>}
          {textLicences.map(({ name, says }) => (
            <option key={name} value={name}>
              {knownText(name)}: {says}
            </option>
          ))}
        </Select>
      </Field>
    </OptionalPart>
  );
}
