import { isResult } from '#app/sharing/trials/results.ts';
import { draftOutcomesSchema, outcomesSchema } from '#app/solution/outcomes/form-schema.ts';
import { ageGroupSchema, MAX_SECTION_LENGTH } from '#app/solution/solutions/form-schema.ts';
import { amputationLevels, prosthesisTypes } from '#app/solution/solutions/value-lists.ts';
import { z } from '#app/zod.ts';

const oneOf = (values: readonly string[], message: string) =>
  z.string().check(z.refine((value) => values.includes(value), message));
const text = z
  .string()
  .check(z.maxLength(MAX_SECTION_LENGTH, `Please keep this under ${MAX_SECTION_LENGTH} characters`));

const fields = z.object({
  version: z.string(),
  /** Empty while it follows from the text. */
  language: z.string(),
  result: z.string().check(z.refine(isResult, 'Please say how it went')),
  changes: text,
  experience: text,
  amputationLevel: oneOf(amputationLevels, 'Please select amputation level'),
  prosthesisType: oneOf(prosthesisTypes, 'Please select prosthesis type'),
  ageGroup: z.array(ageGroupSchema).check(z.minLength(1, 'Please select at least one age group')),
  outcomes: outcomesSchema,
  consent: z.string(),
});

/** The report of a trial as it is typed. */
export type TrialForm = z.infer<typeof fields>;

/** The form with the messages of the database. @param hasMedia whether images or clips are chosen, which need consent */
export const trialSchema = (hasMedia: boolean) =>
  fields.check(({ value, issues }) => {
    const problem = (field: keyof TrialForm, message: string) =>
      issues.push({ code: 'custom', path: [field], message, input: value[field] });
    if (value.result === 'worked_with_changes' && value.changes.trim() === '')
      problem('changes', 'Please say what you changed');
    if (value.result === 'did_not_work' && value.experience.trim() === '')
      problem('experience', 'Please say why it did not work');
    if (hasMedia && value.consent === '') problem('consent', 'Please choose a consent statement');
  });

/** As a draft keeps it. */
export const draftSchema = z.object({
  version: z.string(),
  language: z.catch(z.string(), ''),
  result: z.string(),
  changes: z.string(),
  experience: z.string(),
  amputationLevel: z.string(),
  prosthesisType: z.string(),
  ageGroup: z.array(ageGroupSchema),
  outcomes: draftOutcomesSchema,
  consent: z.string(),
});
