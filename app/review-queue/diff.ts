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
  media: z.array(z.object({ name: z.string(), description: z.nullable(z.string()) })),
});
type Version = z.infer<typeof version>;

const texts: [Exclude<keyof Version, 'media'>, string][] = [
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
  const previousMedia = new Map(before.data.media.map(({ name, description }) => [name, description]));
  const currentMedia = now.media.map((media, index) => ({
    media,
    position: index + 1,
    name: fileName(media),
  }));
  const currentNames = new Set(currentMedia.map(({ name }) => name));
  return {
    fields: [...differing(texts, words), ...differing(choices, replacedText)],
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
