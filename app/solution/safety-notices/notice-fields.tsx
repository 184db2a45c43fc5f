import {
  MAX_NOTICE_LENGTH,
  type SafetyKind,
  safetyKinds,
} from '#app/solution/warnings/safety-notice-kinds.ts';
import { Radio } from '#app/ui/controls/checkbox-radio.tsx';
import { Field, FieldGroup } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { LanguageChoice } from '#app/ui/languages/language-choice.tsx';

interface NoticeFieldsProps {
  kind: SafetyKind;
  setKind: (kind: SafetyKind) => void;
  content: string;
  setContent: (content: string) => void;
  language: string;
  setLanguage: (language: string) => void;
  error: string | undefined;
}

/** Severity and text of a warning, on a solution or on a part. */
export function NoticeFields({ kind, setKind, content, setContent, error, ...language }: NoticeFieldsProps) {
  return (
    <>
      <FieldGroup radios id="safety-kind" legend="Severity">
        {(Object.keys(safetyKinds) as SafetyKind[]).map((value) => (
          <Radio
            key={value}
            name="kind"
            value={value}
            checked={kind === value}
            onChange={() => setKind(value)}
          >
            {safetyKinds[value].choice}
            <span className="block text-ink-3">{safetyKinds[value].hint}</span>
          </Radio>
        ))}
      </FieldGroup>
      <Field
        label="What do readers need to know?"
        hint="What can happen, when, and what to do about it."
        error={error}
        note={`${content.length} of ${MAX_NOTICE_LENGTH} characters`}
      >
        <Textarea
          dir="auto"
          rows={5}
          maxLength={MAX_NOTICE_LENGTH}
          value={content}
          onChange={(event) => setContent(event.target.value)}
        />
      </Field>
      <LanguageChoice text={content} chosen={language.language} onChange={language.setLanguage} />
    </>
  );
}
