import { useQuery } from '@tanstack/react-query';
import { takedownsQuery } from '#app/moderation/takedowns/moderation-data.ts';
import { TakedownItem } from '#app/moderation/takedowns/takedown-item.tsx';
import { ClaimNotice } from '#app/solution/review/claim-notice.tsx';
import { useClaim } from '#app/solution/review/use-claim.ts';
import { browserClient } from '#app/supabase.ts';
import { LoadFailed, LoadingRows } from '#app/ui/states/loading-rows.tsx';

/** One removal request of the queue. */
export function TakedownReview({ id, viewer }: { id: string; viewer: { id: string; isAdmin: boolean } }) {
  const { data, isError, refetch } = useQuery(takedownsQuery(browserClient));
  const claim = useClaim('takedown', id);
  const request = data?.open.find((one) => one.id === id);
  if (isError && !data)
    return <LoadFailed title="Failed to load removal requests" onRetry={() => void refetch()} />;
  if (!request) return <LoadingRows label="Loading the removal request" />;
  return (
    <>
      {claim && <ClaimNotice claim={claim} className="mb-4" />}
      <ul data-decision>
        <TakedownItem
          request={request}
          isChosen={false}
          mayKeep={viewer.isAdmin || request.authorId !== viewer.id}
        />
      </ul>
    </>
  );
}
