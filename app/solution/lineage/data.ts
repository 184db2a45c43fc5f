import { unwrap } from '#app/errors.ts';
import type { Client } from '#app/supabase.ts';

/** What a solution is based on, and its family, apart from the solution: a request embeds only so many tables. */
export async function readLineage(db: Client, id: string) {
  const [sources, family] = await Promise.all([
    db
      .from('solution_sources')
      .select('source_mark,solution:solutions!solution_sources_source_id_fkey(id,title)')
      .eq('solution_id', id)
      .order('position'),
    db.rpc('family_tree', { solution: id }),
  ]);
  return { sources: unwrap(sources), family: unwrap(family) };
}

export interface Relative {
  id: string;
  title: string;
  safety_kind: string | null;
  relatives: Relative[];
}

type Row = Awaited<ReturnType<typeof readLineage>>['family'][number];
export type Link = Omit<Row, 'safety_kind'> & { safety_kind: string | null };

/**
 * The relatives of one kind as a tree below a solution. One that is reached in two ways stands where it is nearest, since
 * the links are ordered by generation.
 */
export function treeOf(links: Link[], kind: 'source' | 'adaptation', id: string): Relative[] {
  const root: Relative = { id, title: '', safety_kind: null, relatives: [] };
  const known = new Map([[id, root]]);
  for (const link of links) {
    const parent = known.get(link.parent_id);
    if (link.kind !== kind || !parent || known.has(link.solution_id)) continue;
    const { title, safety_kind } = link;
    const relative = { id: link.solution_id, title, safety_kind, relatives: [] };
    known.set(relative.id, relative);
    parent.relatives.push(relative);
  }
  return root.relatives;
}
