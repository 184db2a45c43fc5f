import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type AnswerOf, dataOf, readAnswer, type Schemas, unwrap } from '#app/errors.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { daysOf, today } from './period.ts';

/** The longest texts of an entry, the most minutes, and the most entries that are told in detail. */
export const MAX_SUBJECT = 200;
export const MAX_REFLECTION = 1000;
export const MAX_BENEFIT = 1000;
export const MAX_GAP_REASON = 500;
export const MAX_IN_DETAIL = 6;
export const MAX_MINUTES = 1440;
const PAGE_SIZE = 100;

/** What a member can have done, with its name on screen. */
export const activities = {
  read: 'Read',
  tried: 'Tried',
  reviewed: 'Reviewed',
  discussed: 'Discussed',
} as const;
export type Activity = keyof typeof activities;

/** The types of learning that the Health and Care Professions Council tells apart, with their names on screen. */
export const kinds = {
  work_based: 'Work-based learning',
  professional: 'Professional activities',
  formal: 'Formal and educational',
  self_directed: 'Self-directed learning',
  other: 'Other',
} as const;
export type Kind = keyof typeof kinds;

const subjectsSchema = (z: Schemas) =>
  z.array(
    z.object({
      activity: z.oneOf(Object.keys(activities) as Activity[]),
      subject: z.string(),
      solution_id: z.nullable(z.string()),
      topic_id: z.nullable(z.string()),
      /** YYYY-MM-DD */
      day: z.string(),
    }),
  );

/** What an entry is about, and when: without the member's own part. */
export type CpdSubject = AnswerOf<typeof subjectsSchema>[number];

export interface CpdEntry extends CpdSubject {
  id: string;
  kind: Kind | null;
  minutes: number;
  reflection: string | null;
  /** What service users have of it. */
  benefit: string | null;
  /** One of those that an audit reads more about. */
  in_detail: boolean;
  /** Why no entry followed for three months or more. */
  gap_reason: string | null;
}

const outlineSchema = (z: Schemas) =>
  z.object({
    kinds: z.array(
      z.object({
        kind: z.nullable(z.oneOf(Object.keys(kinds) as Kind[])),
        entries: z.number(),
        minutes: z.number(),
      }),
    ),
    gaps: z.array(
      z.object({
        /** The entry before it, which keeps the explanation. */
        id: z.string(),
        since: z.string(),
        /** Null for a gap that lasts until today. */
        until: z.nullable(z.string()),
        reason: z.nullable(z.string()),
      }),
    ),
  });

/** Entries and minutes of a period by type of learning, the most entries first, and the gaps that touch it. */
export type Outline = AnswerOf<typeof outlineSchema>;
/** Three months or more without an entry. */
export type Gap = Outline['gaps'][number];

const COLUMNS =
  'id,activity,subject,solution_id,topic_id,day,kind,minutes,reflection,benefit,in_detail,gap_reason';

/** The member's record of a period of `daysOf`, the latest day first, page by page. */
export const recordQuery = (client: ClientSource, memberId: string, period: string) =>
  infiniteQueryOptions({
    queryKey: ['cpd', 'record', memberId, period],
    queryFn: async ({ pageParam }): Promise<CpdEntry[]> => {
      const { since, until } = daysOf(period, today());
      let entries = (await client())
        .from('cpd_entries')
        .select(COLUMNS)
        .eq('user_id', memberId)
        .order('day', { ascending: false })
        .order('created_at', { ascending: false })
        .order('id')
        .range(pageParam, pageParam + PAGE_SIZE - 1);
      if (since) entries = entries.gte('day', since);
      if (until) entries = entries.lte('day', until);
      return unwrap(await entries) as CpdEntry[];
    },
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length < PAGE_SIZE ? null : pages.length * PAGE_SIZE),
  });

/** The entries that the member chose to tell in detail, of any year, the earliest first. */
export const inDetailQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['cpd', 'in-detail', memberId],
    queryFn: async () =>
      unwrap(
        await (await client())
          .from('cpd_entries')
          .select(COLUMNS)
          .eq('user_id', memberId)
          .eq('in_detail', true)
          .order('day')
          .order('id'),
      ) as CpdEntry[],
  });

/** The outline of a period of `daysOf`. */
export const outlineQuery = (client: ClientSource, memberId: string, period: string) =>
  queryOptions({
    queryKey: ['cpd', 'outline', memberId, period],
    queryFn: async () =>
      readAnswer((await client()).rpc('cpd_outline', daysOf(period, today())), outlineSchema),
  });

/** The years that the record has entries of, the latest first. */
export const yearsQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['cpd', 'years', memberId],
    queryFn: async () =>
      readAnswer((await client()).rpc('cpd_years'), (z) => z.array(z.object({ year: z.string() }))),
  });

/** What the member discussed and reviewed lately that the record does not have yet. */
export const suggestionsQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['cpd', 'suggestions', memberId],
    queryFn: async () => readAnswer((await client()).rpc('cpd_suggestions'), subjectsSchema),
  });

/** The title of a solution, for a new entry about it; null where the member cannot see it. */
export const titleQuery = (client: ClientSource, solutionId: string) =>
  queryOptions({
    queryKey: ['cpd', 'title', solutionId],
    queryFn: async () => {
      const data = dataOf(
        await (await client()).from('solutions').select('title').eq('id', solutionId).maybeSingle(),
      );
      return data?.title ?? null;
    },
  });

/** Adds an entry, or saves the one that has this id. */
export async function saveEntry(
  db: Client,
  memberId: string,
  id: string | undefined,
  { solution_id, topic_id, ...own }: Omit<CpdEntry, 'id' | 'gap_reason'>,
): Promise<void> {
  dataOf(
    id
      ? await db.from('cpd_entries').update(own).eq('id', id)
      : await db.from('cpd_entries').insert({ ...own, solution_id, topic_id, user_id: memberId }),
  );
}

/** An entry that is deleted already counts as deleted. */
export async function deleteEntry(db: Client, id: string): Promise<void> {
  dataOf(await db.from('cpd_entries').delete().eq('id', id));
}

/** Says why no entry followed this one for three months or more; nothing takes the explanation away. */
export async function explainGap(db: Client, id: string, reason: string): Promise<void> {
  unwrap(
    await db
      .from('cpd_entries')
      .update({ gap_reason: reason || null })
      .eq('id', id)
      .select('id')
      .single(),
  );
}
