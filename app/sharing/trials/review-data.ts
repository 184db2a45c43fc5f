import { queryOptions } from '@tanstack/react-query';
import { isUnreachable, unwrap } from '#app/errors.ts';
import type { Checklist, Decision } from '#app/solution/review/data.ts';
import { RENEW_SIGNED_MS } from '#app/solution/solutions/private-files.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { readConsent, readRows, type Trial, toShow, trialsOf } from './data.ts';

/** A report with what its moderator needs beside it; null when it is gone. */
export const reviewedTrialQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['moderation', 'trial', id],
    queryFn: async () => {
      const db = await client();
      const [trial] = await toShow(db, await readRows(trialsOf(db).eq('id', id)));
      if (!trial) return null;
      const [of, consent, identifiers] = await Promise.all([
        db.from('solution_trials').select('replaced,solution:solutions(title,user_id)').eq('id', id).single(),
        readConsent(db, id),
        db.rpc('trial_identifiers_found', { trial: id }),
      ]);
      const { replaced, solution } = unwrap(of);
      return { ...trial, replaced, solution, consent, identifiers: identifiers.data ?? [] };
    },
    refetchInterval: RENEW_SIGNED_MS,
  });

export type ReviewedTrial = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof reviewedTrialQuery>['queryFn']>>>
>;

/**
 * Decides on a waiting report in the version that the moderator saw, and has its files moved accordingly.
 *
 * @throws Error saying so, when another moderator was first or its writer has changed it since
 */
export async function decideTrial(
  db: Client,
  { id, updated_at }: Pick<Trial, 'id' | 'updated_at'>,
  decision: Decision,
  checklist: Checklist,
): Promise<void> {
  const { data, error } = await db
    .from('solution_trials')
    .update({ ...decision, checklist })
    .eq('id', id)
    .eq('status', 'pending')
    .eq('updated_at', updated_at)
    .select('id');
  if (error && !isUnreachable(error)) throw error;
  if (!data?.length) {
    const { data: now } = await db.from('solution_trials').select('status').eq('id', id).maybeSingle();
    // Without an answer, the decision may have been made.
    if (now?.status !== decision.status)
      throw (
        error ??
        new Error(
          now?.status === 'pending'
            ? 'This has changed since you opened it. Please review it again.'
            : 'Another moderator has already decided on this trial report',
        )
      );
  }
  await db.functions.invoke('process-media-jobs', { method: 'POST' });
}
