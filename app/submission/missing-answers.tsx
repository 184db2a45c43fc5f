import { ImageOff } from 'lucide-react';
import { Fragment } from 'react';
import { type SolutionForm, solutionSchema } from '#app/solutions/form-schema.ts';
import { Banner } from '#app/ui/banner.tsx';

const required = [
  { field: 'title', label: 'Title' },
  { field: 'description', label: 'Description' },
  { field: 'functionInMind', label: 'Function in mind' },
  { field: 'amputationLevel', label: 'Amputation level' },
  { field: 'prosthesisType', label: 'Prosthesis type' },
  { field: 'costRange', label: 'Cost range' },
  { field: 'ageGroup', label: 'Age group' },
  { field: 'consent', label: 'Consent' },
] as const satisfies { field: keyof SolutionForm; label: string }[];

/** What is still needed before the form can be submitted, as links to the fields. */
export function MissingAnswers({ values }: { values: SolutionForm }) {
  const missing = required.filter(
    ({ field }) => !solutionSchema.shape[field].safeParse(values[field]).success,
  );
  if (missing.length === 0) return null;
  return (
    <p className="mb-4 text-ink-2">
      Still needed:{' '}
      {missing.map(({ field, label }, index) => (
        <Fragment key={field}>
          {index > 0 && ', '}
          <a href={`#${field}`} className="reach link">
            {label}
          </a>
        </Fragment>
      ))}
    </p>
  );
}

/** Files of a draft that were chosen on another device and are not on the server. */
export function MissingFiles({ count }: { count: number }) {
  if (count === 0) return null;
  const [files, them] =
    count === 1 ? ['One file of this draft is', 'it'] : [`${count} files of this draft are`, 'them'];
  return (
    <Banner tone="amber" icon={ImageOff} title="Some files aren’t on this device." className="mb-8">
      {files} missing here. Please add {them} again, or continue on the device where you chose {them}.
    </Banner>
  );
}
