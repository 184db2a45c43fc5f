import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import type { ClientSource } from '#app/supabase.ts';

/** What `site_counts` answers. */
interface SiteCounts {
  members: number;
  solutions: number;
  success_stories: number;
}

const isCounts = (value: unknown): value is SiteCounts =>
  typeof value === 'object' && value !== null && 'members' in value;

export const siteCountsQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['site-counts'],
    queryFn: async () => {
      const db = await client();
      const counts: unknown = unwrap(await db.rpc('site_counts'));
      if (!isCounts(counts)) throw new Error('site_counts answered something else than counts');
      return counts;
    },
  });
