import { bySection, solutionSections } from '#app/solution/solutions/value-lists.ts';
import type { Content } from '#app/solution/versions/content-schema.ts';
import { z } from '#app/zod.ts';

/** One text of a version that a translation says in another language. */
export interface TranslatableText {
  /** As `private.translatable_texts` names it, by which the database keeps the translation. */
  name: string;
  label: string;
  original: string;
  /** That of a safety notice, which may have another writer; left out for what is in the language of the version. */
  language?: string | null;
}

/** The texts of a translation by the names of what they translate. */
export type TranslatedTexts = Readonly<Record<string, string>>;

/** The same as the database has them. */
export const textsSchema = z.catch(z.record(z.string(), z.string()), {});

export const MAX_TITLE_LENGTH = 150;
export const MAX_TEXT_LENGTH = 10_000;

/** The name of a safety notice among the texts. */
export const noticeName = ({ id }: { id: string }): string => `notice/${id}`;

/** The id of the image or video that a text describes; undefined of any other text. */
export const describedBy = (name: string): string | undefined => /^media\/(.*)$/.exec(name)?.[1];

/**
 * What there is to translate of a version, in the order in which it is read.
 *
 * @param notice the safety notice in force, which comes first
 */
export function translatableTexts(
  content: Content,
  notice?: { id: string; content: string; language: string | null },
): TranslatableText[] {
  const { fabrication, media, files } = content;
  const described = (list: 'media' | 'files', label: string, items: typeof media | typeof files) =>
    items.map(({ id, description }, index) => ({
      name: `${list}/${id}`,
      label: `${label} ${index + 1}`,
      original: description,
    }));
  return [
    ...(notice
      ? [
          {
            name: noticeName(notice),
            label: 'Safety notice',
            original: notice.content,
            language: notice.language,
          },
        ]
      : []),
    { name: 'title', label: 'Title', original: content.title },
    { name: 'description', label: 'Description', original: content.description },
    ...solutionSections.map(({ column, title }) => ({
      name: column,
      label: title,
      original: content[column],
    })),
    ...(fabrication?.tools ?? []).map((original, index) => ({
      name: `tool/${index}`,
      label: `Tool ${index + 1}`,
      original,
    })),
    ...(fabrication?.parts ?? []).map(({ component: original }, index) => ({
      name: `part/${index}`,
      label: `Part ${index + 1}`,
      original,
    })),
    ...(fabrication?.steps ?? []).map(({ instruction: original }, index) => ({
      name: `step/${index}`,
      label: `Step ${index + 1}`,
      original,
    })),
    ...described('files', 'Description of build file', files),
    ...described('media', 'Description of image', media),
  ].flatMap(({ original, ...text }) => (original?.trim() ? [{ ...text, original }] : []));
}

/** What of a version its translation says, however it is read. */
type Translatable = Pick<Content, 'language' | 'title' | 'description' | SectionColumn> & {
  fabrication: {
    tools: string[];
    parts: { component: string }[];
    steps: { instruction: string }[];
  } | null;
  media: Described[];
  files: Described[];
};
type SectionColumn = (typeof solutionSections)[number]['column'];
interface Described {
  id: string;
  description?: string | null | undefined;
}

/** A version as its translation says it. What an image or file says goes when that is removed, and is then left out. */
export function translatedContent<Whole extends Translatable>(
  content: Whole,
  language: string,
  texts: TranslatedTexts,
): Whole {
  const { fabrication, media, files } = content;
  const described = (list: 'media' | 'files', items: Described[]) =>
    items.map((item) => ({ ...item, description: texts[`${list}/${item.id}`] ?? null }));
  return {
    ...content,
    language,
    title: texts.title ?? content.title,
    description: texts.description ?? content.description,
    ...bySection('column', ({ column }) => texts[column] ?? null),
    fabrication: fabrication && {
      ...fabrication,
      tools: fabrication.tools.map((tool, index) => texts[`tool/${index}`] ?? tool),
      parts: fabrication.parts.map((part, index) => ({
        ...part,
        component: texts[`part/${index}`] ?? part.component,
      })),
      steps: fabrication.steps.map((step, index) => ({
        ...step,
        instruction: texts[`step/${index}`] ?? step.instruction,
      })),
    },
    media: described('media', media),
    files: described('files', files),
  };
}

/** What an earlier translation gives a new one to begin with. */
export interface Beginning {
  text: string;
  /** Whether the original says something else now. */
  isChanged: boolean;
}

/**
 * The texts of an earlier translation by the names that they have now: a step that has moved is found by what it says, and one that
 * says something else by its place.
 */
export function beginnings(
  texts: TranslatedTexts,
  earlier: readonly TranslatableText[],
  now: readonly TranslatableText[],
): Map<string, Beginning> {
  const byName = new Map(earlier.map((text) => [text.name, text]));
  const byOriginal = new Map(earlier.map((text) => [text.original, text]));
  return new Map(
    now.flatMap(({ name, original }): [string, Beginning][] => {
      const place = byName.get(name);
      const same = place?.original === original ? place : byOriginal.get(original);
      const text = texts[(same ?? place)?.name ?? ''];
      return text === undefined ? [] : [[name, { text, isChanged: !same }]];
    }),
  );
}

/** The sentences that only one of two versions has. */
export interface ChangedSentences {
  added: string[];
  removed: string[];
}

/** What a version says that the one that was translated does not, and the other way round, wherever it stands. */
export function changedSentences(translated: Content, now: Content): ChangedSentences {
  const [before, after] = [sentencesOf(translated), sentencesOf(now)];
  const missingIn = (sentences: readonly string[], others: readonly string[]) => {
    const known = new Set(others);
    return [...new Set(sentences)].filter((sentence) => !known.has(sentence));
  };
  return { added: missingIn(after, before), removed: missingIn(before, after) };
}

function sentencesOf(content: Content): string[] {
  const segmenter = new Intl.Segmenter(content.language, { granularity: 'sentence' });
  return translatableTexts(content).flatMap(({ original }) =>
    [...segmenter.segment(original)].map(({ segment }) => segment.trim()).filter(Boolean),
  );
}
