import { diffWords } from 'diff';
import type { Media, Solution } from '#app/solutions/data.ts';
import { solutionSections } from '#app/solutions/options.ts';
import { z } from '#app/zod.ts';

/** The form of `solution_reviews.replaced`. */
const version = z.object({
  title: z.string(),
  description: z.string(),
  occupation: z.string(),
  amputation_level: z.string(),
  age_group: z.string(),
  prosthesis_type: z.string(),
  cost_range: z.string(),
  materials: z.array(z.string()),
  custom_tags: z.array(z.string()),
  durability_testing: z.nullable(z.string()),
  patient_outcomes: z.nullable(z.string()),
  challenges_overcome: z.nullable(z.string()),
  outcomes: z.catch(
    z.array(
      z.object({
        measure: z.string(),
        score_before: z.nullable(z.number()),
        score_after: z.number(),
        people_before: z.nullable(z.number()),
        people: z.number(),
        follow_up_weeks: z.nullable(z.number()),
        device_before: z.nullable(z.string()),
      }),
    ),
    [],
  ),
  media: z.array(z.object({ name: z.string(), description: z.nullable(z.string()) })),
});
type Version = z.infer<typeof version>;

const texts: [Exclude<keyof Version, 'media' | 'outcomes'>, string][] = [
  ['title', 'Title'],
  ['description', 'Description'],
  ...solutionSections.map(({ column, title }): (typeof texts)[number] => [column, title]),
];
const choices: typeof texts = [
  ['amputation_level', 'Amputation Level'],
  ['occupation', 'Function in mind'],
  ['age_group', 'Age Group'],
  ['prosthesis_type', 'Prosthesis Type'],
  ['cost_range', 'Cost Range'],
  ['materials', 'Materials Used'],
  ['custom_tags', 'Tags'],
];

/** A run of words that stayed, was added or was removed. */
export interface DiffPart {
  text: string;
  kind: 'same' | 'added' | 'removed';
}

export interface SolutionDiff {
  fields: { name: string; parts: DiffPart[] }[];
  /** Positions, from 1, of the new version's pictures and clips that the earlier one did not have. */
  addedMedia: number[];
  removedMedia: number;
  /** Positions of those whose description changed. */
  describedMedia: number[];
}

const text = (value: string | readonly string[] | null) =>
  typeof value === 'string' ? value : (value ?? []).join(', ');

/** The name of a file without its bucket, which changes with the decision. */
const fileName = ({ stored }: Media) =>
  stored.media_url.replace(/^\/storage\/v1\/object\/(?:public|authenticated)\/[^/]+\//, '');

/**
 * The differences between the previously submitted version and the solution as it stands.
 *
 * @param replaced of the latest resubmission
 * @returns null when nothing was replaced
 */
export function diffSolution(replaced: unknown, now: Solution): SolutionDiff | null {
  const before = version.safeParse(replaced);
  if (!before.success) return null;
  const differing = (fields: typeof texts, partsOf: typeof words) =>
    fields.flatMap(([key, name]) => {
      const [old, current] = [text(before.data[key]), text(now[key])];
      return old === current ? [] : [{ name, parts: partsOf(old, current) }];
    });
  const oldOutcomes = outcomeLines(before.data.outcomes);
  const newOutcomes = outcomeLines(
    now.outcomes.map((outcome) => ({ ...outcome, measure: outcome.measure.abbreviation })),
  );
  const previousMedia = new Map(before.data.media.map(({ name, description }) => [name, description]));
  const currentMedia = now.media.map((media, index) => ({
    media,
    position: index + 1,
    name: fileName(media),
  }));
  const currentNames = new Set(currentMedia.map(({ name }) => name));
  return {
    fields: [
      ...differing(texts, words),
      ...differing(choices, replacedText),
      ...(oldOutcomes === newOutcomes
        ? []
        : [{ name: 'Measured Outcomes', parts: words(oldOutcomes, newOutcomes) }]),
    ],
    addedMedia: currentMedia.filter(({ name }) => !previousMedia.has(name)).map(({ position }) => position),
    removedMedia: [...previousMedia.keys()].filter((name) => !currentNames.has(name)).length,
    describedMedia: currentMedia
      .filter(
        ({ media, name }) =>
          previousMedia.has(name) && (previousMedia.get(name) ?? null) !== (media.description ?? null),
      )
      .map(({ position }) => position),
  };
}

/** One line an outcome, so that a comparison marks what differs in it. */
const outcomeLines = (outcomes: Version['outcomes']) =>
  outcomes
    .map(({ measure, score_before, score_after, people_before, people, follow_up_weeks, device_before }) =>
      [
        `${measure}: ${score_before ?? 'not given'} before, ${score_after} after`,
        `people: ${people_before === null ? '' : `${people_before} before, `}${people} after`,
        ...(follow_up_weeks === null ? [] : [`weeks: ${follow_up_weeks}`]),
        ...(device_before ? [`device before: ${device_before}`] : []),
      ].join('; '),
    )
    .join('\n');

const words = (old: string, current: string): DiffPart[] =>
  diffWords(old, current).map(({ value, added, removed }) => ({
    text: value,
    kind: added ? 'added' : removed ? 'removed' : 'same',
  }));

/** A value chosen from a list is replaced as a whole, not word by word. */
const replacedText = (old: string, current: string): DiffPart[] => {
  const parts: DiffPart[] = [
    { text: old, kind: 'removed' },
    { text: current, kind: 'added' },
  ];
  return parts.filter(({ text }) => text !== '');
};
