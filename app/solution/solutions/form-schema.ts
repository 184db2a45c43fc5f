import { textLicences } from '#app/solution/build-files/text-licences.ts';
import { emptyFabrication, fabricationSchema } from '#app/solution/fabrication/form-schema.ts';
import { outcomesSchema } from '#app/solution/outcomes/form-schema.ts';
import { z } from '#app/zod.ts';
import {
  ANIMATED,
  empty,
  HEAD_BYTES,
  isAnimated,
  kindOf,
  MEDIA_TYPES,
  type Refusal,
  SIZES,
  saysVideo,
  tooLarge,
  typeOf,
  wrongKind,
} from '../../../media/sniff.ts';
import { cutText } from '../../../texts/cut-text.ts';
import {
  ageGroups,
  amputationLevels,
  audiences,
  bySection,
  costRanges,
  functionalCapabilities,
  materials,
  prosthesisTypes,
} from './value-lists.ts';

const MIN_TITLE_LENGTH = 10;
export const MAX_TITLE_LENGTH = 150;
export const MIN_DESCRIPTION_LENGTH = 50;
export const MAX_DESCRIPTION_LENGTH = 10_000;
export const MAX_SECTION_LENGTH = 5000;
export const MAX_CHANGE_NOTE_LENGTH = 500;
const MAX_TAGS = 20;
export const MAX_TAG_LENGTH = 40;
export const MAX_MEDIA = 20;
export const MAX_SOURCES = 5;

const oneOf = (values: readonly string[], message: string) =>
  z.string().check(z.refine((value) => values.includes(value), message));
const section = z
  .string()
  .check(z.maxLength(MAX_SECTION_LENGTH, `Please keep this under ${MAX_SECTION_LENGTH} characters`));

export const ageGroupSchema = z.enum(ageGroups);
export const materialSchema = z.enum(materials);

/** The submission form with the specification's messages; in the order of the page, which the summary follows. */
export const solutionSchema = z.object({
  /** The language of its texts; empty while it follows from them. */
  language: z.string(),
  title: z
    .string()
    .check(
      z.trim(),
      z.minLength(MIN_TITLE_LENGTH, `Title must be at least ${MIN_TITLE_LENGTH} characters`),
      z.maxLength(MAX_TITLE_LENGTH, `Title must be at most ${MAX_TITLE_LENGTH} characters`),
    ),
  description: z
    .string()
    .check(
      z.trim(),
      z.minLength(
        MIN_DESCRIPTION_LENGTH,
        `Description must be at least ${MIN_DESCRIPTION_LENGTH} characters`,
      ),
      z.maxLength(MAX_DESCRIPTION_LENGTH, `Description must be at most ${MAX_DESCRIPTION_LENGTH} characters`),
    ),
  functionInMind: oneOf(functionalCapabilities, 'Please select a function'),
  amputationLevel: oneOf(amputationLevels, 'Please select amputation level'),
  prosthesisType: oneOf(prosthesisTypes, 'Please select prosthesis type'),
  costRange: oneOf(costRanges, 'Please select cost range'),
  ageGroup: z.array(ageGroupSchema).check(z.minLength(1, 'Please select at least one age group')),
  materials: z.array(materialSchema),
  customTags: z.array(z.string()).check(z.maxLength(MAX_TAGS, `Please use at most ${MAX_TAGS} tags`)),
  ...bySection('field', () => section),
  outcomes: outcomesSchema,
  fabrication: fabricationSchema,
  /** The published solutions from which it was built. */
  basedOn: z
    .array(z.object({ id: z.string(), title: z.string() }))
    .check(z.maxLength(MAX_SOURCES, `A solution can be based on at most ${MAX_SOURCES} others`)),
  /** What has changed, for a new version of a published solution. */
  changeNote: z
    .string()
    .check(
      z.maxLength(MAX_CHANGE_NOTE_LENGTH, `Please keep this under ${MAX_CHANGE_NOTE_LENGTH} characters`),
    ),
  /** Whether that version removes details about a person: earlier versions lose their text then. */
  removesDetails: z.boolean(),
  audience: oneOf(
    audiences.map(({ value }) => value),
    'Please choose who can see the solution',
  ),
  /** The licence of texts, images and videos; blank while the author has not chosen one. */
  licence: oneOf(['', ...textLicences.map(({ name }) => name)], 'Choose one of the listed licences'),
  consent: oneOf(
    ['patient_written', 'guardian_written', 'no_identifiable_person'],
    'Please choose a consent statement',
  ),
});

export type SolutionForm = z.infer<typeof solutionSchema>;

export const emptySolution: SolutionForm = {
  language: '',
  title: '',
  description: '',
  functionInMind: '',
  amputationLevel: '',
  prosthesisType: '',
  costRange: '',
  ageGroup: [],
  materials: [],
  customTags: [],
  ...bySection('field', () => ''),
  outcomes: [],
  fabrication: emptyFabrication,
  basedOn: [],
  changeNote: '',
  removesDetails: false,
  audience: 'public',
  licence: textLicences[0]?.name ?? '',
  consent: '',
};

/** What tells in which language a form is. */
export const solutionTexts = ({ title, description }: SolutionForm) => `${title}\n${description}`;

/** Adds the typed text to the tags: trimmed, not empty, not twice. */
export function addTag(tags: string[], typed: string): string[] {
  const tag = cutText(typed.trim(), MAX_TAG_LENGTH).trim();
  return tag && !tags.includes(tag) && tags.length < MAX_TAGS ? [...tags, tag] : tags;
}

/** Adds several pasted tags at once, separated by commas or lines. */
export function addTags(tags: string[], typed: string): string[] {
  return typed.split(/[,\n\r]+/).reduce(addTag, tags);
}

/** The server refuses longer videos. */
export const MAX_VIDEO_MINUTES = 10;

/** The bytes by which a chosen file is known; none of what cannot be read, such as a folder. */
export const headOf = async (file: File): Promise<Uint8Array> =>
  new Uint8Array(
    await file
      .slice(0, HEAD_BYTES)
      .arrayBuffer()
      .catch(() => new ArrayBuffer(0)),
  );

/**
 * What a chosen file is, and why it cannot be accepted, or null. The server checks again.
 *
 * @param head its first bytes, which decide; its name and its type say what it was meant to be
 */
export function judgeMedia(
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  head: Uint8Array,
): { type: string; kind: 'image' | 'video'; problem: Refusal | null } {
  const found = typeOf(name, type, head);
  const kind = kindOf(found ?? (saysVideo(name, type) ? 'video/' : ''));
  const judged = (problem: Refusal | null) => ({ type: found ?? type, kind, problem });
  if (size === 0) return judged(empty(name));
  // One that says it is of the right type is told first that it is too large.
  if ((found || MEDIA_TYPES.some((one) => one === type)) && size >= SIZES[kind].bytes)
    return judged(tooLarge(name, kind));
  if (!found) return judged(wrongKind(name, head, kind));
  const moves = kind === 'image' && isAnimated(head);
  return judged(moves ? { title: 'Invalid Image Format', text: `${name}: ${ANIMATED}` } : null);
}
