import { queryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import type { Client, ClientSource, QueryData } from '#app/supabase.ts';

export type SanctionKind = 'warning' | 'suspension' | 'ban';

/** A member's sanctions, the latest first. */
export const sanctionsQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['moderation', 'sanctions', memberId],
    queryFn: async () => {
      const db = await client();
      return unwrap(
        await db
          .from('sanctions')
          .select(
            'id,kind,reason,until,created_at,lifted_at,by:profiles!sanctions_created_by_fkey(full_name,username)',
          )
          .eq('user_id', memberId)
          .order('created_at', { ascending: false }),
      );
    },
  });

export type Sanction = QueryData<typeof sanctionsQuery>[number];

/** Whether the sanction still restricts its member. */
export function isActive({ kind, until, lifted_at }: Sanction): boolean {
  return lifted_at === null && (kind === 'ban' || (until !== null && Date.parse(until) > Date.now()));
}

/**
 * Records a sanction, which the database enforces and has the member notified of.
 *
 * @param sanction with `until` for a suspension alone
 */
export async function imposeSanction(
  db: Client,
  sanction: { user_id: string; kind: SanctionKind; reason: string; until: string | null },
): Promise<void> {
  dataOf(await db.from('sanctions').insert(sanction));
}

/** A sanction that another moderator has lifted already counts as lifted. */
export async function liftSanction(db: Client, id: string): Promise<void> {
  dataOf(
    await db
      .from('sanctions')
      .update({ lifted_at: new Date().toISOString() })
      .eq('id', id)
      .is('lifted_at', null),
  );
}
