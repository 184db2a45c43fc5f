import type { SupabaseClient } from '@supabase/supabase-js';
import type { DemoOutcome } from './outcomes.ts';
import { complete, daysAgo, idOf, isComplete, memberId, must, UNFINISHED } from './rows.ts';
import { demoSolutions } from './solutions.ts';

interface DemoTrial {
  by: string;
  result: 'worked' | 'worked_with_changes' | 'did_not_work';
  changes?: string;
  experience?: string;
  days_ago: number;
  /** What differs from the person that the solution was made for. */
  person?: { amputation_level?: string; age_group?: string; prosthesis_type?: string };
  outcomes?: DemoOutcome[];
  answer?: string;
  isPending?: true;
  /** Whether it is still in use, as its member answered, by the months after which they were asked. */
  use?: { months: 3 | 6; answer?: string; reason?: string }[];
}

/** Trials of demo solutions by their titles, on a quarter of them. */
const demoTrials: Record<string, DemoTrial[]> = {
  'Violin bow adapter with a free wrist joint': [
    {
      by: 'leila',
      result: 'worked_with_changes',
      changes:
        'Return spring of 0.4 mm wire instead of 0.6 mm: the child could not hold the bow down against it.',
      experience: 'Plays in the school orchestra since September. The clamp has not slipped.',
      days_ago: 0.4,
      person: { age_group: 'Children' },
      outcomes: [
        {
          measure: 'PSFS',
          score_before: 3,
          score_after: 7,
          people: 1,
          follow_up_weeks: 8,
          device_before: 'Split hook',
        },
      ],
      answer: 'Thank you. I’ll add the softer spring to the drawing for players under twelve.',
    },
    {
      by: 'grace',
      result: 'worked',
      experience: 'Printed in PETG. Nothing else was changed.',
      days_ago: 0.3,
    },
    {
      by: 'daniel',
      result: 'did_not_work',
      experience:
        'For a double bass bow the joint is too weak: it gave way under the weight after twenty minutes of playing.',
      days_ago: 0.2,
    },
  ],
  'Running blade set up for forest trails': [
    { by: 'marcus', result: 'worked', experience: 'Two seasons on gravel and roots.', days_ago: 2 },
    {
      by: 'hannah',
      result: 'worked_with_changes',
      changes: 'Softer category of blade, because this runner weighs 52 kg.',
      days_ago: 1.2,
      outcomes: [
        {
          measure: 'CHAMP',
          score_before: 22,
          score_after: 25.5,
          people: 1,
          follow_up_weeks: 16,
          device_before: 'Walking foot',
        },
      ],
    },
  ],
  'Printed hand a six-year-old puts on alone': [
    { by: 'leila', result: 'worked', experience: 'She put it on alone in the second session.', days_ago: 3 },
    {
      by: 'amara',
      result: 'did_not_work',
      experience:
        'The opening was too narrow for a bulbous end. After two weeks he went back to his passive hand.',
      days_ago: 2.2,
    },
    {
      by: 'sofia',
      result: 'worked_with_changes',
      changes: 'Opening widened by 8 mm and lined with 2 mm foam.',
      days_ago: 1.5,
    },
  ],
  'Forefoot filler that spares the plantar skin': [
    { by: 'olu', result: 'worked', experience: 'No new callus in three months.', days_ago: 4 },
    { by: 'henrik', result: 'worked', days_ago: 3 },
  ],
  'Cable routing that ends the squeak of a body-powered hook': [
    { by: 'daniel', result: 'worked', experience: 'Ten minutes of work, quiet since.', days_ago: 5 },
    { by: 'grace', result: 'worked', days_ago: 4 },
    { by: 'olu', result: 'worked', days_ago: 3 },
    { by: 'kenji', result: 'worked_with_changes', changes: 'A longer liner for the upper arm.', days_ago: 2 },
  ],
  'Seal-ring liner routine for a short, conical limb': [
    {
      by: 'hannah',
      result: 'worked',
      days_ago: 6,
      outcomes: [
        {
          measure: 'SCS',
          score_before: 4,
          score_after: 7,
          people: 1,
          follow_up_weeks: 6,
          device_before: 'Pin-lock liner',
        },
      ],
    },
    {
      by: 'amara',
      result: 'worked',
      experience: 'He keeps to the routine since his wife reads it out to him.',
      days_ago: 0.3,
      isPending: true,
    },
  ],
  'Silicone finger covers that keep a touch screen working': [
    {
      by: 'grace',
      result: 'worked',
      experience: 'Swipes and types. The thread still earths after daily washing up.',
      days_ago: 270,
      use: [
        { months: 3, answer: 'every_day' },
        { months: 6, answer: 'every_day' },
      ],
    },
    {
      by: 'olu',
      result: 'worked_with_changes',
      changes: 'A thicker wall at the fingertip, because he works with gravel.',
      days_ago: 250,
      use: [
        { months: 3, answer: 'sometimes' },
        { months: 6, answer: 'no_longer', reason: 'broke' },
      ],
    },
    {
      by: 'hannah',
      result: 'worked',
      days_ago: 230,
      use: [{ months: 3, answer: 'every_day' }, { months: 6 }],
    },
    // Amara is asked after 6 months by the site itself.
    {
      by: 'amara',
      result: 'worked',
      experience: 'He answers his phone without taking the hand off.',
      days_ago: 200,
      use: [{ months: 3, answer: 'every_day' }],
    },
  ],
  'Handlebar gripper for a first bicycle': [
    { by: 'leila', result: 'worked', experience: 'First ride without help after a week.', days_ago: 7 },
  ],
};

/** Adds the trials of demo solutions; existing ones stay as they are. */
export async function seedTrials(client: SupabaseClient) {
  for (const [title, trials] of Object.entries(demoTrials)) {
    const solution = demoSolutions.find((demo) => demo.title === title);
    if (!solution) continue;
    const { amputation_level, age_group, prosthesis_type } = solution;
    const row = await must<{ version: number } | null>(
      client.from('solutions').select('version').eq('id', idOf('solution', title)).single(),
    );
    const version = row?.version ?? 1;
    for (const { by, days_ago, person, outcomes = [], answer, isPending, use = [], ...report } of trials) {
      const id = idOf(title, 'trial', by);
      if (await isComplete(client, 'solution_trials', id)) continue;
      const created_at = daysAgo(days_ago);
      await must(
        client.from('solution_trials').insert({
          amputation_level,
          age_group,
          prosthesis_type,
          ...person,
          ...report,
          id,
          solution_id: idOf('solution', title),
          version,
          user_id: memberId(by),
          created_at: UNFINISHED,
        }),
      );
      if (outcomes.length > 0)
        await must(
          client.from('solution_outcomes').insert(
            outcomes.map((outcome, position) => ({
              ...outcome,
              id: idOf(title, 'trial', by, 'outcome', position),
              solution_id: idOf('solution', title),
              trial_id: id,
              position,
            })),
          ),
        );
      if (use.length > 0)
        await must(
          client.from('use_questions').insert(
            use.map(({ months, answer = null, reason = null }) => {
              const asked_at = daysAgo(days_ago - months * 30.5);
              return {
                solution_id: idOf('solution', title),
                trial_id: id,
                user_id: memberId(by),
                months,
                asked_at,
                answer,
                reason,
                answered_at: answer && asked_at,
                created_at: asked_at,
              };
            }),
          ),
        );
      if (!isPending) {
        await must(client.from('solution_trials').update({ status: 'approved' }).eq('id', id));
        await must(
          client
            .from('solution_trials')
            .update({
              approved_at: created_at,
              ...(answer ? { author_answer: answer, answered_at: daysAgo(days_ago / 2) } : {}),
            })
            .eq('id', id),
        );
        await must(
          client
            .from('notifications')
            .update({ created_at, is_read: days_ago > 1 })
            .eq('trial_id', id),
        );
      }
      await complete(client, 'solution_trials', id, created_at);
    }
  }
}
