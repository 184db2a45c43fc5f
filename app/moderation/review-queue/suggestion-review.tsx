import { useQuery } from '@tanstack/react-query';
import { SuggestionItem } from '#app/community/resources/resource-suggestions.tsx';
import { suggestionsQuery } from '#app/community/resources/suggestion-data.ts';
import { ClaimNotice } from '#app/solution/review/claim-notice.tsx';
import { useClaim } from '#app/solution/review/use-claim.ts';
import { browserClient } from '#app/supabase.ts';
import { LoadFailed, LoadingRows } from '#app/ui/states/loading-rows.tsx';

/** One suggested resource of the queue. */
export function SuggestionReview({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery(suggestionsQuery(browserClient));
  const claim = useClaim('resource', id);
  const suggestion = data?.find((one) => one.id === id);
  if (isError && !data)
    return <LoadFailed title="Failed to load resource suggestions" onRetry={() => void refetch()} />;
  if (!suggestion) return <LoadingRows label="Loading the suggestion" />;
  return (
    <>
      {claim && <ClaimNotice claim={claim} className="mb-4" />}
      <SuggestionItem suggestion={suggestion} />
    </>
  );
}
