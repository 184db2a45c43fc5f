import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '#app/errors.ts';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { AuthenticationRequired, closeReport } from './report-actions.ts';

/** Responds to a report or dismisses it, says so, and brings the list up to date. */
export function useCloseReport(onClosed?: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, outcome }: { id: string; outcome: Parameters<typeof closeReport>[2] }) =>
      closeReport(await browserClient(), id, outcome),
    onSuccess: (_nothing, { outcome }) => {
      toast({
        tone: 'success',
        title: outcome.status === 'resolved' ? 'Report Resolved' : 'Report Dismissed',
      });
      onClosed?.();
    },
    onError: (error, { outcome }) =>
      toast(
        error instanceof AuthenticationRequired
          ? { tone: 'error', title: error.message }
          : {
              tone: 'error',
              title: outcome.status === 'resolved' ? 'Failed to update report' : 'Failed to dismiss report',
              text: messageOf(error, ''),
            },
      ),
    onSettled: () => cache.invalidateQueries({ queryKey: ['moderation'] }),
  });
}
