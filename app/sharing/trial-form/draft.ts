import type { OwnTrial } from '#app/sharing/trials/data.ts';
import { type OutcomeForm, typedOutcome } from '#app/solution/outcomes/form-schema.ts';
import { ageGroupSchema } from '#app/solution/solutions/form-schema.ts';
import { keepOnDevice, keptOnDevice } from '#app/ui/states/keep-on-device.ts';
import { z } from '#app/zod.ts';
import { draftSchema, type TrialForm } from './form-schema.ts';

const keyOf = (solutionId: string, userId: string, edited: OwnTrial | undefined) =>
  `draft:trial:${userId}:${solutionId}:${edited?.version ?? 'new'}`;

/**
 * The form as it opens: the report that is edited, or nothing but the version. Who it was tried with is asked, and not
 * taken from the solution, which may be for others as well.
 */
export function baseForm(solution: { version: number }, edited: OwnTrial | undefined): TrialForm {
  const outcomes: OutcomeForm[] = edited?.outcomes.map(typedOutcome) ?? [];
  return {
    version: String(edited?.version ?? solution.version),
    language: edited?.language ?? '',
    result: edited?.result ?? '',
    changes: edited?.changes ?? '',
    experience: edited?.experience ?? '',
    amputationLevel: edited?.amputation_level ?? '',
    prosthesisType: edited?.prosthesis_type ?? '',
    ageGroup: edited ? z.array(ageGroupSchema).parse(edited.age_group.split(', ')) : [],
    outcomes,
    consent: edited?.consent?.basis ?? '',
  };
}

/** What was typed before on this device and not sent, as far as it can be read. */
export function readDraft(
  solutionId: string,
  userId: string,
  edited: OwnTrial | undefined,
): TrialForm | null {
  return keptOnDevice(keyOf(solutionId, userId, edited), draftSchema.parse);
}

/** Keeps what is typed on this device; null for nothing any more. */
export function keepDraft(
  solutionId: string,
  userId: string,
  edited: OwnTrial | undefined,
  form: TrialForm | null,
): void {
  // Without room the text stays on the page.
  keepOnDevice(keyOf(solutionId, userId, edited), form && JSON.stringify(form));
}
