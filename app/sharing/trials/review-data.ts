import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import { type Checklist, type Decision, decide } from '#app/solution/review/data.ts';
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
        db
          .from('solution_trials')
          .select('replaced,solution:solutions(title,language,user_id)')
          .eq('id', id)
          .single(),
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

/** Decides on a waiting report. */
export const decideTrial = (
  db: Client,
  trial: Pick<Trial, 'id' | 'updated_at'>,
  decision: Decision,
  checklist: Checklist,
): Promise<void> =>
  decide(db, 'solution_trials', trial, { ...decision, checklist }, (now) => now === decision.status);
