import { unwrap } from '#app/errors.ts';
import type { Kind } from '#app/frame/kinds/kind.ts';
import { removeFrom, titledContent, writtenContent } from '#app/frame/kinds/reported.ts';
import { authorColumns } from '#app/frame/members/names.ts';

export const topic = {
  reported: {
    kind: 'topic',
    name: 'Forum topic',
    async read(db, id) {
      const [row] = unwrap(
        await db
          .from('forum_topics')
          .select(
            `title,text:description,language,summary,created_at,user_id,author:profiles!forum_topics_user_id_fkey(${authorColumns})`,
          )
          .eq('id', id),
      );
      if (!row) return null;
      const text = row.summary ? `${row.text ?? ''}\n\nSummary: ${row.summary}`.trim() : row.text;
      return { ...titledContent({ ...row, text }), href: `/forum/${id}` };
    },
    removal: {
      warning: 'The forum topic and all of its replies will be permanently deleted and its reports closed.',
      subject: 'Your forum topic was removed',
      remove: removeFrom('forum_topics'),
    },
  },
  acts: {
    topic_changed: 'Topic pinned or locked',
    topic_deleted: 'Topic deleted',
    answer_unmarked: 'Mark of a helpful answer removed',
    topic_summary_written: 'Summary of a topic written',
    topic_summary_removed: 'Summary of a topic removed',
  },
  target: { type: 'topic', path: '/forum/' },
} satisfies Kind;

export const reply = {
  reported: {
    kind: 'post',
    name: 'Forum reply',
    async read(db, id) {
      const [row] = unwrap(
        await db
          .from('forum_posts')
          .select(
            `text:content,language,created_at,topic_id,topic:forum_topics(title),user_id,author:profiles!forum_posts_user_id_fkey(${authorColumns})`,
          )
          .eq('id', id),
      );
      return row
        ? {
            ...writtenContent(row),
            href: `/forum/${row.topic_id}?post=${id}`,
            context: row.topic?.title ?? null,
            within: { forum_topic_id: row.topic_id },
          }
        : null;
    },
    removal: {
      warning: 'The forum post will be permanently deleted and its reports closed.',
      subject: 'Your forum post was removed',
      remove: removeFrom('forum_posts'),
    },
  },
  acts: { post_deleted: 'Forum reply deleted' },
  target: { type: 'post', name: 'forum reply' },
} satisfies Kind;
