import { infiniteQueryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import { authorColumns } from '#app/people/members/names.ts';
import { type Client, type ClientSource, quoteFilterValue } from '#app/supabase.ts';

const pageSize = 50;

/**
 * A pattern that matches the text literally, whatever characters it contains, quoted for a filter inside
 * another.
 */
function pattern(text: string): string {
  const literal = text.replace(/[\\%_*]/g, (sign) => (sign === '*' ? '_' : `\\${sign}`));
  return quoteFilterValue(`%${literal}%`);
}

/**
 * All members with their roles, the newest first, page by page; searched by part of their name or username.
 */
export const membersQuery = (client: ClientSource, search: string) =>
  infiniteQueryOptions({
    queryKey: ['moderation', 'members', search],
    queryFn: async ({ pageParam }) => {
      const db = await client();
      let members = db
        .from('profiles')
        .select(`${authorColumns},created_at,held:user_roles(role)`, { count: 'exact' })
        .order('created_at', { ascending: false })
        .order('id')
        .range(pageParam, pageParam + pageSize - 1);
      if (search)
        members = members.or(`full_name.ilike.${pattern(search)},username.ilike.${pattern(search)}`);
      const response = await members;
      const rows = unwrap(response).map(({ held: roleRows, ...row }) => ({
        ...row,
        roles: roleRows.map(({ role }) => role),
      }));
      return { rows, total: response.count ?? rows.length };
    },
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const loadedCount = pages.reduce((sum, { rows }) => sum + rows.length, 0);
      return loadedCount < total ? loadedCount : null;
    },
  });

export type MemberRow = Awaited<
  ReturnType<NonNullable<ReturnType<typeof membersQuery>['queryFn']>>
>['rows'][number];

/** Gives a member the role, which only admins can do. */
export async function makeModerator(db: Client, memberId: string): Promise<void> {
  dataOf(await db.from('user_roles').insert({ user_id: memberId, role: 'moderator' }));
}

/** A role that another admin has removed already counts as removed. */
export async function removeModerator(db: Client, memberId: string): Promise<void> {
  dataOf(await db.from('user_roles').delete().eq('user_id', memberId).eq('role', 'moderator'));
}
