import { unwrap } from '#app/errors.ts';
import type { Kind } from '#app/frame/kinds/kind.ts';
import { onSolution, writtenContent } from '#app/frame/kinds/reported.ts';
import { authorColumns } from '#app/frame/members/names.ts';
import type { Client } from '#app/supabase.ts';
import { commentAnchor } from './anchors.ts';

/** A comment with replies leaves an empty place behind, which does not count. */
const standing = (db: Client, id: string) =>
  db.from('comments').select('id').eq('id', id).is('deleted_at', null);

export const comment = {
  reported: {
    kind: 'comment',
    name: 'Comment',
    async read(db, id) {
      const [row] = unwrap(
        await db
          .from('comments')
          .select(
            `text:content,language,created_at,solution_id,solution:solutions(title),user_id,author:profiles!comments_user_id_fkey(${authorColumns})`,
          )
          .is('deleted_at', null)
          .eq('id', id),
      );
      return row ? { ...writtenContent(row), ...onSolution(row, `#${commentAnchor(id)}`) } : null;
    },
    removal: {
      warning: 'The comment will be permanently deleted and its reports closed.',
      subject: 'Your comment was removed',
      async remove(db, id) {
        if (unwrap(await db.from('comments').delete().eq('id', id).select('id')).length > 0) return true;
        if (unwrap(await standing(db, id)).length > 0) throw new Error('you may not delete it');
        return false;
      },
    },
  },
  acts: { comment_deleted: 'Comment deleted' },
} satisfies Kind;
