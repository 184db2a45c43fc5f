import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { decideRemovalRequest, type RemovalRequestDecision } from './moderation-data.ts';

const outcomeMessages = {
  hidden: {
    title: 'Images hidden',
    text: 'Readers no longer see them. The author and the requester are notified.',
  },
  removed: { title: 'Images removed', text: 'The author and the requester are notified.' },
  kept: { title: 'Request closed', text: 'The images stay. The requester will see your reason.' },
};

/** Acts on a removal request, says so, and brings every view of the pictures up to date. */
export function useRemovalRequest(onDone?: () => void) {
  return useAction({
    act: async ({ id, decision }: { id: string; decision: RemovalRequestDecision }) =>
      decideRemovalRequest(await browserClient(), id, decision),
    done: (_nothing, { decision }) => outcomeMessages[decision.status],
    failed: (_error, { decision }) =>
      decision.status === 'hidden' ? 'Failed to hide the images' : 'Failed to decide on the request',
    onDone,
    refresh: [['moderation'], ['solutions']],
  });
}
