import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/toasts.tsx';
import { type Decision, decide } from './review.ts';

/** Approves or rejects, says so, and brings everything that shows the solution up to date. */
export function useDecision(onDecided?: (id: string) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, decision }: { id: string; decision: Decision }) =>
      decide(await browserClient(), id, decision),
    onSuccess: async (_nothing, { id, decision }) => {
      toast(
        decision.status === 'approved'
          ? { tone: 'success', title: 'Solution Approved', text: 'The solution is now visible to all users.' }
          : { tone: 'success', title: 'Solution Rejected', text: 'The author has been notified.' },
      );
      onDecided?.(id);
      await cache.invalidateQueries({ queryKey: ['solutions'] });
    },
    onError: (error, { decision }) =>
      toast({
        tone: 'error',
        title: decision.status === 'approved' ? 'Failed to approve solution' : 'Failed to reject solution',
        text: messageOf(error, ''),
      }),
  });
}
