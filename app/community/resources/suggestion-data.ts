import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import type { Decision } from '#app/solution/review/data.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

/** The waiting suggestions that are listed; the rest follows as these are decided. */
const MAX_LISTED = 100;

/** Suggested resources that wait for a decision, the one that has waited longest first. */
export const suggestionsQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['moderation', 'suggestions'],
    queryFn: async () => {
      const db = await client();
      return unwrap(
        await db
          .from('resource_suggestions')
          .select(
            `id,user_id,resource_name,resource_url,description,category,language,created_at,author:profiles!resource_suggestions_user_id_fkey(${authorColumns})`,
          )
          .eq('status', 'pending')
          .order('created_at')
          .order('id')
          .limit(MAX_LISTED),
      );
    },
    refetchOnWindowFocus: true,
    refetchInterval: 60_000,
  });

/** Decides on a suggestion; the first decision holds. */
export async function decideSuggestion(db: Client, id: string, decision: Decision): Promise<void> {
  const decided = unwrap(
    await db.from('resource_suggestions').update(decision).eq('id', id).eq('status', 'pending').select('id'),
  );
  if (decided.length === 0) throw new Error('Another moderator has already decided on this suggestion');
}
