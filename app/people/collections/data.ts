import { queryOptions } from '@tanstack/react-query';
import { dataOf, readAnswer, throwUnlessThere, unwrap } from '#app/errors.ts';
import { authorName, authorSchema } from '#app/frame/members/names.ts';
import { cardRow, toCard } from '#app/solution/solutions/data.ts';
import { withOpenPictures } from '#app/solution/solutions/private-files.ts';
import type { Client, ClientSource, QueryData } from '#app/supabase.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';

/** The longest title of a collection, and the longest note on a case. */
export const MAX_TITLE = 120;
export const MAX_NOTE = 1000;
/** The collections that one press saves in; they are made with the first. */
export const [READING_LIST, USED_IN_CLINIC] = ['Reading list', 'Used in clinic'] as const;
/** The ids that one request names at most, so that its address stays short. */
const MAX_IDS = 100;

/** What a member calls a collection, with the language of that. */
export interface Named {
  title: string;
  language: string;
}

/** The member's collections with the number of what they hold, and the latest of it that is still public; the first made first. */
export const collectionsQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['collections', 'own', userId],
    queryFn: async () => {
      const db = await client();
      const collections = await readAnswer(db.rpc('own_collections'), (z) =>
        z.array(
          z.object({
            id: z.string(),
            title: z.string(),
            language: z.nullable(z.string()),
            is_shared: z.boolean(),
            size: z.number(),
            latest: z.array(z.object({ id: z.string(), thumbnail_url: z.nullable(z.string()) })),
          }),
        ),
      );
      const solutions = await withOpenPictures(
        db,
        collections.flatMap(({ latest }) => latest),
      );
      const pictures = new Map(solutions.map((solution) => [solution.id, solution]));
      return collections.map(({ latest, ...collection }) => ({
        ...collection,
        latest: latest.map((solution) => pictures.get(solution.id) ?? solution),
      }));
    },
    refetchOnWindowFocus: 'always',
  });

export type OwnCollection = QueryData<typeof collectionsQuery>[number];

/**
 * What a member has made of a solution: whether they like it, and their collections, each with whether it has the solution.
 * One request, as each page of a solution asks; none reads all that a member liked or saved.
 */
export const ownMarksQuery = (client: ClientSource, userId: string, solutionId: string) =>
  queryOptions({
    queryKey: ['collections', 'of', solutionId, userId],
    queryFn: async () => {
      const db = await client();
      const own = unwrap(
        await db
          .from('profiles')
          .select(
            'likes!likes_user_id_fkey(id),collections!collections_user_id_fkey(id,title,language,items:collection_items(note))',
          )
          .eq('id', userId)
          .eq('likes.solution_id', solutionId)
          .eq('collections.items.solution_id', solutionId)
          .order('created_at', { referencedTable: 'collections' })
          .order('id', { referencedTable: 'collections' })
          .single(),
      );
      return {
        isLiked: own.likes.length > 0,
        collections: own.collections.map(({ items: [item], ...collection }) => ({
          ...collection,
          hasSolution: item !== undefined,
          note: item?.note ?? null,
        })),
      };
    },
    // Another tab or device may have changed it.
    refetchOnWindowFocus: 'always',
  });

/** Which of these solutions the member saved, each with its collections. */
export const savedQuery = (client: ClientSource, userId: string, solutionIds: readonly string[]) =>
  queryOptions({
    queryKey: ['collections', 'saved', userId, solutionIds],
    queryFn: async () => {
      const db = await client();
      const parts = Array.from({ length: Math.ceil(solutionIds.length / MAX_IDS) }, (_, part) =>
        solutionIds.slice(part * MAX_IDS, (part + 1) * MAX_IDS),
      );
      const answers = await Promise.all(
        parts.map((ids) =>
          db
            .from('collection_items')
            .select('collection_id,solution_id,note')
            .eq('user_id', userId)
            .in('solution_id', ids),
        ),
      );
      return answers.flatMap(unwrap);
    },
    refetchOnWindowFocus: 'always',
  });

export type Saved = QueryData<typeof savedQuery>[number];

/** A collection as the reader may see it; null when it is neither theirs nor shared. */
export const collectionQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['collections', 'one', id],
    queryFn: async () => (isUuid(id) ? readCollection(await client(), id) : null),
  });

/** The same, as the caller sees it. */
export async function readCollection(db: Client, id: string) {
  const page = await readAnswer(db.rpc('collection_page', { collection: id }), (z) =>
    z.nullable(
      z.object({
        id: z.string(),
        title: z.string(),
        language: z.nullable(z.string()),
        is_shared: z.boolean(),
        link_removed_at: z.nullable(z.string()),
        user_id: z.string(),
        owner: authorSchema(z),
        unseen: z.nullable(z.number()),
        items: z.array(
          z.object({
            note: z.nullable(z.string()),
            language: z.nullable(z.string()),
            version: z.nullable(z.number()),
            published_at: z.nullable(z.string()),
            solution: cardRow(z),
          }),
        ),
      }),
    ),
  );
  if (!page) return null;
  const solutions = await withOpenPictures(
    db,
    page.items.map(({ solution, ...item }) => ({ ...solution, item })),
  );
  return {
    ...page,
    owner: authorName(page.user_id, page.owner),
    items: solutions.map(({ item, ...solution }) => ({ ...item, solution: toCard(solution) })),
  };
}

/** @returns the id of the new collection */
export async function createCollection(db: Client, userId: string, named: Named): Promise<string> {
  return unwrap(
    await db
      .from('collections')
      .insert({ user_id: userId, ...named })
      .select('id')
      .single(),
  ).id;
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
  const items = db.from('collection_items');
  throwUnlessThere(
    saved
      ? await items.insert({ collection_id: collectionId, user_id: userId, solution_id: solutionId })
      : await items.delete().eq('collection_id', collectionId).eq('solution_id', solutionId),
  );
}

/** Saves in the member's first collection with this title, which is made when there is none. */
export async function saveIn(db: Client, userId: string, title: string, solutionId: string): Promise<void> {
  const [own] = unwrap(
    await db
      .from('collections')
      .select('id')
      .eq('user_id', userId)
      .eq('title', title)
      .order('created_at')
      .order('id')
      .limit(1),
  );
  const collectionId = own?.id ?? (await createCollection(db, userId, { title, language: 'en' }));
  await setSaved(db, { userId, collectionId, solutionId, saved: true });
}

/** Keeps what the member notes about a solution in a collection; a blank note is taken away. */
export async function setNote(
  db: Client,
  collectionId: string,
  solutionId: string,
  { note, language }: { note: string; language: string },
): Promise<void> {
  dataOf(
    await db
      .from('collection_items')
      .update({ note: note.trim() || null, language })
      .eq('collection_id', collectionId)
      .eq('solution_id', solutionId),
  );
}

/** Opens a collection to everyone who has its link, or closes it again. */
export async function setShared(db: Client, collectionId: string, shared: boolean): Promise<void> {
  dataOf(await db.from('collections').update({ is_shared: shared }).eq('id', collectionId));
}

/** Gives a collection another title; links to it stay as they are. */
export async function renameCollection(db: Client, collectionId: string, named: Named): Promise<void> {
  dataOf(
    await db
      .from('collections')
      .update({ ...named })
      .eq('id', collectionId),
  );
}

/** A collection that is deleted already counts as deleted. */
export async function deleteCollection(db: Client, collectionId: string): Promise<void> {
  dataOf(await db.from('collections').delete().eq('id', collectionId));
}
