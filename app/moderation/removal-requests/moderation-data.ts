import { queryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import { type Author, authorColumns, authorName } from '#app/frame/members/names.ts';
import { pictureOf } from '#app/solution/build-files/build-file.ts';
import { signFiles } from '#app/solution/solutions/private-files.ts';
import type { Client, ClientSource, QueryData } from '#app/supabase.ts';

const columns =
  `id,solution_id,media_ids,asker,reason,email,status,answer,created_at,due_at,hidden_at,resolved_at,solution:solutions(title,user_id,author:profiles!solutions_user_id_fkey(${authorColumns}),media:solution_media(id,thumbnail_url,compressed_url,media_type,hidden_at,description),files:solution_files(id,file_url,file_name,previews)),decider:profiles!removal_requests_resolved_by_fkey(${authorColumns})` as const;

/** The open requests that are listed; the rest follows as these are decided. */
const MAX_LISTED = 100;

/** Open requests, those first that are due first, and the last that were decided. */
export const removalRequestsQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['moderation', 'removal_requests'],
    queryFn: async () => {
      const db = await client();
      const [open, decided] = await Promise.all([
        db
          .from('removal_requests')
          .select(columns)
          .is('resolved_at', null)
          .order('due_at')
          .order('created_at')
          .order('id')
          .limit(MAX_LISTED),
        db
          .from('removal_requests')
          .select(columns)
          .not('resolved_at', 'is', null)
          .order('resolved_at', { ascending: false })
          .limit(20),
      ]);
      const rows = [...unwrap(open), ...unwrap(decided)];
      const signed = await signFiles(
        db,
        rows.flatMap(({ solution }) => [
          ...(solution?.media.map(({ compressed_url }) => compressed_url) ?? []),
          ...(solution?.files.flatMap((file) => pictureOf(file) ?? []) ?? []),
        ]),
      );
      const requests = rows.map(({ solution, media_ids: mediaIds, decider, ...row }) => ({
        ...row,
        mediaCount: mediaIds.length,
        title: solution?.title ?? null,
        author: solution && authorName(solution.user_id, solution.author),
        authorId: solution?.user_id ?? null,
        decider: decider && authorName(decider.id, decider as Author),
        pictures: [
          ...(solution?.media.map(({ id, media_type, thumbnail_url, compressed_url, description }) => ({
            id,
            url: media_type === 'video' ? thumbnail_url : compressed_url,
            name: description,
          })) ?? []),
          ...(solution?.files.map((file) => ({
            id: file.id,
            url: pictureOf(file) ?? file.file_url,
            name: file.file_name,
          })) ?? []),
        ]
          .filter(({ id }) => mediaIds.includes(id))
          .map(({ url, ...picture }) => ({ ...picture, url: signed.get(url) ?? url })),
        isOverdue: !row.resolved_at && Date.parse(row.due_at) < Date.now(),
      }));
      return {
        open: requests.filter(({ resolved_at }) => !resolved_at),
        decided: requests.filter(({ resolved_at }) => resolved_at),
        /** The number of the last decisions that came in time. */
        inTime: unwrap(decided).filter(
          ({ due_at, resolved_at }) => resolved_at && Date.parse(resolved_at) <= Date.parse(due_at),
        ).length,
      };
    },
    refetchOnWindowFocus: true,
    refetchInterval: 30_000,
  });

export type RemovalRequest = QueryData<typeof removalRequestsQuery>['open'][number];

export type RemovalRequestDecision =
  | { status: 'hidden' }
  | { status: 'removed'; answer: string | null }
  | { status: 'kept'; answer: string };

/**
 * Hides the pictures, removes them for good or says why they stay; the first decision holds. The files are
 * moved right after, by this request or by the site's own job.
 */
export async function decideRemovalRequest(
  db: Client,
  id: string,
  decision: RemovalRequestDecision,
): Promise<void> {
  const before = decision.status === 'hidden' ? (['received'] as const) : (['received', 'hidden'] as const);
  const decided = unwrap(
    await db.from('removal_requests').update(decision).eq('id', id).in('status', before).select('id'),
  );
  if (decided.length === 0) throw new Error('Another moderator has already handled this request');
  await moveFiles(db);
}

/**
 * Hides the images, videos and files of a reported solution or trial until the removal request that this makes is decided.
 *
 * @throws when readers see none of them
 */
export async function hideReportedMedia(db: Client, reportId: string): Promise<void> {
  dataOf(await db.rpc('hide_reported_media', { report: reportId }));
  await moveFiles(db);
}

/** Readers see none of them from the decision on; the site moves the files by itself too, some seconds later. */
const moveFiles = (db: Client) =>
  db.functions.invoke('process-media-jobs', { method: 'POST' }).catch(() => undefined);
