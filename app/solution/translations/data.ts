import { queryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import { readVersion } from '#app/solution/versions/content.ts';
import type { Client, ClientSource, QueryData } from '#app/supabase.ts';
import { isUuid } from '#app/ui/texts/uuid.ts';
import { type TranslatedTexts, textsSchema } from './texts.ts';

const columns =
  `id,solution_id,version,language,user_id,texts,status,rejection_reason,updated_at,approved_at,writer:profiles!solution_translations_user_id_fkey(${authorColumns})` as const;

const withTexts = <Row extends { texts: unknown }>(
  row: Row,
): Omit<Row, 'texts'> & { texts: TranslatedTexts } => ({
  ...row,
  texts: textsSchema.parse(row.texts),
});

/** The translation of a solution into a language that readers see, and the writers of those before; null where there is none. */
export const translationQuery = (client: ClientSource, solutionId: string, language: string) =>
  queryOptions({
    queryKey: ['solutions', 'translation', solutionId, language],
    queryFn: async () => (isUuid(solutionId) ? readShown(await client(), solutionId, language) : null),
  });

async function readShown(db: Client, solutionId: string, language: string) {
  const rows = unwrap(
    await db
      .from('solution_translations')
      .select(columns)
      .eq('solution_id', solutionId)
      .eq('language', language)
      .in('status', ['approved', 'replaced'])
      .order('approved_at', { ascending: false }),
  );
  const shown = rows.find(({ status }) => status === 'approved');
  if (!shown) return null;
  // Each once, however often they brought it up to date.
  const earlier = new Map(rows.map(({ user_id, writer }) => [user_id, { user_id, writer }]));
  earlier.delete(shown.user_id);
  return { ...withTexts(shown), earlier: [...earlier.values()] };
}

export type Translation = NonNullable<Awaited<ReturnType<typeof readShown>>>;

/** A member's own translations of a solution that wait, were sent back or are public, the latest first. */
export const ownTranslationsQuery = (client: ClientSource, solutionId: string, userId: string) =>
  queryOptions({
    queryKey: ['solutions', 'own-translations', solutionId, userId],
    queryFn: async () => {
      if (!isUuid(solutionId)) return [];
      const db = await client();
      const own = db.from('solution_translations').select(columns).eq('solution_id', solutionId);
      const rows = unwrap(
        await own.eq('user_id', userId).neq('status', 'replaced').order('updated_at', { ascending: false }),
      );
      return rows.map(withTexts);
    },
  });

export type OwnTranslation = QueryData<typeof ownTranslationsQuery>[number];

/** Sends a translation to review, in place of the member's one in this language that waits or was sent back. */
export async function submitTranslation(
  db: Client,
  translation: { solution: string; version: number; language: string; texts: TranslatedTexts },
): Promise<void> {
  unwrap(await db.rpc('submit_translation', translation));
}

/** Deletes a translation for its writer or a moderator. */
export async function deleteTranslation(db: Client, id: string): Promise<void> {
  unwrap(await db.from('solution_translations').delete().eq('id', id).select('id').single());
}

/** The checklist before a translation becomes public, by the keys that are stored with the decision. */
export const translationChecklist = {
  fidelity: 'It says what the original says, and no more',
  numbers: 'Numbers, units and warnings are those of the original',
  identifiers: 'No patient names, dates of birth or hospital numbers in the text',
} as const;

/** A translation with what its moderator needs beside it; null when it is gone. */
export const reviewedTranslationQuery = (client: ClientSource, id: string) =>
  queryOptions({
    queryKey: ['moderation', 'translation', id],
    queryFn: async () => {
      const db = await client();
      const row = dataOf(
        await db
          .from('solution_translations')
          .select(
            `${columns},solution:solutions(title,language,version,notices:safety_notices(id,content,language))`,
          )
          .eq('id', id)
          .is('solution.notices.ended_at', null)
          .maybeSingle(),
      );
      if (!row) return null;
      const [version, identifiers, shown] = await Promise.all([
        readVersion(db, row.solution_id, row.version),
        db.rpc('translation_identifiers_found', { translation: id }),
        readShown(db, row.solution_id, row.language),
      ]);
      return {
        ...withTexts(row),
        content: version?.content ?? null,
        identifiers: identifiers.data ?? [],
        /** The translation that readers see, which this one is to replace. */
        shown,
      };
    },
  });
