import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { AudienceField } from '#app/solution/audience/audience-field.tsx';
import { LicenceField } from '#app/solution/citing/licence-field.tsx';
import type { SolutionForm } from '#app/solution/solutions/form-schema.ts';
import { ConsentField } from './consent-field.tsx';

interface ConsentSectionProps {
  title: ReactNode;
  form: UseFormReturn<SolutionForm>;
  /** Whether readers have a version of the solution already. */
  isPublished: boolean;
}

/** Who can see a solution, its licence, and the consent to it. */
export function ConsentSection({ title, form, isPublished }: ConsentSectionProps) {
  const { register, setValue, watch, formState } = form;
  const audience = watch('audience');
  return (
    <div className="flex flex-col gap-7">
      <AudienceField
        value={audience}
        onChange={(chosen) => {
          setValue('audience', chosen, { shouldValidate: true });
          // The statement names the audience: it has to be made again.
          setValue('consent', '');
        }}
        isPublished={isPublished}
        error={formState.errors.audience?.message}
      />
      <LicenceField
        value={watch('licence')}
        onChange={(chosen) => setValue('licence', chosen, { shouldValidate: true })}
      />
      <ConsentField
        title={title}
        audience={audience}
        field={register('consent')}
        error={formState.errors.consent?.message}
      />
    </div>
  );
}
