import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input, Options, Select, Textarea } from '#app/ui/controls/input.tsx';
import { OptionalPart } from '#app/ui/controls/optional-part.tsx';
import { currencies } from './fabrication.ts';
import {
  emptyPart,
  emptyStep,
  type FabricationForm,
  isBlankFabrication,
  MAX_COMPONENT,
  MAX_INSTRUCTION,
  MAX_LINK,
  MAX_PART_NUMBER,
  MAX_PARTS,
  MAX_STEPS,
  type PartForm,
} from './form-schema.ts';

/** A form that has fabrication among its fields. */
interface WithFabrication {
  fabrication: FabricationForm;
}

/** A picture or clip of the form that a step can show, and how the list of media names it. */
interface StepPicture {
  id: string;
  name: string;
}

interface FabricationFieldsProps {
  pictures: readonly StepPicture[];
  /** Whether they are unfolded also while nothing is filled in. */
  isOpen?: boolean;
}

/** The fields that ask how the solution of the form around them is made: folded until they are wanted, or filled in. */
export function FabricationFields({ pictures, isOpen = false }: FabricationFieldsProps) {
  const { register, watch, formState } = useFormContext<WithFabrication>();
  const typed = watch('fabrication');
  const errors = formState.errors.fabrication;
  return (
    <OptionalPart
      id="fabrication"
      title="How to build it"
      isFilled={isOpen || !isBlankFabrication(typed) || typed.parts.length > 0 || typed.steps.length > 0}
      hasProblem={Boolean(errors)}
    >
      <p className="text-ink-3">
        Time, tools, parts and steps, so that others can build it. Readers can print them as a workshop sheet.
      </p>
      <div className="mt-5 flex flex-col gap-5">
        <Field
          id="fabrication.hours"
          label="Hours of work"
          optional
          error={errors?.hours?.message}
          className="sm:w-1/2"
        >
          <Input {...register('fabrication.hours')} inputMode="decimal" autoComplete="off" />
        </Field>
        <Field
          id="fabrication.tools"
          label="Tools"
          optional
          hint="One on each line."
          error={errors?.tools?.message}
        >
          <Textarea {...register('fabrication.tools')} rows={3} />
        </Field>
      </div>
      <Parts />
      <Steps pictures={pictures} />
    </OptionalPart>
  );
}

function Parts() {
  const { control, register, formState } = useFormContext<WithFabrication>();
  const { fields, append, remove } = useFieldArray({ control, name: 'fabrication.parts' });
  const errors = formState.errors.fabrication;
  const add = () => append(emptyPart, { focusName: `fabrication.parts.${fields.length}.component` });
  return (
    <fieldset className="mt-6 border-t pt-5">
      <legend className="float-start mb-3 w-full text-lg font-bold">Parts</legend>
      <ol className="clear-both">
        {fields.map(({ id }, index) => {
          const field = (name: keyof PartForm) => ({
            id: `fabrication.parts.${index}.${name}`,
            error: errors?.parts?.[index]?.[name]?.message,
          });
          const input = (name: keyof PartForm) => register(`fabrication.parts.${index}.${name}`);
          return (
            <li key={id} className="mt-4 border-t pt-4 first:border-t-0 first:pt-0">
              <div className="grid grid-cols-2 items-end gap-x-6 gap-y-4">
                <Field {...field('component')} className="col-span-2" label={`Part ${index + 1}`}>
                  <Input {...input('component')} maxLength={MAX_COMPONENT} />
                </Field>
                <Field {...field('maker')} label="Maker" optional>
                  <Input {...input('maker')} maxLength={MAX_COMPONENT} />
                </Field>
                <Field {...field('partNumber')} label="Part number" optional>
                  <Input {...input('partNumber')} maxLength={MAX_PART_NUMBER} />
                </Field>
                <Field {...field('quantity')} label="Quantity">
                  <Input {...input('quantity')} inputMode="decimal" autoComplete="off" />
                </Field>
                <Field {...field('cost')} label="Cost of one" optional>
                  <Input {...input('cost')} inputMode="decimal" autoComplete="off" />
                </Field>
                <Field {...field('link')} className="col-span-2" label="Link" optional>
                  <Input {...input('link')} type="url" placeholder="https://" maxLength={MAX_LINK} />
                </Field>
              </div>
              <Button variant="quiet" size="small" className="mt-2 -ms-3" onClick={() => remove(index)}>
                <span className="icon icon-delete" />
                Remove<span className="sr-only"> part {index + 1}</span>
              </Button>
            </li>
          );
        })}
      </ol>
      {fields.length > 0 && (
        <Field
          id="fabrication.currency"
          label="Currency of the costs"
          error={errors?.currency?.message}
          className="mt-4 sm:w-1/2"
        >
          <Select {...register('fabrication.currency')}>
            <Options of={currencies} none="Please select" />
          </Select>
        </Field>
      )}
      <Button className="mt-4" onClick={add} disabled={fields.length >= MAX_PARTS}>
        <span className="icon icon-plus" />
        {fields.length === 0 ? 'Add a part' : 'Add another part'}
      </Button>
    </fieldset>
  );
}

function Steps({ pictures }: { pictures: readonly StepPicture[] }) {
  const { control, register, formState } = useFormContext<WithFabrication>();
  const { fields, append, remove, move } = useFieldArray({ control, name: 'fabrication.steps' });
  const errors = formState.errors.fabrication?.steps;
  const add = () => append(emptyStep, { focusName: `fabrication.steps.${fields.length}.instruction` });
  return (
    <fieldset className="mt-6 border-t pt-5">
      <legend className="float-start mb-3 w-full text-lg font-bold">Steps</legend>
      <ol className="clear-both flex flex-col gap-4">
        {fields.map(({ id }, index) => {
          const name = `fabrication.steps.${index}` as const;
          return (
            <li key={id} className="mt-1 flex flex-col gap-3">
              <Field
                id={`${name}.instruction`}
                label={`Step ${index + 1}`}
                error={errors?.[index]?.instruction?.message}
              >
                <Textarea {...register(`${name}.instruction`)} rows={2} maxLength={MAX_INSTRUCTION} />
              </Field>
              <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
                {pictures.length > 0 && (
                  <Field
                    id={`${name}.picture`}
                    label={`Image of step ${index + 1}`}
                    className="min-w-44 flex-1"
                  >
                    <Select {...register(`${name}.picture`)}>
                      <option value="">No image</option>
                      {pictures.map((picture) => (
                        <option key={picture.id} value={picture.id}>
                          {picture.name}
                        </option>
                      ))}
                    </Select>
                  </Field>
                )}
                {index > 0 && (
                  <Button variant="quiet" size="small" onClick={() => move(index, index - 1)}>
                    Move up<span className="sr-only"> step {index + 1}</span>
                  </Button>
                )}
                <Button variant="quiet" size="small" onClick={() => remove(index)}>
                  <span className="icon icon-delete" />
                  Remove<span className="sr-only"> step {index + 1}</span>
                </Button>
              </div>
            </li>
          );
        })}
      </ol>
      <Button className="mt-4" onClick={add} disabled={fields.length >= MAX_STEPS}>
        <span className="icon icon-plus" />
        {fields.length === 0 ? 'Add a step' : 'Add another step'}
      </Button>
    </fieldset>
  );
}
