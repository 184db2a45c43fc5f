import { useQuery } from '@tanstack/react-query';
import { useMember } from '#app/session.ts';
import { SolutionCard } from '#app/solution/cards/solution-card.tsx';
import { relatedQuery } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';

/** Cards of similar solutions at the end of a page; nothing where there are none. */
export function RelatedSolutions({ id }: { id: string }) {
  const member = useMember();
  // Solutions the server could not read are not worth a second attempt, but a member may see others than it read.
  const related = useQuery({ ...relatedQuery(browserClient, id), enabled: member !== undefined }).data;
  if (!related?.length) return null;
  return (
    <section aria-labelledby="related" className="mt-14 border-t pt-8 md:mt-18 print:hidden">
      <h2 id="related" className="text-xl">
        Related solutions
      </h2>
      <div className="mt-5 md:mt-8 card-trio max-md:[&>:nth-child(3)]:hidden">
        {related.map((solution) => (
          <SolutionCard key={solution.id} solution={solution} to={`/solutions/${solution.id}`} />
        ))}
      </div>
    </section>
  );
}
