import { type FieldErrors, type UseFormRegister, useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '#app/ui/controls/button.tsx';
import { Field } from '#app/ui/controls/field.tsx';
import { Input, Select } from '#app/ui/controls/input.tsx';
import { OptionalPart } from '#app/ui/controls/optional-part.tsx';
import { emptyOutcome, MAX_DEVICE_LENGTH, MAX_OUTCOMES, type OutcomeForm } from './form-schema.ts';
import { type Measure, scaleText } from './measure.ts';
import { measures } from './measures.ts';

/** A form that has outcomes among its fields. */
interface WithOutcomes {
  outcomes: OutcomeForm[];
}

/** The limb that the chosen amputation level is of; its measures come first. */
type Limb = 'lower' | 'upper' | undefined;

const groups: { limb: Measure['limb']; label: string }[] = [
  { limb: 'lower', label: 'Lower limb' },
  { limb: 'upper', label: 'Upper limb' },
  { limb: 'both', label: 'Any limb' },
];

/** The measured outcomes of the form around it: folded until they are wanted, or are there. */
export function OutcomeFields({ limb }: { limb: Limb }) {
  const { control, register, watch, formState } = useFormContext<WithOutcomes>();
  const { fields, append, remove } = useFieldArray({ control, name: 'outcomes' });
  const values = watch('outcomes');
  const errors = formState.errors.outcomes;
  const isFull = fields.length >= MAX_OUTCOMES;
  const add = () => {
    append(emptyOutcome, { focusName: `outcomes.${fields.length}.measure` });
  };
  return (
    <OptionalPart
      id="outcomes"
      title="Measured outcomes"
      isFilled={values.length > 0}
      hasProblem={Boolean(errors)}
    >
      <p className="text-ink-3">
        Scores on a standard measure, before and after. Enter total scores only, never answers to single
        questions. For several people, enter their mean. If everyone can see the solution, its approved
        outcomes are also open data (CC BY 4.0). Those of fewer than 10 people are shown there with your
        solution only if you state written consent.
      </p>
      <ol>
        {fields.map(({ id }, index) => (
          <li key={id} className="mt-5 border-t pt-5">
            <Row
              index={index}
              register={register}
              value={values[index] ?? emptyOutcome}
              errors={errors?.[index]}
              limb={limb}
              onRemove={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      {errors?.message && <p className="mt-4 font-bold text-red-ink">{errors.message}</p>}
      <Button className="mt-5" onClick={add} disabled={isFull}>
        <span className="icon icon-plus" />
        {fields.length === 0 ? 'Add a measured outcome' : 'Add another outcome'}
      </Button>
    </OptionalPart>
  );
}

interface RowProps {
  register: UseFormRegister<WithOutcomes>;
  limb: Limb;
  index: number;
  value: OutcomeForm;
  errors: FieldErrors<OutcomeForm> | undefined;
  onRemove: () => void;
}

function Row({ index, register, value, errors, limb, onRemove }: RowProps) {
  const measure = measures.find(({ abbreviation }) => abbreviation === value.measure);
  const field = (name: keyof OutcomeForm) => ({
    id: `outcomes.${index}.${name}`,
    error: errors?.[name]?.message,
  });
  const input = (name: keyof OutcomeForm) => register(`outcomes.${index}.${name}`);
  const several = value.people.trim() !== '1';
  return (
    <fieldset>
      <legend className="sr-only">Measured outcome {index + 1}</legend>
      <div className="grid grid-cols-2 items-end gap-x-6 gap-y-5">
        <Field
          {...field('measure')}
          className="col-span-2"
          label="Measure"
          hint={measure ? `${measure.construct}. ${scaleText(measure)}` : undefined}
        >
          <Select {...input('measure')}>
            <option value="">Please select</option>
            {[...groups]
              .sort((a, b) => Number(b.limb === limb) - Number(a.limb === limb))
              .map((group) => (
                <optgroup key={group.limb} label={group.label}>
                  {measures
                    .filter((candidate) => candidate.limb === group.limb)
                    .map(({ abbreviation, name, ages }) => (
                      <option key={abbreviation} value={abbreviation}>
                        {name === abbreviation ? name : `${abbreviation}: ${name}`}
                        {ages.includes('Adults') ? '' : ' (children)'}
                      </option>
                    ))}
                </optgroup>
              ))}
          </Select>
        </Field>
        <Field {...field('before')} label={several ? 'Mean before' : 'Score before'} optional>
          <Input {...input('before')} inputMode="decimal" autoComplete="off" />
        </Field>
        <Field {...field('after')} label={several ? 'Mean after' : 'Score after'}>
          <Input {...input('after')} inputMode="decimal" autoComplete="off" />
        </Field>
        {(several || value.peopleBefore !== '') && (
          <Field {...field('peopleBefore')} label="People before" optional hint="If different">
            <Input {...input('peopleBefore')} inputMode="numeric" autoComplete="off" />
          </Field>
        )}
        <Field
          {...field('people')}
          label={several || value.peopleBefore !== '' ? 'People after' : 'Number of people'}
        >
          <Input {...input('people')} inputMode="numeric" autoComplete="off" />
        </Field>
        <Field
          {...field('weeks')}
          className={several ? 'max-sm:col-span-2' : ''}
          label="Follow-up"
          optional
          hint="Weeks after the fitting"
        >
          <Input {...input('weeks')} inputMode="numeric" autoComplete="off" />
        </Field>
        <Field {...field('deviceBefore')} className="max-sm:col-span-2" label="Device before" optional>
          <Input {...input('deviceBefore')} maxLength={MAX_DEVICE_LENGTH} />
        </Field>
      </div>
      <Button variant="quiet" size="small" className="mt-3 -ms-3" onClick={onRemove}>
        <span className="icon icon-delete" />
        Remove<span className="sr-only"> measured outcome {index + 1}</span>
      </Button>
    </fieldset>
  );
}
