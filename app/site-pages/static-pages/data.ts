import { queryOptions } from '@tanstack/react-query';
import { unwrap } from '#app/errors.ts';
import type { ClientSource } from '#app/supabase.ts';

/** The catalogue of badges by the criterion that earns them, the lowest tier first. */
export const badgesQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['badges'],
    queryFn: async () =>
      unwrap(
        await (await client())
          .from('badges')
          .select('id,name,description,icon_url,tier')
          .order('criterion')
          .order('tier'),
      ),
  });
