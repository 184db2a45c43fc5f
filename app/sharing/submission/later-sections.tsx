import { Controller, useFormContext } from 'react-hook-form';
import { PatientIdentifierWarning } from '#app/frame/patient-identifiers/patient-identifier-warning.tsx';
import { BuildFileFields } from '#app/sharing/media-upload/build-file-fields.tsx';
import { isBuildFile, type UploadQueue, type Uploads } from '#app/sharing/media-upload/upload-queue.ts';
import { FabricationFields } from '#app/solution/fabrication/fabrication-fields.tsx';
import { OutcomeFields } from '#app/solution/outcomes/outcome-fields.tsx';
import { MAX_SECTION_LENGTH, type SolutionForm } from '#app/solution/solutions/form-schema.ts';
import { limbOf, solutionSections } from '#app/solution/solutions/value-lists.ts';
import { BasedOnField } from '#app/solution/versions/based-on-field.tsx';
import { characterCount, Field } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { OptionalPart } from '#app/ui/controls/optional-part.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { SectionName, sectionIds } from './form-sections.tsx';
import { laterParts } from './use-step.ts';

/** What came of the solution, in words and in scores; all of it optional. @param isOpen whether it is unfolded also while it is empty */
export function OutcomesSection({ values, isOpen }: { values: SolutionForm; isOpen: boolean }) {
  const { register, formState } = useFormContext<SolutionForm>();
  const names = solutionSections.map(({ field }) => field);
  return (
    <OptionalPart
      id={sectionIds.outcomes}
      title={<SectionName>Outcomes</SectionName>}
      isFilled={isOpen || values.outcomes.length > 0 || names.some((name) => values[name] !== '')}
      hasProblem={[...names, 'outcomes' as const].some((name) => formState.errors[name])}
    >
      <div className="flex flex-col gap-7">
        {solutionSections.map(({ field: name, label, hint }) => (
          <Field
            key={name}
            id={name}
            label={label}
            optional
            hint={hint}
            error={formState.errors[name]?.message}
            note={characterCount(values[name], MAX_SECTION_LENGTH)}
          >
            <Textarea {...register(name)} rows={3} />
          </Field>
        ))}
        <OutcomeFields limb={limbOf[values.amputationLevel]} />
        <Region>
          {() => {
            const devices = values.outcomes.map(({ deviceBefore }) => deviceBefore);
            const texts = names.map((name) => values[name]);
            return <PatientIdentifierWarning text={[...texts, ...devices].join('\n')} />;
          }}
        </Region>
      </div>
    </OptionalPart>
  );
}

interface BuildSectionProps {
  values: SolutionForm;
  queue: UploadQueue;
  uploads: Uploads;
  /** The solution that is edited; null for a new one. */
  solutionId: string | null;
  /** The published solution on which the member wants to build, if any. */
  source: SolutionForm['basedOn'][number] | null;
  /** The id of the part that is unfolded also while it is empty. */
  asked: string | null;
}

/** What others need to build the solution, and what it was built from; all of it optional. */
export function BuildSection({ values, queue, uploads, solutionId, source, asked }: BuildSectionProps) {
  return (
    <>
      <Region>
        <BuildFileFields
          queue={queue}
          uploads={uploads}
          id={laterParts.files}
          isWanted={asked === laterParts.files}
        />
      </Region>
      <FabricationFields
        pictures={uploads.items.filter((item) => !isBuildFile(item))}
        isOpen={asked === laterParts.fabrication}
      />
      <Region>
        {() => (
          <PatientIdentifierWarning
            text={values.fabrication.steps.map((one) => one.instruction).join('\n')}
          />
        )}
      </Region>
      <Controller
        name="basedOn"
        render={({ field }) => (
          <BasedOnField
            id={laterParts.sources}
            isOpen={asked === laterParts.sources}
            field={field}
            except={solutionId}
            wanted={source}
          />
        )}
      />
    </>
  );
}
