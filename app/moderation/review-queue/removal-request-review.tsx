import { useQuery } from '@tanstack/react-query';
import { removalRequestsQuery } from '#app/moderation/removal-requests/moderation-data.ts';
import { RemovalRequestItem } from '#app/moderation/removal-requests/removal-request-item.tsx';
import { ClaimNotice } from '#app/solution/review/claim-notice.tsx';
import { useClaim } from '#app/solution/review/use-claim.ts';
import { browserClient } from '#app/supabase.ts';
import { LoadFailed, LoadingRows } from '#app/ui/states/loading-rows.tsx';

/** One removal request of the queue. */
export function RemovalRequestReview({
  id,
  viewer,
}: {
  id: string;
  viewer: { id: string; isAdmin: boolean };
}) {
  const { data, isError, refetch } = useQuery(removalRequestsQuery(browserClient));
  const claim = useClaim('removal_request', id);
  const request = data?.open.find((one) => one.id === id);
  if (isError && !data)
    return <LoadFailed isTold title="Failed to load removal requests" onRetry={() => void refetch()} />;
  if (!request) return <LoadingRows label="Loading the removal request" />;
  return (
    <>
      {claim && <ClaimNotice claim={claim} className="mb-4" />}
      <ul>
        <RemovalRequestItem
          request={request}
          isChosen={false}
          mayKeep={viewer.isAdmin || request.authorId !== viewer.id}
        />
      </ul>
    </>
  );
}
