import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '#app/errors.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';

/** What is left of a solution that was public and was deleted. */
export interface Withdrawn {
  title: string | null;
  reason: string | null;
  withdrawn_at: string;
}

/** Null when no public solution with this id was ever deleted. */
export const withdrawnQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['solutions', 'withdrawn', id],
    queryFn: async (): Promise<Withdrawn | null> => {
      if (!isUuid(id)) return null;
      const db = await client();
      return dataOf(
        await db.from('withdrawn_solutions').select('title,reason,withdrawn_at').eq('id', id).maybeSingle(),
      );
    },
  });

/** The reasons that an author or a moderator can choose; those of the database, with the words of the dialog. */
export const withdrawalReasons = {
  author: [
    { value: '', label: 'No reason given' },
    { value: 'error', label: 'It contains an error' },
    { value: 'replaced', label: 'A better solution replaces it' },
    { value: 'none', label: 'Say only that it was withdrawn' },
  ],
  moderator: [
    { value: '', label: 'No reason given' },
    { value: 'safety', label: 'It may not be safe' },
    { value: 'copyright', label: 'A copyright claim' },
    { value: 'rules', label: 'It breaks the rules of this site' },
    { value: 'none', label: 'Someone shown in it asked for this' },
  ],
} as const;

/** Why a solution was withdrawn, in words; of a request by a person shown, only when. */
export function withdrawalText({ reason, withdrawn_at }: Withdrawn): string {
  const day = formatDay(withdrawn_at);
  switch (reason) {
    case 'author':
      return `Its author withdrew it on ${day}.`;
    case 'replaced':
      return `Its author withdrew it on ${day} because a better solution replaces it.`;
    case 'error':
      return `Its author withdrew it on ${day} because it contained an error.`;
    case 'moderator':
      return `A moderator withdrew it on ${day}.`;
    case 'safety':
      return `A moderator withdrew it on ${day} because it may not be safe. If you have built it, please stop using it.`;
    case 'rules':
      return `A moderator withdrew it on ${day} because it broke the rules of this site.`;
    case 'copyright':
      return `A moderator withdrew it on ${day} because of a copyright claim.`;
    default:
      return `It was withdrawn on ${day}.`;
  }
}

/** @param reason one of `withdrawalReasons` */
export async function withdrawSolution(db: Client, id: string, reason: string): Promise<void> {
  dataOf(await db.rpc('withdraw_solution', { solution: id, reason }));
}
