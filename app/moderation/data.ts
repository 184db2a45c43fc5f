import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import { signFiles } from '#app/solutions/data.ts';
import type { ClientSource } from '#app/supabase.ts';

/** Solutions waiting for a decision, the one that has waited longest first. */
export const pendingQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['solutions', 'pending'],
    queryFn: async () => {
      const db = await client();
      const rows = unwrap(
        await db
          .from('solutions')
          .select(
            'id,title,user_id,thumbnail_url,created_at,identifiers,author:profiles!solutions_user_id_fkey(id,username,full_name,profession,avatar_url),media:solution_media(thumbnail_url),reviews:solution_reviews(decision,created_at),claim:review_claims(moderator_id,claimed_at)',
          )
          .eq('status', 'pending')
          .order('created_at')
          .order('position', { referencedTable: 'solution_media' })
          .limit(1, { referencedTable: 'solution_media' }),
      );
      const pictures = rows.map((row) => row.thumbnail_url ?? row.media[0]?.thumbnail_url ?? null);
      const signed = await signFiles(db, pictures);
      return rows
        .map(({ media: _media, reviews, claim, ...row }, place) => {
          const picture = pictures[place] ?? null;
          const submissions = reviews.filter(
            ({ decision }) => decision === 'submitted' || decision === 'resubmitted',
          );
          return {
            ...row,
            picture: picture && (signed.get(picture) ?? picture),
            // There is one at most, and the answer holds it alone; its type is that of a list.
            claim: [claim].flat()[0] ?? null,
            submissions: submissions.length,
            submittedAt:
              submissions
                .map(({ created_at }) => created_at)
                .sort()
                .at(-1) ?? row.created_at,
          };
        })
        .sort((one, other) => one.submittedAt.localeCompare(other.submittedAt));
    },
    refetchOnWindowFocus: true,
    refetchInterval: 60_000,
  });

export type PendingSolution = Awaited<
  ReturnType<NonNullable<ReturnType<typeof pendingQuery>['queryFn']>>
>[number];
