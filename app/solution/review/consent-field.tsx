import type { ComponentProps, ReactNode } from 'react';
import { Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { FieldGroup } from '#app/ui/controls/field.tsx';
import { consentBases, consentText } from './data.ts';

interface ConsentFieldProps {
  title: ReactNode;
  /** What each of the radio buttons gets of the form. */
  field: Omit<ComponentProps<typeof Radio>, 'value' | 'children'>;
  error: string | undefined;
  /** Who can see the solution. */
  audience: string;
  hint?: string;
}

/** The choice of a consent statement. */
export function ConsentField({
  title,
  field,
  error,
  audience,
  hint = 'Only moderators see this. Never enter a patient’s name.',
}: ConsentFieldProps) {
  return (
    <FieldGroup radios id="consent" legend={title} hint={hint} error={error}>
      <div className="mt-2">
        {consentBases.map((basis) => (
          <Radio key={basis} value={basis} {...field}>
            {consentText({ basis, audience })}
          </Radio>
        ))}
      </div>
    </FieldGroup>
  );
}
