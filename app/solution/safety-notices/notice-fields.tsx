import type { FieldsForm } from '#app/frame/act/use-fields.ts';
import {
  MAX_NOTICE_LENGTH,
  type SafetyKind,
  safetyKinds,
} from '#app/solution/warnings/safety-notice-kinds.ts';
import { Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { FieldGroup } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { LanguageField } from '#app/ui/languages/language-field.tsx';

interface NoticeTyped {
  kind: SafetyKind;
  content: string;
  language: string;
}

/** What is wrong with the text of a warning. */
export const noticeProblem = ({ content }: NoticeTyped): string | undefined =>
  content.trim() ? undefined : 'Please say what readers need to know';

/** Severity and text of a warning, on a solution or on a part. */
export function NoticeFields({ form }: { form: FieldsForm<NoticeTyped> }) {
  const { kind, content } = form.fields;
  return (
    <>
      <FieldGroup radios id="safety-kind" legend="Severity">
        {(Object.keys(safetyKinds) as SafetyKind[]).map((value) => (
          <Radio
            key={value}
            name="kind"
            value={value}
            checked={kind === value}
            onChange={() => form.change({ kind: value })}
          >
            {safetyKinds[value].choice}
            <span className="block text-ink-3">{safetyKinds[value].hint}</span>
          </Radio>
        ))}
      </FieldGroup>
      <LanguageField
        form={form}
        text={content}
        lineClassName=""
        label="What do readers need to know?"
        hint="What can happen, when, and what to do about it."
        error={form.errors.content}
        note={`${content.length} of ${MAX_NOTICE_LENGTH} characters`}
      >
        <Textarea {...form.register('content')} rows={5} maxLength={MAX_NOTICE_LENGTH} />
      </LanguageField>
    </>
  );
}
