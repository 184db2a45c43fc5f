import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import type { ClientSource } from '#app/supabase.ts';

/** As many of an author's solutions are looked at, the newest ones. */
const MAX_SOLUTIONS = 200;

/** The approvals and rejections of an author's other solutions, and the latest three rejections. */
export const authorHistoryQuery = (client: ClientSource, authorId: string, except: string) =>
  queryOptions({
    queryKey: ['moderation', 'record', authorId, except],
    queryFn: async () => {
      const solutions = unwrap(
        await (await client())
          .from('solutions')
          .select('id,title,language,reviews:solution_reviews(id,decision,reason,created_at)')
          .eq('user_id', authorId)
          .neq('id', except)
          .in('reviews.decision', ['approved', 'rejected'])
          .order('created_at', { ascending: false })
          .limit(MAX_SOLUTIONS),
      );
      const decisions = solutions
        .flatMap(({ reviews, ...solution }) => reviews.map((review) => ({ ...review, solution })))
        .sort((a, b) => b.id - a.id);
      const rejected = decisions.filter(({ decision }) => decision === 'rejected');
      return {
        approved: decisions.length - rejected.length,
        rejected: rejected.length,
        latest: rejected.slice(0, 3),
        /** Older solutions are not counted. */
        hasMore: solutions.length === MAX_SOLUTIONS,
      };
    },
  });
