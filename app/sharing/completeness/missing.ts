import type { laterParts } from '#app/sharing/submission/use-step.ts';
import type { Solution } from '#app/solution/solutions/data.ts';

/** What a reader of a case looks for and does not find, with the part of the form in which it is added; null for the whole form. */
export interface Missing {
  text: string;
  part: keyof typeof laterParts | null;
}

type Judged = Pick<
  Solution,
  | 'licence'
  | 'durability_testing'
  | 'patient_outcomes'
  | 'challenges_overcome'
  | 'outcomes'
  | 'fabrication'
  | 'files'
> & { media: Pick<Solution['media'][number], 'media_type' | 'description'>[] };

/**
 * What a case lacks of the CARE checklist for case reports, as far as a device has it: timeline and follow-up (items 7 and 10b), outcomes
 * before and after (10a), the intervention in enough detail to repeat it (9), the patient's perspective (12), adverse events and limits
 * (10d, 11a). For its author alone, as a list and never as a score. https://www.care-statement.org/checklist
 */
export function missingOf(solution: Judged): Missing[] {
  const { outcomes, fabrication, files, media } = solution;
  const undescribed = media.filter(({ media_type, description }) => media_type === 'image' && !description);
  const lacks: [boolean, Missing][] = [
    [!solution.licence, { text: 'A licence to copy and translate the texts and images', part: null }],
    [
      !solution.durability_testing && !outcomes.some(({ follow_up_weeks }) => follow_up_weeks !== null),
      { text: 'How long it was in use, and how it held up', part: 'outcomes' },
    ],
    [
      !outcomes.some(({ score_before }) => score_before !== null),
      { text: 'A score before and after', part: 'outcomes' },
    ],
    [!solution.patient_outcomes, { text: 'What the person who uses it says', part: 'outcomes' }],
    [!solution.challenges_overcome, { text: 'What went wrong, and what it can’t do', part: 'outcomes' }],
    [!fabrication?.steps.length, { text: 'The steps to build it', part: 'fabrication' }],
    [files.length === 0, { text: 'A drawing or model to build from', part: 'files' }],
    [undescribed.length > 0, { text: 'What the images show, for readers who can’t see them', part: null }],
  ];
  return lacks.flatMap(([isMissing, what]) => (isMissing ? [what] : []));
}
