import type { Client } from '#app/supabase.ts';

/** How grave a safety notice is, and what it is called on the page and on cards. */
export const safetyKinds = {
  caution: {
    title: 'Use with caution.',
    badge: 'Caution',
    choice: 'Use with caution',
    hint: 'There is something to look out for.',
    tone: 'amber',
  },
  recall: {
    title: 'Do not use.',
    badge: 'Do not use',
    choice: 'Do not use',
    hint: 'Somebody could be harmed. Whoever has built it should stop.',
    tone: 'red',
  },
} as const;
export type SafetyKind = keyof typeof safetyKinds;

export const isSafetyKind = (kind: string | null): kind is SafetyKind => kind !== null && kind in safetyKinds;

export const longestNotice = 1000;

/** Puts a notice on a solution, in the place of the one before. */
export async function writeNotice(
  db: Client,
  notice: { solution_id: string; user_id: string; kind: SafetyKind; content: string },
): Promise<void> {
  const { error } = await db.from('safety_notices').insert(notice);
  if (error) throw error;
}

/** Ends a notice; it is kept for its author and moderators. */
export async function withdrawNotice(db: Client, id: string): Promise<void> {
  const { data, error } = await db
    .from('safety_notices')
    .update({ ended_at: new Date().toISOString() })
    .eq('id', id)
    .is('ended_at', null)
    .select('id');
  if (error) throw error;
  if (data.length === 0) throw new Error('It has been changed or withdrawn meanwhile');
}
