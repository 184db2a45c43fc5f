import { createClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { z } from 'zod';
import type { Database } from '#app/database.types.ts';
import { type Manifest, type PackedSolution, packFilters } from '#app/finding/field-pack/format.ts';
import { partWord } from '#app/finding/field-pack/search.ts';
import { makerText } from '#app/solution/fabrication/fabrication.ts';
import { measures } from '#app/solution/outcomes/measures.ts';
import { solutionSections } from '#app/solution/solutions/value-lists.ts';
import { noticeKind } from '#app/solution/warnings/safety-notice-kinds.ts';
import { fold } from '#app/ui/languages/fold.ts';
import { takenOf, translationsOf } from '../../supabase/functions/download-solutions/contents.ts';
import { articleOf } from '../../supabase/functions/download-solutions/document.ts';
import {
  readSolution,
  shownOutcomes,
  type TakenSolution,
} from '../../supabase/functions/download-solutions/solution.ts';
import { isRemoved } from '../../supabase/functions/is-removed.ts';

/** The longest side of an image, in pixels. */
const EDGE = 400;
/** Ids read in one request. */
const PAGE_ROWS = 500;
const WORDS = /[\p{L}\p{N}\p{M}]+/gu;

/** Where the pack is made from, which is read as any visitor reads it: the policies of the database decide what is in it. */
export interface Source {
  apiUrl: string;
  anonKey: string;
  siteUrl: string;
}

/** A solution that is to be packed, and its images, which are read only where they are new. */
export interface Read {
  solution: Omit<PackedSolution, 'images'>;
  sources: string[];
}

const evidenceSchema = z.object({
  counts: z.array(
    z.object({
      measure: z.string(),
      type: z.string(),
      cases: z.number(),
      people: z.number(),
      outcomes: z.number(),
    }),
  ),
});

const visitor = ({ apiUrl, anonKey }: Source) =>
  createClient<Database>(apiUrl, anonKey, { auth: { persistSession: false, autoRefreshToken: false } });

/** The name of the site, the words that mean the same, and the sums of what was reported. */
export async function readSite(source: Source): Promise<Pick<Manifest, 'name' | 'synonyms' | 'evidence'>> {
  const db = visitor(source);
  const [settings, synonyms, evidence] = await Promise.all([
    db.from('site_settings').select('site_name').single().throwOnError(),
    db.from('search_synonyms').select('terms').order('id').throwOnError(),
    db.rpc('evidence', { max_points: 0 }).throwOnError(),
  ]);
  return {
    name: settings.data.site_name,
    synonyms: synonyms.data.map(({ terms }) => terms),
    evidence: evidenceSchema.parse(evidence.data).counts,
  };
}

/** The solutions that everyone could see at a moment and still can, one after the other by their ids. */
export async function* readSolutions(source: Source, at: string): AsyncGenerator<Read> {
  const db = visitor(source);
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { data } = await db
      .from('solutions')
      .select('id')
      .eq('status', 'approved')
      .eq('audience', 'public')
      .or(`approved_at.lte.${at},approved_at.is.null`)
      .gt('id', after)
      .order('id')
      .limit(PAGE_ROWS)
      .throwOnError();
    for (const { id } of data) {
      const solution = await readSolution(db, id);
      // Withdrawn since the list was read.
      if (solution) yield packed(solution, source.siteUrl);
    }
    const last = data.at(-1);
    if (!last || data.length < PAGE_ROWS) return;
    after = last.id;
  }
}

function packed(published: TakenSolution, siteUrl: string): Read {
  const whole = takenOf(published, siteUrl);
  const solution = withShownOutcomes(published, whole.hasTexts);
  const images = whole.media.filter(({ isImage }) => isImage);
  const taken = {
    ...whole,
    // Videos and build files stay on the site.
    media: images.map((image, index) => ({ ...image, name: `#${index}` })),
    files: [],
  };
  const { id, title, language } = solution;
  const translations = translationsOf(solution, taken, siteUrl);
  const facets = facetsOf(solution, whole.hasTexts, [language, ...translations.map((one) => one.language)]);
  const copied = whole.hasTexts ? [solution, ...translations.map(({ shown }) => shown)] : [];
  return {
    sources: images.map(({ path }) => path),
    solution: {
      id,
      title,
      language,
      author: whole.cited.author,
      approvedAt: solution.approved_at ?? '',
      facets,
      words: wordsOf(solution, facets, copied),
      notices: noticesOf(solution),
      html: String(articleOf(solution, taken, siteUrl)),
      translations: translations.map(({ language: into, shown, taken: said }) => ({
        language: into,
        title: said.cited.title,
        html: String(articleOf(shown, said, siteUrl)),
        ...(said.originalVersion !== undefined && { ofVersion: said.cited.version }),
      })),
    },
  };
}

/**
 * A solution with the outcomes that may go along, found by no other.
 *
 * @param hasTexts false where none goes along
 */
function withShownOutcomes(published: TakenSolution, hasTexts: boolean): TakenSolution {
  const outcomes = hasTexts ? shownOutcomes(published.outcomes) : [];
  if (outcomes.length === published.outcomes.length) return published;
  const shown = outcomes.map(({ measure }) => measure.abbreviation);
  const isFound = (facet: string) =>
    facet === 'Has outcomes'
      ? shown.length > 0
      : facet !== 'Better by more than error' &&
        (shown.includes(facet) || measures.every(({ abbreviation }) => abbreviation !== facet));
  return { ...published, outcomes, facets: published.facets?.filter(isFound) ?? null };
}

/** The values of the filters that find it: those of Browse, and those of packs. */
const facetsOf = (
  { facets, fabrication }: TakenSolution,
  hasTexts: boolean,
  packedLanguages: string[],
): string[] => [
  // A translation that does not go along finds nothing.
  ...(facets ?? []).filter((facet) => !facet.startsWith('language:')),
  ...packedLanguages.map((packed) => `language:${packed}`),
  ...(hasTexts && fabrication ? packFilters : []),
];

/** The different words of a solution and of its texts in each language that go along, as search compares them. */
function wordsOf(solution: TakenSolution, facets: string[], copied: TakenSolution[]): string {
  const text = [
    solution.title,
    ...facets.filter((facet) => !facet.startsWith('language:')),
    ...solution.custom_tags,
    solution.author?.full_name ?? '',
    ...copied.flatMap(({ title, description, fabrication, ...sections }) => [
      title,
      description,
      ...solutionSections.map(({ column }) => sections[column]),
      ...(fabrication?.parts ?? []).flatMap((part) => [part.component, makerText(part)]),
      ...(fabrication?.steps ?? []).map(({ instruction }) => instruction),
      ...(fabrication?.tools ?? []),
    ]),
  ].join(' ');
  const parts = copied
    .flatMap(({ fabrication }) => fabrication?.parts ?? [])
    .filter(({ part_number }) => part_number !== null)
    .flatMap(({ maker, part_number }) => [partWord(maker, part_number), partWord(null, part_number)]);
  return ` ${[...new Set([...(fold(text).folded.match(WORDS) ?? []), ...parts])].join(' ')} `;
}

const noticesOf = ({ notices, partNotices }: TakenSolution): PackedSolution['notices'] =>
  [
    ...notices.map((notice) => ({ ...notice, of: '' })),
    ...partNotices.map((notice) => ({ ...notice, of: makerText(notice) })),
  ]
    .toSorted((one, other) => other.kind.localeCompare(one.kind))
    .map(({ kind, content, language, created_at, of }) => ({
      kind,
      title: `${noticeKind(kind).choice}${of && `: ${of}`}`,
      content,
      language,
      day: created_at,
    }));

/**
 * The images of a solution as one text: a list of AVIF in base64, so that a page from a disk can check each byte before it shows it.
 * Null stands for one that was removed since.
 */
export async function readImages({ apiUrl, anonKey }: Source, paths: string[]): Promise<string> {
  const images: (string | null)[] = [];
  for (const path of paths) {
    const answer = await fetch(apiUrl + path, { headers: { apikey: anonKey } });
    if (await isRemoved(answer, path)) {
      images.push(null);
      continue;
    }
    const image = await sharp(await answer.bytes())
      .resize({ width: EDGE, height: EDGE, fit: 'inside', withoutEnlargement: true })
      .avif({ quality: 50, effort: 3 })
      .toBuffer();
    images.push(image.toString('base64'));
  }
  return JSON.stringify(images);
}
