import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import { readTrialLines } from '#app/sharing/trials/data.ts';
import { toCard } from '#app/solution/solutions/data.ts';
import { RENEW_SIGNED_MS, withOpenPictures } from '#app/solution/solutions/private-files.ts';
import type { ClientSource, QueryData } from '#app/supabase.ts';
import { z } from '#app/zod.ts';

/** A member's points and badges, the newest badge first. */
export const achievementsQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['profiles', 'achievements', userId],
    queryFn: async () => {
      const db = await client();
      const [points, badges] = await Promise.all([
        db.from('user_points').select('total_points').eq('user_id', userId).maybeSingle(),
        db
          .from('user_badges')
          .select('earned_at,badge:badges(id,name,description,icon_url,tier)')
          .eq('user_id', userId)
          .order('earned_at', { ascending: false }),
      ]);
      return { points: dataOf(points)?.total_points ?? 0, badges: unwrap(badges) };
    },
  });

export type Achievements = QueryData<typeof achievementsQuery>;

const cardColumns = `id,language,title,description,status,rejection_reason,revises,thumbnail_url,occupation,amputation_level,materials,likes_count,...comment_counts(comments_count),tried_count,created_at,user_id,safety_kind,audience,author:profiles!solutions_user_id_fkey(${authorColumns}),media:solution_media(media_type,duration_seconds),outcomes:solution_outcomes(position),files:solution_files(hidden_at)`;

const PAGE_SIZE = 60;

/** The solutions of the signed-in member, the newest first, page by page, whatever their state, each with its new version if it has one. */
export const ownSolutionsQuery = (client: ClientSource, userId: string) =>
  infiniteQueryOptions({
    queryKey: ['solutions', 'own', userId],
    refetchInterval: RENEW_SIGNED_MS,
    queryFn: async ({ pageParam: before }) => {
      const db = await client();
      let page = db
        .from('solutions')
        .select(`${cardColumns},licence,submitted_at`)
        .eq('user_id', userId)
        .is('revises', null)
        .is('media.trial_id', null)
        .is('outcomes.trial_id', null)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .order('position', { referencedTable: 'solution_media' })
        .limit(1, { referencedTable: 'solution_media' })
        .limit(PAGE_SIZE);
      if (before)
        page = page
          .lte('created_at', before.created_at)
          .or(`created_at.lt."${before.created_at}",id.lt.${before.id}`);
      const own = unwrap(await page);
      const revisions = unwrap(
        await db
          .from('solutions')
          .select('id,status,rejection_reason,revises,submitted_at')
          .in(
            'revises',
            own.map(({ id }) => id),
          ),
      );
      return (await withOpenPictures(db, own)).map(
        ({ media, outcomes, files, licence, submitted_at, ...card }) => ({
          ...toCard({
            ...card,
            badges: [],
            video_seconds: media.find(({ media_type }) => media_type === 'video')?.duration_seconds ?? null,
            has_outcomes: outcomes.length > 0,
            has_files: files.some(({ hidden_at }) => !hidden_at),
          }),
          status: card.status,
          rejection_reason: card.rejection_reason,
          licence,
          revision: revisions.find(({ revises }) => revises === card.id) ?? null,
          created_at: card.created_at,
          submitted_at,
        }),
      );
    },
    initialPageParam: null as { id: string; created_at: string } | null,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? null : (page.at(-1) ?? null)),
  });

/** The form of usernames in the database; any other text is no member's name. */
const USERNAME = /^[A-Za-z0-9][A-Za-z0-9._-]{1,28}[A-Za-z0-9]$/;

/** A member's public profile with their solutions; null when no member has that name. */
export const memberQuery = (client: ClientSource, username: string) =>
  queryOptions({
    queryKey: ['profiles', 'member', username.toLowerCase()],
    queryFn: async () => {
      if (!USERNAME.test(username)) return null;
      const db = await client();
      const id = dataOf(await db.rpc('member_id', { username }));
      if (!id) return null;
      const member = dataOf(
        await db.from('profiles').select(`${authorColumns},workplace,orcid`).eq('id', id).maybeSingle(),
      );
      if (!member) return null;
      const [solutions, trials] = await Promise.all([
        db
          .from('solutions')
          .select(cardColumns)
          .eq('user_id', id)
          .eq('status', 'approved')
          .is('media.trial_id', null)
          .is('outcomes.trial_id', null)
          .order('created_at', { ascending: false })
          .limit(60),
        // Their writer and moderators can read others too, but the page is as readers see it.
        readTrialLines(db, id, true),
      ]);
      return {
        ...member,
        trials,
        solutions: (await withOpenPictures(db, unwrap(solutions))).map(
          ({ media, outcomes, files, ...card }) =>
            toCard({
              ...card,
              badges: [],
              video_seconds: media.find(({ media_type }) => media_type === 'video')?.duration_seconds ?? null,
              has_outcomes: outcomes.length > 0,
              has_files: files.some(({ hidden_at }) => !hidden_at),
            }),
        ),
      };
    },
  });

/** The part of a draft's content that a list shows; a draft may be of an earlier version of the site. */
const draftContentSchema = z.object({ form: z.object({ title: z.string() }) });

/** The member's drafts: of a new solution and of each that is edited, the latest first. */
export const ownDraftsQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['own-drafts', userId],
    // Each visit of the form may have changed them.
    staleTime: 0,
    queryFn: async () => {
      const db = await client();
      const rows = db
        .from('solution_drafts')
        .select('solution_id,content,updated_at')
        .eq('user_id', userId)
        .order('updated_at', { ascending: false })
        .limit(50);
      return unwrap(await rows).map(({ solution_id, content, updated_at }) => ({
        solutionId: solution_id,
        title: draftContentSchema.safeParse(content).data?.form.title.trim() || 'Untitled',
        updatedAt: updated_at,
      }));
    },
  });

/** The catalogue of badges by the criterion that earns them, the lowest tier first. */
export const badgesQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['badges'],
    queryFn: async () =>
      unwrap(
        await (await client())
          .from('badges')
          .select('id,name,description,icon_url,tier')
          .order('criterion')
          .order('tier'),
      ),
  });
