import { unwrap } from '#app/errors.ts';
import { type Author, authorName } from '#app/frame/members/names.ts';
import type { Client } from '#app/supabase.ts';
import { cutText } from '../../../texts/cut-text.ts';

/** The subject of a report. */
export interface ReportedContent {
  /** A title, or the first 50 characters of a text. */
  preview: string;
  isTitled: boolean;
  /** The whole text; null where the preview is all. */
  text: string | null;
  /** The language of both; null where none is said. */
  language: string | null;
  /** The title of the topic or solution in which it stands. */
  context: string | null;
  createdAt: string | null;
  authorId: string | null;
  authorName: string;
  /** The path to read it in its context. */
  href: string;
  /** The topic or solution that contains it, to which its author's notification leads after the deletion. */
  within: { forum_topic_id: string } | { solution_id: string } | null;
}

/** A moderator's deletion of what was reported. */
export interface Removal {
  /** What is said before. */
  warning: string;
  /** The subject of a message to the author. */
  subject: string;
  /**
   * @param reason for the address of a solution, one of `withdrawalReasons`
   * @returns whether it was there; what is deleted already is no failure, so that an interrupted deletion can be repeated
   * @throws when it could not be deleted; nothing has changed then
   */
  remove: (db: Client, id: string, reason: string) => Promise<boolean>;
}

/** The first 50 characters, with an ellipsis when there are more. */
function previewOf(text: string): string {
  const whole = text.replace(/\s+/g, ' ').trim();
  const cut = cutText(whole, 50);
  return cut === whole ? whole : `${cut}…`;
}

interface Written {
  text: string;
  language: string;
  created_at: string;
  user_id: string | null;
  author: Author | null;
}

/** What a report says of a text without a title. */
export const writtenContent = ({ text, language, created_at, user_id, author }: Written) => ({
  preview: previewOf(text),
  isTitled: false,
  text,
  language,
  createdAt: created_at,
  authorId: user_id,
  authorName: authorName(user_id, author),
});

/** What a report says of a page with a title. */
export const titledContent = ({
  title,
  ...row
}: Omit<Written, 'text'> & { title: string; text: string | null }) => ({
  ...writtenContent({ ...row, text: row.text ?? '' }),
  preview: title,
  isTitled: true,
  text: row.text,
  context: null,
  within: null,
});

/** Where what hangs on a solution stands. */
export const onSolution = (
  row: { solution_id: string; solution: { title: string } | null },
  place: string,
): Pick<ReportedContent, 'href' | 'context' | 'within'> => ({
  href: `/solutions/${row.solution_id}${place}`,
  context: row.solution?.title ?? null,
  within: { solution_id: row.solution_id },
});

/** Deletes a row that moderators may delete. */
export const removeFrom =
  (table: 'forum_topics' | 'forum_posts' | 'solution_translations' | 'solution_trials') =>
  async (db: Client, id: string): Promise<boolean> => {
    const rows = db.from(table);
    if (unwrap(await rows.delete().eq('id', id).select('id')).length > 0) return true;
    if (unwrap(await rows.select('id').eq('id', id)).length > 0) throw new Error('you may not delete it');
    return false;
  };
