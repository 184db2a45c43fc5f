import { queryOptions } from '@tanstack/react-query';
import { dataOf, unwrap } from '#app/errors.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import type { Client, ClientSource } from '#app/supabase.ts';

export const MAX_NOTE_LENGTH = 2000;

/** The column that names an item of each kind. */
const columns = {
  solution: 'solution_id',
  trial: 'trial_id',
  translation: 'translation_id',
  resource: 'resource_suggestion_id',
  report: 'content_report_id',
  removal_request: 'removal_request_id',
  registration: 'registration_id',
  post: 'held_post_id',
} as const;

/** The kinds of item that notes are on. */
export type NotedKind = keyof typeof columns;

/** Whether notes are on an item of this kind; of others they are on the member who sent it. */
export const isNotedKind = (kind: string): kind is NotedKind => kind in columns;

/** What notes are about: a member, or an item and who sent it. */
export interface NoteSubject {
  item: { kind: NotedKind; id: string } | null;
  memberId: string | null;
}

const MAX_LISTED = 50;

/** The latest notes on an item and its sender, or on a member and all they sent. */
export const notesQuery = (client: ClientSource, { item, memberId }: NoteSubject) =>
  queryOptions({
    queryKey: ['moderation', 'notes', item?.id ?? null, memberId],
    queryFn: async () => {
      const db = await client();
      const itemId = item && (await noted(db, item));
      const either = [
        ...(item ? [`${columns[item.kind]}.eq.${itemId}`] : []),
        ...(memberId ? [`about_id.eq.${memberId}`] : []),
      ];
      const notes = unwrap(
        await db
          .from('staff_notes')
          .select(
            `id,about_id,solution_id,trial_id,translation_id,resource_suggestion_id,content_report_id,removal_request_id,registration_id,held_post_id,content,created_by,created_at,writer:profiles!staff_notes_created_by_fkey(${authorColumns}),solution:solutions(title)`,
          )
          .or(either.join(','))
          .order('created_at', { ascending: false })
          .order('id')
          .limit(MAX_LISTED),
      );
      return notes.map((note) => ({
        ...note,
        /** Whether it is on this very item. */
        isOnItem: item !== null && note[columns[item.kind]] === itemId,
      }));
    },
  });

/** What the notes on an item hang on: those on a new version on its solution, which outlives it. */
async function noted(db: Client, { kind, id }: NonNullable<NoteSubject['item']>): Promise<string> {
  if (kind !== 'solution') return id;
  return dataOf(await db.from('solutions').select('revises').eq('id', id).maybeSingle())?.revises ?? id;
}

export type Note = Awaited<ReturnType<NonNullable<ReturnType<typeof notesQuery>['queryFn']>>>[number];

/** The kind of item that a note is on; undefined for one on a member. */
export const kindOf = (note: Note): NotedKind | undefined =>
  (Object.keys(columns) as NotedKind[]).find((kind) => note[columns[kind]] !== null);

/** Writes a note on the item, or without one on the member. */
export async function writeNote(db: Client, { item, memberId }: NoteSubject, content: string): Promise<void> {
  const subject = item ? { [columns[item.kind]]: item.id } : { about_id: memberId };
  dataOf(await db.from('staff_notes').insert({ ...subject, content }));
}

/** A note that another one has removed already counts as removed. */
export async function removeNote(db: Client, id: string): Promise<void> {
  dataOf(await db.from('staff_notes').delete().eq('id', id));
}
