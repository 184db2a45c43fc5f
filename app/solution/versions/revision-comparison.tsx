import { useQuery } from '@tanstack/react-query';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Comparison } from './comparison.tsx';
import { contentOf, latestVersionQuery } from './content.ts';

/** What a revision changes in the published version. */
export function RevisionComparison({ solution }: { solution: Solution }) {
  const published = useQuery(latestVersionQuery(browserClient, solution.revises ?? ''));
  if (published.isPending) return <Skeleton className="mb-6 h-40" />;
  return (
    <Comparison
      title="Changed since the published version"
      before={published.data}
      after={contentOf(solution)}
      media={solution.media}
      note={solution.change_note}
    />
  );
}
