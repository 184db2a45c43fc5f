import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { messageOf } from '#app/errors.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { type Checklist, type Decision, decideSolution } from './data.ts';

/** Approves or rejects, says so, and brings every view of the solution up to date. */
export function useDecision(solution: Solution) {
  const cache = useQueryClient();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ decision, checklist }: { decision: Decision; checklist: Checklist }) =>
      decideSolution(await browserClient(), solution, decision, checklist),
    onSuccess: (_nothing, { decision }) => {
      toast(
        decision.status === 'approved'
          ? { tone: 'success', title: 'Solution Approved', text: 'The solution is now visible to all users.' }
          : { tone: 'success', title: 'Solution Rejected', text: 'The author has been notified.' },
      );
      // An approved version is read at the address of its solution; its own address ends with the approval.
      if (decision.status === 'approved' && solution.revises && pathname.endsWith(`/${solution.id}`))
        void navigate(`/solutions/${solution.revises}`, { replace: true });
    },
    onError: (error, { decision }) =>
      toast({
        tone: 'error',
        title: decision.status === 'approved' ? 'Failed to approve solution' : 'Failed to reject solution',
        text: messageOf(error, ''),
      }),
    onSettled: async () => {
      // The queue goes on to its next case first: read again, a decided case would offer a second decision.
      await cache.invalidateQueries({ queryKey: ['moderation'] });
      await cache.invalidateQueries({ queryKey: ['solutions'] });
    },
  });
}
