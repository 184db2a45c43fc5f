import { useQuery } from '@tanstack/react-query';
import { browserClient } from '#app/supabase.ts';
import { sumsQuery } from './data.ts';
import { UseSums } from './use-sums.tsx';

/** Whether what was fitted is still in use, as far as it was asked; nothing before the first question. */
export function SolutionUse({ solutionId }: { solutionId: string }) {
  const sums = useQuery(sumsQuery(browserClient, solutionId)).data ?? [];
  if (sums.length === 0) return null;
  return (
    <section id="still-in-use" aria-labelledby="still-in-use-title" className="scroll-mt-12">
      <h2 id="still-in-use-title" className="text-xl">
        Still in use?
      </h2>
      <p className="mt-2 max-w-[66ch] text-ink-2">
        We ask everyone who reported a trial, and authors who measured outcomes, 3, 6 and 12 months later.
      </p>
      <UseSums sums={sums} />
    </section>
  );
}
