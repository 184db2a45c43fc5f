import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
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
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, decision }: { id: string; decision: RemovalRequestDecision }) =>
      decideRemovalRequest(await browserClient(), id, decision),
    onSuccess: (_nothing, { decision }) => {
      toast({ tone: 'success', ...outcomeMessages[decision.status] });
      onDone?.();
    },
    onError: (error, { decision }) =>
      toast({
        tone: 'error',
        title: decision.status === 'hidden' ? 'Failed to hide the images' : 'Failed to decide on the request',
        text: messageOf(error, ''),
      }),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ['moderation'] }),
        cache.invalidateQueries({ queryKey: ['solutions'] }),
      ]),
  });
}
