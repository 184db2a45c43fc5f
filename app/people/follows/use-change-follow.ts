import { useAction } from '#app/frame/act/use-action.ts';
import { browserClient, type Client } from '#app/supabase.ts';

/** Runs a change of what the member follows, then reads again what shows it. */
export const useChangeFollow = () =>
  useAction({
    act: async (change: (db: Client) => Promise<void>) => change(await browserClient()),
    failed: 'Failed to change what you follow',
    fallback: 'Please try again',
    refresh: [['follows']],
  });
