import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import type { ClientSource } from '#app/supabase.ts';

/** The approvals and rejections of an author's other solutions, and the latest three rejections. */
export const authorHistoryQuery = (client: ClientSource, authorId: string, except: string) =>
  queryOptions({
    queryKey: ['moderation', 'record', authorId, except],
    queryFn: async () => {
      const db = await client();
      const decisions = (decision: 'approved' | 'rejected', most: number) =>
        db
          .from('solution_reviews')
          .select('id,reason,created_at,solution:solutions!inner(id,title)', { count: 'exact' })
          .eq('decision', decision)
          .eq('solution.user_id', authorId)
          .neq('solution_id', except)
          .order('id', { ascending: false })
          .limit(most);
      const [approved, rejected] = await Promise.all([decisions('approved', 1), decisions('rejected', 3)]);
      if (approved.error) throw approved.error;
      return {
        approved: approved.count ?? 0,
        rejected: rejected.count ?? 0,
        latest: unwrap(rejected),
      };
    },
  });
