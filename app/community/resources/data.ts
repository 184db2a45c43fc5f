import { queryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import type { Suggestion } from './form-schema.ts';

/** No page shows more; moderators approve each link, so there are never that many. */
const MAX_RESOURCES = 1000;

/** Links that members suggested and moderators approved, newest first. */
export const approvedQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['resources', 'approved'],
    queryFn: async () =>
      unwrap(
        await (await client())
          .from('resource_suggestions')
          .select('id,resource_name,resource_url,description,category,language')
          .eq('status', 'approved')
          .order('created_at', { ascending: false })
          .limit(MAX_RESOURCES),
      ),
  });

/** A member's own suggestions that no moderator has decided on yet, newest first. */
export const waitingQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['resources', 'waiting', memberId],
    queryFn: async () =>
      unwrap(
        await (await client())
          .from('resource_suggestions')
          .select('id,resource_name')
          .eq('status', 'pending')
          .eq('user_id', memberId)
          .order('created_at', { ascending: false }),
      ),
  });

/** Hands in a link for the list of resources, which others see once a moderator has approved it. */
export async function suggest(
  db: Client,
  memberId: string,
  suggestion: Suggestion & { language: string },
): Promise<void> {
  dataOf(await db.from('resource_suggestions').insert({ user_id: memberId, ...suggestion }));
}
