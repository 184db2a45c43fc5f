import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import { RENEW_SIGNED_MS } from '#app/solution/solutions/private-files.ts';
import type { ClientSource, QueryData } from '#app/supabase.ts';
import { readConsent, readRows, toShow, trialsOf } from './data.ts';

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

export type ReviewedTrial = NonNullable<QueryData<typeof reviewedTrialQuery>>;
