import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type AnswerOf, dataOf, readAnswer, type Schemas, unwrap } from '#app/errors.ts';
import { authorColumns, authorName, authorSchema, professionOf } from '#app/frame/members/names.ts';
import { shownRegistration } from '#app/frame/members/registration-badge.tsx';
import { buildFileColumns, withOpenUrls } from '#app/solution/build-files/build-file.ts';
import { readFabrication, readPartNotices } from '#app/solution/fabrication/fabrication.ts';
import { readLineage } from '#app/solution/lineage/data.ts';
import { outcomeColumns } from '#app/solution/outcomes/outcome.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { knownText, knownTexts } from '#app/ui/languages/known-text.ts';
import { formatDuration } from '#app/ui/texts/dates.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';
import type { Filters } from './filters.ts';
import {
  isPrivateUrl,
  RENEW_SIGNED_MS,
  signFiles,
  withOpenPictures,
  withSignedUrls,
} from './private-files.ts';
import { type facetGroups, sectionColumns } from './value-lists.ts';

/** What a card shows of a solution. */
export interface SolutionCardData {
  id: string;
  language: string;
  title: string;
  description: string;
  thumbnail_url: string | null;
  occupation: string;
  amputation_level: string;
  /** The first two, and how many there are besides. */
  materials: string;
  likes_count: number;
  comments_count: number;
  /** The day of its submission, by universal time. */
  day: string;
  author: string;
  profession: string;
  /** What is known of the author's registration; left out without any. */
  registration?: string;
  /** Two badges that the author earned; left out without any. */
  author_badges?: string;
  /** The length of its video; left out without one. */
  video?: string;
  /** The kind of the safety notice in force; left out without one. */
  safety_kind?: string;
  /** Left out without any. */
  has_outcomes?: true;
  /** Left out where everyone can see it. */
  audience?: string;
  /** The number of members who tried it; left out where none did. */
  tried_count?: number;
  has_files?: true;
}

/** The schema of a solution as the database’s lists give it and a card shows it. */
export const cardRow = (z: Schemas) =>
  z.object({
    id: z.string(),
    language: z.string(),
    title: z.string(),
    description: z.string(),
    thumbnail_url: z.nullable(z.string()),
    occupation: z.string(),
    amputation_level: z.string(),
    materials: z.array(z.string()),
    likes_count: z.number(),
    comments_count: z.number(),
    created_at: z.string(),
    user_id: z.nullable(z.string()),
    author: authorSchema(z),
    badges: z.array(z.object({ name: z.string(), icon_url: z.string() })),
    video_seconds: z.nullable(z.number()),
    safety_kind: z.nullable(z.string()),
    has_outcomes: z.boolean(),
    audience: z.string(),
    tried_count: z.number(),
    has_files: z.boolean(),
  });

/** A solution as the API gives it for a card. */
type CardRow = Omit<AnswerOf<typeof cardRow>, 'comments_count'> & {
  /** Null before the first comment. */
  comments_count: number | null;
};

function materialsLine(materials: string[]): string {
  const more = materials.length - 2;
  return knownTexts(materials.slice(0, 2)) + (more > 0 ? ` +${more} more` : '');
}

/** @param unknown the name of an author whose profile cannot be read */
export const toCard = (
  {
    created_at,
    user_id,
    author,
    badges,
    video_seconds,
    safety_kind,
    has_outcomes,
    audience,
    tried_count,
    has_files,
    ...card
  }: CardRow,
  unknown = 'Anonymous',
): SolutionCardData => {
  const registration = shownRegistration(author)?.brief;
  return {
    id: card.id,
    language: card.language,
    title: card.title,
    description: card.description,
    thumbnail_url: card.thumbnail_url,
    occupation: knownText(card.occupation),
    amputation_level: card.amputation_level,
    materials: materialsLine(card.materials),
    likes_count: card.likes_count,
    comments_count: card.comments_count ?? 0,
    day: new Date(created_at).toISOString().slice(0, 10),
    author: authorName(user_id, author, unknown),
    profession: professionOf(author),
    ...(registration && { registration }),
    ...(badges.length > 0 && {
      author_badges: badges
        .slice(0, 2)
        .map(({ name }) => name)
        .join(', '),
    }),
    ...(video_seconds !== null && { video: formatDuration(video_seconds) }),
    ...(safety_kind !== null && { safety_kind }),
    ...(has_outcomes && { has_outcomes }),
    ...(audience !== 'public' && { audience }),
    ...(tried_count > 0 && { tried_count }),
    ...(has_files && { has_files }),
  };
};

export type Facets = Record<(typeof facetGroups)[number]['key'], Record<string, number>>;

export const PAGE_SIZE = 24;

function browsePage(z: Schemas) {
  const counts = z.record(z.string(), z.number());
  return z.object({
    total: z.number(),
    facets: z.object({
      amputation_level: counts,
      occupation: counts,
      prosthesis_type: counts,
      age_group: counts,
      cost_range: counts,
      materials: counts,
      evidence: counts,
      measure: counts,
      language: counts,
    }),
    items: z.array(cardRow(z)),
    next_cursor: z.nullable(z.string()),
    /** The words searched for, and terms that mean the same. */
    marks: z.array(z.string()),
    /** The corrected search, if it was misspelt. */
    corrected: z.nullable(z.string()),
    /** A similar search with results, when this one found nothing. */
    suggested: z.nullable(z.string()),
    /** There may be more results: the search has more synonyms than are looked for. */
    partial: z.boolean(),
  });
}

/** A page of solutions. */
export type BrowsePage = Omit<AnswerOf<typeof browsePage>, 'items'> & { items: SolutionCardData[] };

/** Without the languages that no solution is in, which are some two hundred, and which no page shows. */
const withoutUnused = ({ language, ...facets }: Facets): Facets => ({
  ...facets,
  language: Object.fromEntries(Object.entries(language).filter(([, count]) => count > 0)),
});

/** Approved solutions page by page; a page is one call that also counts the facets. */
export const browseQuery = (
  client: ClientSource,
  { search, values, match, sort }: Pick<Filters, 'search' | 'values' | 'match' | 'sort'>,
) =>
  infiniteQueryOptions({
    queryKey: ['solutions', 'browse', search, [...values].sort(), match, sort],
    queryFn: async ({ pageParam, signal }): Promise<BrowsePage> => {
      const db = await client();
      const cursor = pageParam ? { cursor: pageParam } : {};
      const page = db.rpc('browse_solutions', {
        search,
        filters: values,
        match,
        sort,
        page_size: PAGE_SIZE,
        ...cursor,
      });
      const answer = await readAnswer(page.abortSignal(signal), browsePage);
      const items = await withOpenPictures(db, answer.items);
      const facets = withoutUnused(answer.facets);
      return { ...answer, facets, items: items.map((row) => toCard(row, 'Unknown')) };
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

/** Completions of the typed text, and how many solutions contain the last word of each. */
export const suggestionsQuery = (client: ClientSource, typed: string) =>
  queryOptions({
    queryKey: ['solutions', 'suggestions', typed.toLowerCase()],
    queryFn: async ({ signal }) => {
      const db = await client();
      return readAnswer(db.rpc('suggest_searches', { search: typed }).abortSignal(signal), (z) =>
        z.array(z.object({ text: z.string(), solutions: z.nullable(z.number()) })),
      );
    },
    retry: false,
  });

/** The six most liked that may be used, for the home page; its facets count all that a visitor finds. */
export const featuredQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['solutions', 'featured'],
    queryFn: async (): Promise<BrowsePage> => {
      const db = await client();
      const answer = await readAnswer(db.rpc('featured_solutions'), browsePage);
      const facets = withoutUnused(answer.facets);
      return { ...answer, facets, items: answer.items.map((row) => toCard(row)) };
    },
  });

const solutionColumns =
  `id,user_id,language,title,description,status,rejection_reason,likes_count,...comment_counts(comments_count),tried_count,occupation,amputation_level,age_group,prosthesis_type,cost_range,materials,custom_tags${sectionColumns},thumbnail_url,created_at,approved_at,updated_at,submitted_at,revises,version,change_note,removes_details,audience,licence` as const;
/** What a file is read with, of a solution or a trial. */
export const mediaColumns =
  'id,media_url,compressed_url,thumbnail_url,media_type,description,position,width,height,duration_seconds,hidden_at,copy_of';
/** What a safety notice is read with. */
export const noticeColumns =
  `id,kind,content,language,created_at,ended_at,user_id,writer:profiles!safety_notices_user_id_fkey(${authorColumns})` as const;

/** The wait before a solution is read again whose files are on their way to the public bucket after its approval. */
const MOVING_MS = 3000;

/** One solution with author and media, or null when the reader cannot see it. */
export const solutionQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['solutions', 'one', id],
    queryFn: async () => (isUuid(id) ? readSolution(await client(), id) : null),
    refetchInterval: ({ state: { data } }) => {
      if (!data) return false;
      if (data.status !== 'approved' || data.audience !== 'public') return RENEW_SIGNED_MS;
      const urls = [
        ...data.media.map(({ stored }) => stored.media_url),
        ...data.files.map((file) => file.stored_url),
      ];
      return urls.some(isPrivateUrl) ? MOVING_MS : false;
    },
  });

/** The same, as the caller sees it. */
export async function readSolution(db: Client, id: string) {
  const [answer, lineage, fabrication, partNotices] = await Promise.all([
    db
      .from('solutions')
      .select(
        `${solutionColumns},withheld_media,withheld_files,safety_kind,notices:safety_notices(${noticeColumns}),author:profiles!solutions_user_id_fkey(${authorColumns},orcid,earned:user_badges(earned_at,badge:badges(name,icon_url,tier))),media:solution_media(${mediaColumns}),versions:solution_versions(version,published_at,change_note,removed_at),translations:solution_translations(language,version),outcomes:solution_outcomes(${outcomeColumns}),files:solution_files(${buildFileColumns})`,
      )
      .eq('id', id)
      // The notice that holds; earlier ones are read where they are shown.
      .is('notices.ended_at', null)
      .eq('translations.status', 'approved')
      // Those of trials are read with these.
      .is('media.trial_id', null)
      .is('outcomes.trial_id', null)
      .order('position', { referencedTable: 'solution_media' })
      .order('position', { referencedTable: 'solution_outcomes' })
      .order('position', { referencedTable: 'solution_files' })
      .order('version', { referencedTable: 'solution_versions', ascending: false })
      .order('language', { referencedTable: 'solution_translations' })
      .maybeSingle(),
    readLineage(db, id),
    readFabrication(db, id),
    readPartNotices(db, id),
  ]);
  const data = dataOf(answer);
  if (!data) return null;
  // Moderators can read withheld media, but the page is as readers see it.
  const media = data.media.filter(({ hidden_at }) => !hidden_at);
  const files = data.files.filter(({ hidden_at }) => !hidden_at);
  return {
    ...data,
    ...lineage,
    comments_count: data.comments_count ?? 0,
    fabrication,
    partNotices,
    media: await withSignedUrls(db, media),
    files: await withOpenUrls(files, (urls) => signFiles(db, urls)),
  };
}

export type Solution = NonNullable<Awaited<ReturnType<typeof readSolution>>>;
export type Media = Solution['media'][number];
export type PartNotice = Solution['partNotices'][number];

/** The solutions most like one that is public, as cards. */
export const relatedQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['solutions', 'related', id],
    queryFn: async (): Promise<SolutionCardData[]> => {
      if (!isUuid(id)) return [];
      const db = await client();
      const rows = await db
        .rpc('related_solutions', { solution: id })
        .select(
          `id,language,title,description,thumbnail_url,occupation,amputation_level,materials,likes_count,...comment_counts(comments_count),tried_count,created_at,user_id,safety_kind,audience,author:profiles!solutions_user_id_fkey(${authorColumns},earned:user_badges(earned_at,badge:badges(name,icon_url,tier))),media:solution_media(media_type,duration_seconds),outcomes:solution_outcomes(position),files:solution_files(hidden_at)`,
        )
        .is('media.trial_id', null)
        .is('outcomes.trial_id', null);
      const open = await withOpenPictures(db, unwrap(rows));
      return open.map(({ media, outcomes, files, ...card }) =>
        toCard({
          ...card,
          badges: latestBadges(card.author?.earned ?? []),
          video_seconds: media.find(({ media_type }) => media_type === 'video')?.duration_seconds ?? null,
          has_outcomes: outcomes.length > 0,
          has_files: files.some(({ hidden_at }) => !hidden_at),
        }),
      );
    },
  });

/** The three badges that were earned last, those of the highest tier first; a card shows two of them. */
export function latestBadges<Badge extends { tier: number }>(
  earned: { earned_at: string; badge: Badge }[],
): Badge[] {
  return [...earned]
    .sort((a, b) => b.earned_at.localeCompare(a.earned_at))
    .slice(0, 3)
    .map(({ badge }) => badge)
    .sort((a, b) => b.tier - a.tier);
}
