import { queryOptions } from '@tanstack/react-query';
import { dataOf, readAnswer } from '#app/errors.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

/** What an admin sees of a member's account; null of one that does not exist. */
export const accountQuery = (client: ClientSource, memberId: string) =>
  queryOptions({
    queryKey: ['moderation', 'account', memberId],
    queryFn: async () =>
      readAnswer((await client()).rpc('member_account', { member: memberId }), (z) =>
        z.nullable(z.object({ disabled: z.boolean(), second_step: z.boolean() })),
      ),
    staleTime: 0,
  });

/** Signs a member out everywhere and lets them sign in no more, or again; they are told by email. */
export async function setAccountDisabled(db: Client, memberId: string, disabled: boolean): Promise<void> {
  dataOf(await db.rpc('set_account_disabled', { member: memberId, disabled }));
}

/** Removes the second step of a member who has lost it, who is told by email. */
export async function removeSecondStep(db: Client, memberId: string): Promise<void> {
  dataOf(await db.rpc('remove_second_step', { member: memberId }));
}
