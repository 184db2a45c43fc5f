import type { ComponentProps } from 'react';
import { Field } from '#app/ui/controls/field.tsx';
import { LanguageChoice } from './language-choice.tsx';

interface LanguageFieldProps extends ComponentProps<typeof Field> {
  /** The form of the field, whose `language` is empty while it follows from the text. */
  form: { fields: { language: string }; change: (part: { language: string }) => void };
  /** What is written so far. */
  text: string;
  /** Its place below the field. */
  lineClassName?: string;
}

/** The field of a text, and below it the line that says in which language that is. */
export const LanguageField = ({
  form: { fields, change },
  text,
  lineClassName = 'mt-2',
  ...field
}: LanguageFieldProps) => (
  <>
    <Field {...field} />
    <LanguageChoice
      text={text}
      chosen={fields.language}
      onChange={(language) => change({ language })}
      className={lineClassName}
    />
  </>
);
