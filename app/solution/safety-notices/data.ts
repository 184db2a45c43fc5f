import { queryOptions } from '@tanstack/react-query';
import type { Database } from '#app/database.types.ts';
import { dataOf, unwrap } from '#app/errors.ts';
import { noticeColumns } from '#app/solution/solutions/data.ts';
import type { SafetyKind } from '#app/solution/warnings/safety-notice-kinds.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

/** A part as a notice names it. */
export interface NamedPart {
  maker: string;
  part_number: string;
}

/** Former notices of a solution, the latest first; only its author and moderators can read them. */
export const earlierNoticesQuery = (client: ClientSource, solutionId: string) =>
  queryOptions({
    queryKey: ['solutions', 'notices', solutionId],
    queryFn: async () => {
      const db = await client();
      const query = db.from('safety_notices').select(noticeColumns).eq('solution_id', solutionId);
      return unwrap(await query.not('ended_at', 'is', null).order('created_at', { ascending: false }));
    },
  });

/** The number of public solutions on which a notice on a part stands. */
export const partCountQuery = (client: ClientSource, { maker, part_number }: NamedPart) =>
  queryOptions({
    queryKey: ['solutions', 'with-part', maker, part_number],
    queryFn: async () => unwrap(await (await client()).rpc('count_solutions_with', { maker, part_number })),
  });

export type IncidentAuthority = Database['public']['Tables']['incident_authorities']['Row'];

/** To whom incidents are reported, by country. */
export const authoritiesQuery = (client: ClientSource) =>
  queryOptions({
    queryKey: ['incident-authorities'],
    queryFn: async () =>
      unwrap(await (await client()).from('incident_authorities').select().order('country')),
    staleTime: 3_600_000,
  });

/** Puts a notice on a solution, in the place of the one before. */
export async function publishNotice(
  db: Client,
  notice: { solution_id: string; user_id: string; kind: SafetyKind; content: string; language: string },
): Promise<void> {
  dataOf(await db.from('safety_notices').insert(notice));
}

/** Warns of a part on every solution with it, in the place of the notice before. */
export async function publishPartNotice(
  db: Client,
  notice: { maker: string; part_number: string; kind: SafetyKind; content: string; language: string },
): Promise<void> {
  dataOf(await db.from('part_notices').insert(notice));
}

/** Ends a notice, which is kept for its author and moderators; what members were told of one on a part is taken back. */
export async function withdrawNotice(
  db: Client,
  table: 'safety_notices' | 'part_notices',
  id: string,
): Promise<void> {
  const data = dataOf(
    await db
      .from(table)
      .update({ ended_at: new Date().toISOString() })
      .eq('id', id)
      .is('ended_at', null)
      .select('id'),
  );
  if (data.length === 0)
    throw new Error('This notice has already been changed or withdrawn. Please reload the page.');
}
