import { useQuery } from '@tanstack/react-query';
import { trialLinesQuery } from '#app/sharing/trials/data.ts';
import { TrialList } from '#app/sharing/trials/trial-list.tsx';
import { browserClient } from '#app/supabase.ts';

/** What the member reported of others' solutions, whatever its state; nothing where they have not. */
export function MyTrials({ userId }: { userId: string }) {
  const trials = useQuery(trialLinesQuery(browserClient, userId)).data ?? [];
  if (trials.length === 0) return null;
  return (
    <section aria-labelledby="my-trials" className="mt-10 border-t pt-8">
      <h2 id="my-trials" className="mb-4 text-xl">
        My trial reports
      </h2>
      <TrialList trials={trials} />
    </section>
  );
}
