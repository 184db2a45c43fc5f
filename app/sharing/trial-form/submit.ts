import { unwrap } from '#app/errors.ts';
import type { Upload } from '#app/sharing/media-upload/upload-queue.ts';
import { mediaRows } from '#app/sharing/submission/data.ts';
import { outcomeRows } from '#app/solution/outcomes/form-schema.ts';
import { consentVersion } from '#app/solution/review/data.ts';
import { ageGroups } from '#app/solution/solutions/value-lists.ts';
import type { Client } from '#app/supabase.ts';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import type { TrialForm } from './form-schema.ts';

/** All that its writer has typed, by which the language of a report is guessed. */
export const trialTexts = ({ changes, experience }: TrialForm) => `${changes}\n${experience}`;

/**
 * Sends a report to review, in place of the one that the member has of this version.
 *
 * @param submissionId stays the same when the same form is sent again
 */
export async function submitTrial(
  db: Client,
  solutionId: string,
  form: TrialForm,
  uploads: Upload[],
  submissionId: string,
): Promise<void> {
  const hasMedia = uploads.length > 0;
  unwrap(
    await db.rpc('submit_trial', {
      solution: solutionId,
      version: Number(form.version),
      report: {
        language: chosenLanguage(form.language, trialTexts(form)),
        result: form.result,
        // What was typed before another result was chosen is not sent.
        changes: form.result === 'worked_with_changes' ? form.changes : '',
        experience: form.experience,
        amputation_level: form.amputationLevel,
        age_group: ageGroups.filter((group) => form.ageGroup.includes(group)).join(', '),
        prosthesis_type: form.prosthesisType,
        outcomes: outcomeRows(form.outcomes),
      },
      media: mediaRows(uploads),
      ...(hasMedia ? { consent: form.consent, consent_version: consentVersion } : {}),
      submission_id: submissionId,
    }),
  );
}
