import { queryOptions } from '@tanstack/react-query';
import { readAnswer, unwrap } from '#app/errors.ts';
import { authorName, authorSchema } from '#app/members/names.ts';
import { cardRow, toCard } from '#app/solutions/data.ts';
import { withOpenPictures } from '#app/solutions/private-files.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { isUuid } from '#app/ui/uuid.ts';

/** The longest title of a collection, and the longest note on a case. */
export const MAX_TITLE = 120;
export const MAX_NOTE = 1000;

/** A member's collections with the ids of what they hold, the first made first. */
export const collectionsQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['collections', 'own', userId],
    queryFn: async () =>
      unwrap(
        await (await client())
          .from('collections')
          .select('id,title,is_shared,items:collection_items(solution_id)')
          .eq('user_id', userId)
          .order('created_at')
          .order('id'),
      ),
    refetchOnWindowFocus: 'always',
  });

/** A member's collections, each with whether it has a solution: no page of a solution reads all that a member saved. */
export const collectionsOfQuery = (client: ClientSource, userId: string, solutionId: string) =>
  queryOptions({
    queryKey: ['collections', 'of', solutionId, userId],
    queryFn: async () => {
      const rows = unwrap(
        await (await client())
          .from('collections')
          .select('id,title,items:collection_items(solution_id)')
          .eq('user_id', userId)
          .eq('items.solution_id', solutionId)
          .order('created_at')
          .order('id'),
      );
      return rows.map(({ items, ...collection }) => ({ ...collection, hasSolution: items.length > 0 }));
    },
    refetchOnWindowFocus: 'always',
  });

/**
 * A collection as the reader may see it; null when it is neither theirs nor shared.
 *
 * @param readerId undefined for a visitor
 */
export const collectionQuery = (client: ClientSource, id: string, readerId: string | undefined) =>
  queryOptions({
    queryKey: ['collections', 'one', id, readerId ?? 'everybody'],
    queryFn: async () => {
      if (!isUuid(id)) return null;
      const db = await client();
      const page = await readAnswer(db.rpc('collection_page', { collection: id }), (z) =>
        z.nullable(
          z.object({
            id: z.string(),
            title: z.string(),
            is_shared: z.boolean(),
            user_id: z.string(),
            owner: authorSchema(z),
            items: z.array(z.object({ note: z.nullable(z.string()), solution: cardRow(z) })),
          }),
        ),
      );
      if (!page) return null;
      const solutions = await withOpenPictures(
        db,
        page.items.map(({ note, solution }) => ({ ...solution, note })),
      );
      return {
        ...page,
        owner: authorName(page.user_id, page.owner),
        items: solutions.map(({ note, ...solution }) => ({ note, solution: toCard(solution) })),
      };
    },
  });

/** @returns the id of the new collection */
export async function createCollection(db: Client, userId: string, title: string): Promise<string> {
  return unwrap(await db.from('collections').insert({ user_id: userId, title }).select('id').single()).id;
}

/** What is saved already stays as it is, and what is removed already counts as removed. */
export async function setSaved(
  db: Client,
  {
    userId,
    collectionId,
    solutionId,
    saved,
  }: { userId: string; collectionId: string; solutionId: string; saved: boolean },
): Promise<void> {
  const { error } = saved
    ? await db
        .from('collection_items')
        .insert({ collection_id: collectionId, user_id: userId, solution_id: solutionId })
    : await db
        .from('collection_items')
        .delete()
        .eq('collection_id', collectionId)
        .eq('solution_id', solutionId);
  if (error && error.code !== '23505') throw error;
}

export async function setNote(
  db: Client,
  collectionId: string,
  solutionId: string,
  note: string,
): Promise<void> {
  const { error } = await db
    .from('collection_items')
    .update({ note: note.trim() || null })
    .eq('collection_id', collectionId)
    .eq('solution_id', solutionId);
  if (error) throw error;
}

export async function setShared(db: Client, collectionId: string, shared: boolean): Promise<void> {
  const { error } = await db.from('collections').update({ is_shared: shared }).eq('id', collectionId);
  if (error) throw error;
}

export async function renameCollection(db: Client, collectionId: string, title: string): Promise<void> {
  const { error } = await db.from('collections').update({ title }).eq('id', collectionId);
  if (error) throw error;
}

/** A collection that is deleted already counts as deleted. */
export async function deleteCollection(db: Client, collectionId: string): Promise<void> {
  const { error } = await db.from('collections').delete().eq('id', collectionId);
  if (error) throw error;
}
