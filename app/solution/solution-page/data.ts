import { queryOptions } from '@tanstack/react-query';
import type { Client, ClientSource } from '#app/supabase.ts';

/** Whether the member likes the solution. */
export const likeQuery = (client: ClientSource, solutionId: string, userId: string) =>
  queryOptions({
    queryKey: ['likes', solutionId, userId],
    queryFn: async () => {
      const db = await client();
      const { data, error } = await db
        .from('likes')
        .select('id')
        .eq('solution_id', solutionId)
        .eq('user_id', userId)
        .maybeSingle();
      if (error) throw error;
      return data !== null;
    },
    // Another tab or device may have changed it.
    refetchOnWindowFocus: 'always',
  });

export async function setLike(db: Client, solutionId: string, userId: string, liked: boolean): Promise<void> {
  const likes = db.from('likes');
  const { error } = liked
    ? await likes.insert({ solution_id: solutionId, user_id: userId })
    : await likes.delete().eq('solution_id', solutionId).eq('user_id', userId);
  // A like that another tab has already given counts as given.
  if (error && error.code !== '23505') throw error;
}
