import { unwrap } from '#app/errors.ts';
import type { Client } from '#app/supabase.ts';

/** What a solution is based on and what is based on it, apart from the solution: a request embeds only so many tables. */
export async function readLineage(db: Client, id: string) {
  const [sources, adaptations] = await Promise.all([
    db
      .from('solution_sources')
      .select('position,source_mark,solution:solutions!solution_sources_source_id_fkey(id,title)')
      .eq('solution_id', id),
    db
      .from('solution_sources')
      .select('solution:solutions!solution_sources_solution_id_fkey(id,title,status)')
      .eq('source_id', id),
  ]);
  return { sources: unwrap(sources), adaptations: unwrap(adaptations) };
}
