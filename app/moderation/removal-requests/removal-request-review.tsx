import { useQuery } from '@tanstack/react-query';
import { EyeOff, Trash2, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReviewProps } from '#app/frame/kinds/kind.ts';
import { DecisionBar } from '#app/solution/review/decision-bar.tsx';
import { browserClient } from '#app/supabase.ts';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { type RemovalRequest, removalRequestsQuery } from './moderation-data.ts';
import { RemovalRequestItem } from './removal-request-item.tsx';
import { useRemovalRequest } from './use-removal-request.ts';

const RemovalRequestAnswerDialog = lazyDialog(
  () => import('./answer-dialog.tsx'),
  'RemovalRequestAnswerDialog',
);

/** One removal request of the queue. */
export function RemovalRequestReview({ id, viewer }: ReviewProps) {
  const query = useQuery(removalRequestsQuery(browserClient));
  const heading = useRef<HTMLHeadingElement>(null);
  const request = query.data?.open.find((one) => one.id === id);
  if (!request)
    return (
      <NotLoaded
        loading="Loading the removal request"
        failed="Failed to load removal requests"
        query={query}
      />
    );
  return (
    <>
      <RemovalRequestItem request={request} heading={heading} />
      <Decision
        request={request}
        // Only an admin may decide that images of their own stay.
        mayKeep={viewer.isAdmin || request.authorId !== viewer.id}
        // The button that was pressed is gone then.
        onHidden={() => heading.current?.focus()}
      />
    </>
  );
}

interface DecisionProps {
  request: RemovalRequest;
  mayKeep: boolean;
  onHidden: () => void;
}

/** What readers still see is hidden first, by one press; whether it is removed for good is decided then. */
function Decision({ request, mayKeep, onHidden }: DecisionProps) {
  const [answering, setAnswering] = useState<'removed' | 'kept'>();
  const acting = useRemovalRequest(onHidden);
  const removal = {
    label: 'Remove permanently',
    icon: Trash2,
    isRed: true,
    onPress: () => setAnswering('removed'),
  };
  const isShown = request.status === 'received';
  return (
    <>
      <DecisionBar
        kind="removal_request"
        id={request.id}
        hint={
          isShown
            ? mayKeep
              ? 'Hiding can be undone. Decline keeps the images, with a reason.'
              : 'Hiding can be undone.'
            : mayKeep && 'Decline shows the images again, with a reason.'
        }
        primary={
          isShown
            ? {
                label: request.mediaCount === 1 ? 'Hide the image now' : 'Hide the images now',
                icon: EyeOff,
                busy: acting.isPending && 'Hiding',
                onPress: () => acting.mutate({ id: request.id, decision: { status: 'hidden' } }),
              }
            : removal
        }
        second={mayKeep ? { label: 'Decline', icon: X, onPress: () => setAnswering('kept') } : undefined}
        more={isShown ? [removal] : []}
      />
      {answering && (
        <RemovalRequestAnswerDialog
          request={request}
          outcome={answering}
          onClose={() => setAnswering(undefined)}
        />
      )}
    </>
  );
}
