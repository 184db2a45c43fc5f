import { dataOf, throwUnlessThere } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import type { Client } from '#app/supabase.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';

/** Gives the member’s like to a solution, or takes it back. */
export async function setLike(db: Client, solutionId: string, userId: string, liked: boolean): Promise<void> {
  const likes = db.from('likes');
  // A like that another tab has already given counts as given.
  throwUnlessThere(
    liked
      ? await likes.insert({ solution_id: solutionId, user_id: userId })
      : await likes.delete().eq('solution_id', solutionId).eq('user_id', userId),
  );
}

/** What the title card of a solution shows; null unless everyone can see the solution. */
export async function readTitleCard(db: Client, id: string) {
  if (!isUuid(id)) return null;
  return dataOf(
    await db
      .from('solutions')
      .select(
        `title,amputation_level,safety_kind,user_id,author:profiles!solutions_user_id_fkey(${authorColumns})`,
      )
      .eq('id', id)
      .eq('status', 'approved')
      .eq('audience', 'public')
      .maybeSingle(),
  );
}

/** The counts of a solution as they are now; null when the reader cannot see it. */
export async function readCounts(db: Client, id: string) {
  const { data } = await db
    .from('solutions')
    .select('likes_count,...comment_counts(comments_count)')
    .eq('id', id)
    .maybeSingle();
  return data && { ...data, comments_count: data.comments_count ?? 0 };
}
