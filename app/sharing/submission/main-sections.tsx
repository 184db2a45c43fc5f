import { Controller, useFormContext } from 'react-hook-form';
import { PatientIdentifierWarning } from '#app/frame/patient-identifiers/patient-identifier-warning.tsx';
import { levelSigns } from '#app/solution/solutions/amputation-level-signs.ts';
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_TITLE_LENGTH,
  MIN_DESCRIPTION_LENGTH,
  type SolutionForm,
  solutionTexts,
} from '#app/solution/solutions/form-schema.ts';
import {
  ageGroups,
  amputationLevels,
  costRanges,
  functionalCapabilities,
  materials,
  prosthesisTypes,
} from '#app/solution/solutions/value-lists.ts';
import { Checkbox, Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { characterCount, Field, FieldGroup } from '#app/ui/controls/field.tsx';
import { Input, Options, Select, Textarea } from '#app/ui/controls/input.tsx';
import { OptionalPart } from '#app/ui/controls/optional-part.tsx';
import { knownText } from '#app/ui/languages/known-text.ts';
import { LanguageField } from '#app/ui/languages/language-field.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { SectionName, sectionIds } from './form-sections.tsx';
import { TagInput } from './tag-input.tsx';

/** What the solution is called, and the text that says what it is. */
export function SolutionFields({ values, rows }: { values: SolutionForm; rows: number }) {
  const { register, setValue, formState } = useFormContext<SolutionForm>();
  const { errors } = formState;
  return (
    <>
      <Field
        id="title"
        label="Title"
        hint="At least 10 characters"
        error={errors.title?.message}
        note={characterCount(values.title, MAX_TITLE_LENGTH)}
      >
        <Input {...register('title')} maxLength={MAX_TITLE_LENGTH} />
      </Field>
      <LanguageField
        form={{ fields: values, change: ({ language }) => setValue('language', language) }}
        text={solutionTexts(values)}
        lineClassName="-mt-3 lg:-mt-5"
        id="description"
        label="Description"
        hint="What you made, who it’s for, and how it works. Leave out names and dates of birth."
        error={errors.description?.message}
        note={
          values.description.trim().length < MIN_DESCRIPTION_LENGTH
            ? `${values.description.trim().length} characters – ${MIN_DESCRIPTION_LENGTH} minimum`
            : characterCount(values.description, MAX_DESCRIPTION_LENGTH)
        }
      >
        <Textarea {...register('description')} rows={rows} />
      </LanguageField>
      <Region>
        {() => (
          <PatientIdentifierWarning
            text={`${values.title}\n${values.description}\n${values.customTags.join('\n')}`}
          />
        )}
      </Region>
    </>
  );
}

/** The required answers by which readers find a solution, in the form around them. */
export function ClassificationFields() {
  const { register, trigger, formState } = useFormContext<SolutionForm>();
  const { errors } = formState;
  return (
    <>
      <Field
        id="functionInMind"
        label="Function in mind"
        hint="The activity it helps with most. Readers see it as Target Occupation."
        error={errors.functionInMind?.message}
      >
        <Select
          {...register('functionInMind', {
            onChange: () => errors.functionInMind && void trigger('functionInMind'),
          })}
        >
          <Options of={functionalCapabilities} none="Please select" />
        </Select>
      </Field>
      <Tiles name="amputationLevel" legend="Amputation level" of={amputationLevels} />
      <Tiles name="prosthesisType" legend="Prosthesis type" of={prosthesisTypes} />
      <Tiles name="costRange" legend="Cost range" of={costRanges} />
      <Tiles name="ageGroup" legend="Age group" of={ageGroups} />
    </>
  );
}

/** Two columns on a phone, and one where letters are very large. */
const columns = 'grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))]';

interface TilesProps {
  name: 'amputationLevel' | 'prosthesisType' | 'costRange' | 'ageGroup';
  legend: string;
  of: readonly string[];
}

/**
 * A question of the form around it, of a solution or of a report on one, whose answers are all in view, each given with one
 * press; several answers for a field that is a list.
 */
export function Tiles({ name, legend, of }: TilesProps) {
  const { register, trigger, getValues, formState } = useFormContext<SolutionForm>();
  const isMultiple = Array.isArray(getValues(name));
  const Choice = isMultiple ? Checkbox : Radio;
  const error = formState.errors[name]?.message;
  // An answer takes its error away before the group is left.
  const field = register(name, { onChange: () => error && void trigger(name) });
  return (
    <FieldGroup id={name} radios={!isMultiple} legend={legend} error={error}>
      <div
        className={classes(
          'mt-2 gap-2 sm:grid sm:grid-cols-3',
          name === 'amputationLevel' || isMultiple ? columns : 'flex flex-wrap',
        )}
      >
        {of.map((value) => {
          const sign = levelSigns[value];
          return (
            <Choice
              key={value}
              value={value}
              {...field}
              className={classes(
                'min-h-11 items-center rounded-md border border-line-2 bg-surface px-2 py-1 text-balance sm:px-3 has-checked:border-accent has-checked:bg-accent-soft has-checked:inset-ring has-checked:inset-ring-accent max-sm:text-sm',
                // The tile takes the place of the one button that it is, and shows its focus.
                !isMultiple &&
                  'relative has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus forced-colors:has-checked:border-4 [&>input]:absolute [&>input]:inset-0 [&>input]:size-full [&>input]:cursor-pointer [&>input]:opacity-0',
              )}
            >
              {sign ? (
                <span className="flex items-center gap-2">
                  <span className={classes('icon size-5.5 shrink-0 text-accent', sign.className)} />
                  {knownText(value)}
                </span>
              ) : (
                knownText(value)
              )}
            </Choice>
          );
        })}
      </div>
    </FieldGroup>
  );
}

/** What a solution is made of, and the words of its author for it. @param isOpen whether it is unfolded also while it is empty */
export function MaterialsSection({ isOpen }: { isOpen: boolean }) {
  const { control, register, getValues, formState } = useFormContext<SolutionForm>();
  const isFilled = isOpen || getValues('materials').length > 0 || getValues('customTags').length > 0;
  return (
    <OptionalPart
      id={sectionIds.materials}
      title={<SectionName>Materials and tags</SectionName>}
      isFilled={isFilled}
      hasProblem={Boolean(formState.errors.customTags)}
    >
      <FieldGroup id="materials" legend="Materials">
        <div className={classes(columns, 'gap-x-5')}>
          {materials.map((material) => (
            <Checkbox key={material} value={material} {...register('materials')}>
              {knownText(material)}
            </Checkbox>
          ))}
        </div>
      </FieldGroup>
      <div className="mt-7">
        <Controller
          control={control}
          name="customTags"
          render={({ field }) => <TagInput tags={field.value} onChange={field.onChange} />}
        />
      </div>
    </OptionalPart>
  );
}
