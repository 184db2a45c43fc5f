import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient } from '#app/supabase.ts';
import { AuthenticationRequired, closeReport } from './report-actions.ts';

/** Responds to a report or dismisses it, says so, and brings the list up to date. */
export function useCloseReport(onClosed?: () => void) {
  return useAction({
    act: async ({ id, outcome }: { id: string; outcome: Parameters<typeof closeReport>[2] }) =>
      closeReport(await browserClient(), id, outcome),
    done: (_nothing, { outcome }) => (outcome.status === 'resolved' ? 'Report Resolved' : 'Report Dismissed'),
    failed: (error, { outcome }) => {
      if (error instanceof AuthenticationRequired) return { title: error.message, text: undefined };
      return outcome.status === 'resolved' ? 'Failed to update report' : 'Failed to dismiss report';
    },
    onDone: onClosed,
    refresh: [['moderation']],
  });
}
