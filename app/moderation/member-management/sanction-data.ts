import { dataOf } from '#app/errors.ts';
import type { Sanction } from '#app/frame/members/data.ts';
import type { Client } from '#app/supabase.ts';

export type SanctionKind = 'warning' | 'suspension' | 'ban';

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
