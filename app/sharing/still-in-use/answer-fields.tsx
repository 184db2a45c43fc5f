import { Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { Field, FieldGroup } from '#app/ui/controls/field.tsx';
import { Select } from '#app/ui/controls/input.tsx';
import { knownText } from '#app/ui/languages/known-text.ts';
import { answers, reasons } from './answers.ts';

interface AnswerFieldsProps {
  answer?: string | null | undefined;
  reason?: string | null | undefined;
  error?: string | undefined;
}

/** The four answers; the list of reasons is there while “No longer” is chosen, without a script too. */
export function AnswerFields({ answer, reason, error }: AnswerFieldsProps) {
  const lacksReason = error === knownText('Please say why it is no longer used');
  return (
    <div className="group">
      <FieldGroup radios id="answer" legend="Is it still in use?" error={lacksReason ? undefined : error}>
        <div className="mt-2">
          {answers.map(({ value, choice }) => (
            <Radio
              key={value}
              name="answer"
              value={value}
              defaultChecked={answer === value}
              data-asks-why={value === 'no_longer' || undefined}
            >
              {choice}
            </Radio>
          ))}
        </div>
      </FieldGroup>
      <div className="mt-5 hidden group-has-[[data-asks-why]:checked]:block">
        <Field label="Why is it no longer used?" error={lacksReason ? error : undefined}>
          <Select name="reason" defaultValue={reason ?? ''}>
            <option value="">Please select</option>
            {reasons.map(({ value, choice }) => (
              <option key={value} value={value}>
                {choice}
              </option>
            ))}
          </Select>
        </Field>
      </div>
    </div>
  );
}

/** Who will see an answer, said before it is given. */
export const WhoSees = () => (
  <p className="mt-6 max-w-[66ch] text-ink-2">
    Your answer is counted on the solution’s page, for everyone who can see the solution. Your name isn’t
    shown with it. Where only a few have reported, readers may be able to tell which answer is yours.
  </p>
);
