import { type ChangeObject, diffLines, diffWords } from 'diff';
import { costText, hoursText, makerText } from '#app/solution/fabrication/fabrication.ts';
import { solutionFacts, solutionSections } from '#app/solution/solutions/value-lists.ts';
import { knownText, knownTexts } from '#app/ui/languages/known-text.ts';
import { languageName } from '#app/ui/languages/languages.ts';
import { marksMissing } from './content.ts';
import type { Content } from './content-schema.ts';

type Written = Exclude<keyof Content, 'media' | 'files' | 'outcomes' | 'fabrication' | 'based_on'>;

const texts: [Written, string][] = [
  ['title', 'Title'],
  ['description', 'Description'],
  ...solutionSections.map(({ column, title }): (typeof texts)[number] => [column, title]),
];
const choices: typeof texts = [
  ['language', 'Language'],
  ...solutionFacts.map(({ column, label }): (typeof texts)[number] => [column, label]),
  ['licence', 'Licence of texts and images'],
];

/** A run of words that stayed, was added or was removed. */
export interface DiffPart {
  text: string;
  kind: 'same' | 'added' | 'removed';
}

export interface SolutionDiff {
  /** `isText` is true for what its author wrote, in the language of the version. */
  fields: { name: string; parts: DiffPart[]; isText: boolean }[];
  /** The media of the new version that the earlier one did not have, and those whose description changed. */
  media: { id: string; position: number; isNew: boolean; description: DiffPart[] }[];
  removedMedia: number;
  /** Marks of what only one of the two is based on. */
  addedSources: string[];
  removedSources: string[];
}

const shown = (content: Content, key: Written) =>
  key === 'language' ? languageName(content.language) : content[key];

const text = (value: string | readonly string[] | null) =>
  typeof value === 'string' ? knownText(value) : knownTexts(value ?? []);

/** The differences between two versions. */
export function diffContents(before: Content, after: Content): SolutionDiff {
  const differing = (fields: typeof texts, partsOf: typeof words, isText: boolean) =>
    fields.flatMap(([key, name]) => {
      const [old, current] = [text(shown(before, key)), text(shown(after, key))];
      return old === current ? [] : [{ name, parts: partsOf(old, current), isText }];
    });
  const [oldOutcomes, newOutcomes] = [outcomeLines(before.outcomes), outcomeLines(after.outcomes)];
  const [oldBuild, newBuild] = [fabricationLines(before), fabricationLines(after)];
  const [oldFiles, newFiles] = [fileLines(before.files), fileLines(after.files)];
  const previous = new Map(before.media.map((media) => [media.id, media]));
  const current = after.media.map((media, index) => ({ ...media, position: index + 1 }));
  const currentIds = new Set(current.map(({ id }) => id));
  return {
    fields: [
      ...differing(texts, words, true),
      ...differing(choices, replacedText, false),
      ...(oldOutcomes === newOutcomes
        ? []
        : [{ name: 'Measured outcomes', parts: words(oldOutcomes, newOutcomes), isText: false }]),
      ...(oldBuild === newBuild
        ? []
        : [{ name: 'How to build it', parts: words(oldBuild, newBuild), isText: false }]),
      ...(oldFiles === newFiles
        ? []
        : [{ name: 'Build files', parts: words(oldFiles, newFiles), isText: false }]),
    ],
    media: current.flatMap(({ id, position, description, removed }) => {
      const old = previous.get(id);
      const [was, is] = [old?.description ?? '', description ?? ''];
      if (old && (old.removed || removed || was === is)) return [];
      return [
        { id, position, isNew: !old, description: old ? words(was, is) : [{ text: is, kind: 'same' }] },
      ];
    }),
    removedMedia: [...previous.keys()].filter((id) => !currentIds.has(id)).length,
    addedSources: marksMissing(after.based_on, before.based_on),
    removedSources: marksMissing(before.based_on, after.based_on),
  };
}

/** Beyond this many words that differ, reading them one by one tells less than reading both texts. */
const MAX_EDITS = 200;
const MAX_PARTS = 400;

/** By the rules of Unicode, since the library alone takes each letter outside the Latin script for a word. */
const wordsOf = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * Scripts without spaces: their words are in a dictionary, which differs between the server and browsers, so that a page made
 * by the one would not be that of the other. They are compared sign by sign.
 */
const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * What differs between two texts, word by word within the paragraphs that differ. Texts that have little in common are
 * replaced as a whole, so that the work and the answer have an end whatever members write.
 */
export function words(old: string, current: string): DiffPart[] {
  const limit = { maxEditLength: MAX_EDITS };
  const runs = diffLines(old, current, limit);
  const parts = runs?.flatMap((run, index): DiffPart[] => {
    const [before, next] = [runs[index - 1], runs[index + 1]];
    // Told with the run that it replaces.
    if (run.added && before?.removed) return [];
    if (!(run.removed && next?.added)) return [asPart(run)];
    const intlSegmenter = withoutSpaces.test(run.value + next.value) ? undefined : wordsOf;
    return (
      diffWords(run.value, next.value, { ...limit, intlSegmenter })?.map(asPart) ??
      replacedText(run.value, next.value)
    );
  });
  return parts && parts.length <= MAX_PARTS ? parts : replacedText(old, current);
}

const asPart = ({ value, added, removed }: ChangeObject<string>): DiffPart => ({
  text: value,
  kind: added ? 'added' : removed ? 'removed' : 'same',
});

/** A value chosen from a list is replaced as a whole, not word by word. */
const replacedText = (old: string, current: string): DiffPart[] => {
  const parts: DiffPart[] = [
    { text: old, kind: 'removed' },
    { text: current, kind: 'added' },
  ];
  return parts.filter(({ text }) => text !== '');
};

/** One line a build file; one that was removed says nothing of itself. */
export const fileLines = (files: Content['files']) =>
  files
    .map(({ name, licence, description, removed }) =>
      removed ? 'Removed' : [name, licence, description].filter(Boolean).join('; '),
    )
    .join('\n');

/** One line an outcome, so that a comparison marks what differs in it. */
export const outcomeLines = (outcomes: Content['outcomes']) =>
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

/** Time, tools, parts and steps, one a line; a step's picture by its place among the media. */
function fabricationLines({ fabrication, media }: Pick<Content, 'fabrication' | 'media'>): string {
  if (!fabrication) return '';
  const { hours, tools, currency, parts, steps } = fabrication;
  return [
    ...(hours === null ? [] : [`Time: ${hoursText(hours)}`]),
    ...(tools.length === 0 ? [] : [`Tools: ${tools.join(', ')}`]),
    ...parts.map((part) =>
      [
        `${part.quantity} × ${part.component}`,
        makerText(part),
        part.cost === null ? '' : `${costText(part.cost, currency)} each`,
        part.link,
      ]
        .filter(Boolean)
        .join('; '),
    ),
    ...steps.map(({ instruction, media_id }, index) => {
      const place = media.findIndex(({ id }) => id === media_id);
      return `Step ${index + 1}: ${instruction}${place < 0 ? '' : ` (image ${place + 1})`}`;
    }),
  ].join('\n');
}
