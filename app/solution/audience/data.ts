import { queryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import { type Audience, audiences } from '#app/solution/solutions/value-lists.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';

/** The audiences that are a part of this one. */
export const narrowerThan = (audience: string) =>
  audiences.slice(audiences.findIndex(({ value }) => value === audience) + 1);

/** For whom a published solution is that the reader cannot see; null for any other. */
export const requiredAudienceQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['solutions', 'required-audience', id],
    queryFn: async (): Promise<string | null> => {
      if (!isUuid(id)) return null;
      return dataOf(await (await client()).rpc('required_audience', { solution: id }));
    },
  });

/** Shows the member's own published solution to fewer people from now on. */
export async function narrowAudience(db: Client, id: string, audience: Audience): Promise<void> {
  unwrap(await db.from('solutions').update({ audience }).eq('id', id).select('id').single());
}
