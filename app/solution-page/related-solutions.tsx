import { useQuery } from '@tanstack/react-query';
import { relatedQuery } from '#app/solutions/data.ts';
import { SolutionCard } from '#app/solutions/solution-card.tsx';
import { browserClient } from '#app/supabase.ts';

export function RelatedSolutions({ id }: { id: string }) {
  // Solutions the server could not read are not worth a second attempt.
  const related = useQuery({ ...relatedQuery(browserClient, id), enabled: false }).data;
  if (!related?.length) return null;
  return (
    <section aria-labelledby="related" className="mt-14 border-t pt-8 md:mt-18 print:hidden">
      <h2 id="related" className="text-xl">
        Related solutions
      </h2>
      <div className="mt-5 md:mt-8 card-trio">
        {related.map((solution) => (
          <SolutionCard key={solution.id} solution={solution} to={`/solutions/${solution.id}`} />
        ))}
      </div>
    </section>
  );
}
