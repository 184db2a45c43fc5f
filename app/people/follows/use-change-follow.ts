import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '#app/errors.ts';
import { browserClient, type Client } from '#app/supabase.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';

/** Runs a change of what the member follows, then reads again what shows it. */
export function useChangeFollow() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (change: (db: Client) => Promise<void>) => {
      await change(await browserClient());
      await cache.invalidateQueries({ queryKey: ['follows'] });
    },
    onError: (error) =>
      toast({
        tone: 'error',
        title: 'Failed to change what you follow',
        text: messageOf(error, 'Please try again'),
      }),
  });
}
