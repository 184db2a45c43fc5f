import { FormProvider, type UseFormReturn } from 'react-hook-form';
import { OutcomeFields } from '#app/solution/outcomes/outcome-fields.tsx';
import { MAX_SECTION_LENGTH, type SolutionForm } from '#app/solution/solutions/form-schema.ts';
import { limbOf, solutionSections } from '#app/solution/solutions/value-lists.ts';
import { characterCount, Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { SectionTitle, sectionIds } from './form-sections.tsx';
import { PatientIdentifierWarning } from './patient-identifier-warning.tsx';

/** What came of the solution, in words and in scores; all of it optional. */
export function OutcomesSection({
  form,
  values,
}: {
  form: UseFormReturn<SolutionForm>;
  values: SolutionForm;
}) {
  const { register, formState } = form;
  return (
    <section aria-labelledby={sectionIds.outcomes} className="flex flex-col gap-7">
      <SectionTitle id={sectionIds.outcomes}>
        Outcomes <span className="text-sm font-normal text-ink-3">optional</span>
      </SectionTitle>
      {solutionSections.map(({ field: name, label, hint }) => (
        <Field
          key={name}
          id={name}
          label={label}
          hint={hint}
          error={formState.errors[name]?.message}
          note={characterCount(values[name], MAX_SECTION_LENGTH)}
        >
          <Textarea {...register(name)} rows={3} />
        </Field>
      ))}
      <FormProvider {...form}>
        <OutcomeFields limb={limbOf[values.amputationLevel]} />
      </FormProvider>
      <Region>
        {() => {
          const devices = values.outcomes.map(({ deviceBefore }) => deviceBefore);
          const texts = solutionSections.map(({ field }) => values[field]);
          return <PatientIdentifierWarning text={[...texts, ...devices].join('\n')} />;
        }}
      </Region>
    </section>
  );
}
