import { queryOptions } from '@tanstack/react-query';
import { readAnswer } from '#app/errors.ts';
import type { ClientSource } from '#app/supabase.ts';

/** The result of `site_counts`. */
interface SiteCounts {
  members: number;
  solutions: number;
  success_stories: number;
}

/** The numbers on the home page, which are the same for every reader. */
export const siteCountsQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['site-counts'],
    queryFn: async () => {
      const db = await client();
      return readAnswer<SiteCounts>(db.rpc('site_counts'), (z) =>
        z.object({ members: z.number(), solutions: z.number(), success_stories: z.number() }),
      );
    },
  });
