import { infiniteQueryOptions } from '@tanstack/react-query';
import { dataOf, readAnswer, unwrap } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import type { Client, ClientSource, QueryData } from '#app/supabase.ts';

/** As many are on a page, and found by a search. */
export const PAGE_SIZE = 50;

/**
 * All members with their roles, the newest first, page by page; of a search the best matches, whose name or username has the text.
 */
export const membersQuery = (client: ClientSource, search: string) =>
  infiniteQueryOptions({
    queryKey: ['moderation', 'members', search],
    queryFn: async ({ pageParam }) => {
      const db = await client();
      let members = db
        .from('profiles')
        .select(`${authorColumns},created_at,held:user_roles(role)`)
        .order('created_at', { ascending: false })
        .order('id')
        .range(pageParam, pageParam + PAGE_SIZE - 1);
      if (search) {
        const found = await readAnswer(db.rpc('search_members', { search, max_results: PAGE_SIZE }), (z) =>
          z.array(z.object({ id: z.string() })),
        );
        members = members.in(
          'id',
          found.map(({ id }) => id),
        );
      }
      return unwrap(await members).map(({ held: roleRows, ...row }) => ({
        ...row,
        roles: roleRows.map(({ role }) => role),
      }));
    },
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (search || page.length < PAGE_SIZE ? null : pages.length * PAGE_SIZE),
  });

export type MemberRow = QueryData<typeof membersQuery>[number];

/** Gives a member the role, which only admins can do. */
export async function makeModerator(db: Client, memberId: string): Promise<void> {
  dataOf(await db.from('user_roles').insert({ user_id: memberId, role: 'moderator' }));
}

/** A role that another admin has removed already counts as removed. */
export async function removeModerator(db: Client, memberId: string): Promise<void> {
  dataOf(await db.from('user_roles').delete().eq('user_id', memberId).eq('role', 'moderator'));
}
