import { useLocation, useNavigate } from 'react-router';
import { useAction } from '#app/frame/act/use-action.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { type Checklist, type Decision, decideSolution } from './data.ts';

/** Approves or rejects, says so, and brings every view of the solution up to date. */
export function useDecision(solution: Solution) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return useAction({
    act: async ({ decision, checklist }: { decision: Decision; checklist: Checklist }) =>
      decideSolution(await browserClient(), solution, decision, checklist),
    done: (_nothing, { decision }) =>
      decision.status === 'approved'
        ? { title: 'Solution Approved', text: 'The solution is now visible to all users.' }
        : { title: 'Solution Rejected', text: 'The author has been notified.' },
    failed: (_error, { decision }) =>
      decision.status === 'approved' ? 'Failed to approve solution' : 'Failed to reject solution',
    onDone: (_nothing, { decision }) => {
      // An approved version is read at the address of its solution; its own address ends with the approval.
      if (decision.status === 'approved' && solution.revises && pathname.endsWith(`/${solution.id}`))
        void navigate(`/solutions/${solution.revises}`, { replace: true });
    },
    // The queue goes on to its next case first: read again, a decided case would offer a second decision.
    refresh: [['moderation'], ['solutions']],
  });
}
