import { queryOptions } from '@tanstack/react-query';
import { dataOf, readAnswer } from '#app/errors.ts';
import { readSolution } from '#app/solution/solutions/data.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';

async function readRevision(db: Client, solutionId: string) {
  return dataOf(
    await db.from('solutions').select('id,status,rejection_reason').eq('revises', solutionId).maybeSingle(),
  );
}

/** Published solutions that a search finds, by title, for the choice of what a solution is based on. */
export const foundSourcesQuery = (client: ClientSource, search: string) =>
  queryOptions({
    queryKey: ['solutions', 'sources', search],
    queryFn: async ({ signal }) => {
      const db = await client();
      const page = db.rpc('browse_solutions', { search, page_size: 6 }).abortSignal(signal);
      const { items } = await readAnswer(page, (z) =>
        z.object({
          items: z.array(
            z.object({ id: z.string(), title: z.string(), safety_kind: z.nullable(z.string()) }),
          ),
        }),
      );
      return items;
    },
    retry: false,
  });

/** A published solution that a new one is to be based on; null when there is none. */
export const sourceQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['solutions', 'source', id],
    queryFn: async () => {
      if (!isUuid(id)) return null;
      const db = await client();
      const approved = db.from('solutions').select('id,title').eq('id', id).eq('status', 'approved');
      return dataOf(await approved.maybeSingle());
    },
    retry: false,
  });

/** The new version of a published solution that waits for review or was rejected; for its author and the moderators. */
export const revisionQuery = (client: ClientSource, solutionId: string) =>
  queryOptions({
    queryKey: ['solutions', 'revision', solutionId],
    queryFn: async () => readRevision(await client(), solutionId),
  });

/**
 * A member's solution as its form shows it, by the id of the solution, with the contents of its version under review where
 * there is one; null when it is not found.
 */
export const editedQuery = (client: ClientSource, id: string, userId: string) =>
  queryOptions({
    queryKey: ['solutions', 'edited', id, userId],
    queryFn: async () => {
      if (!isUuid(id)) return null;
      const db = await client();
      const solution = await readSolution(db, id);
      if (solution?.status !== 'approved') return solution;
      const revision = await readRevision(db, id);
      return (revision && (await readSolution(db, revision.id))) ?? solution;
    },
  });
