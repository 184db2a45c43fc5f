import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Post,
  postsAfter,
  postsQuery,
  readPost,
  type Topic,
  topicQuery,
} from '#app/community/forum/data.ts';
import { withItems } from '#app/frame/page/pages.ts';
import { type Change, useRealtime } from '#app/realtime.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';

/** The loaded replies of a topic, the new ones since, and the topic's own changes. */
export function usePosts(topicId: string, at: string | null) {
  const cache = useQueryClient();
  const memberId = useMember()?.id;
  const options = postsQuery(browserClient, topicId, at);
  const topic = topicQuery(browserClient, topicId);
  const query = useInfiniteQuery(options);
  const [news, setNews] = useState<string[]>([]);

  const change = (id: string, next: (post: Post) => Post) =>
    cache.setQueryData(
      options.queryKey,
      (before) => before && withItems(before, (post) => (post.id === id ? next(post) : post)),
    );

  /** Adds the replies written since, where the end of the topic is shown; returns whether it is. */
  const catchUp = async (): Promise<boolean> => {
    const last = cache.getQueryData(options.queryKey)?.pages.at(-1);
    if (!last || last.next_cursor) return false;
    const nextPage = await postsAfter(await browserClient(), topicId, last.items.at(-1));
    let added: Post[] = [];
    cache.setQueryData(options.queryKey, (before) => {
      const end = before?.pages.at(-1);
      if (!before || !end) return before;
      const loadedIds = new Set(before.pages.flatMap((page) => page.items.map(({ id }) => id)));
      added = nextPage.items.filter(({ id }) => !loadedIds.has(id));
      const items = [...end.items, ...added];
      return {
        ...before,
        pages: [...before.pages.slice(0, -1), { ...end, items, next_cursor: nextPage.next_cursor }],
      };
    });
    const others = added.filter(({ user_id }) => user_id !== memberId).map(({ id }) => id);
    if (others.length > 0) setNews((before) => [...before, ...others]);
    return true;
  };
  // Without an answer the reader simply does not see the new replies yet.
  const quietly = (work: Promise<unknown>) => void work.catch(() => undefined);

  const remove = (id: string) => {
    change(id, (post) => ({ ...post, removed: true }));
    setNews((before) => before.filter((other) => other !== id));
  };
  const reread = async (id: string) => {
    const post = await readPost(await browserClient(), topicId, id);
    if (post) change(id, () => post);
  };
  const onChange = (event: Change) => {
    const row = event.eventType === 'DELETE' ? event.old : event.new;
    const id = typeof row.id === 'string' ? row.id : '';
    if (event.table === 'forum_posts') {
      if (event.eventType === 'DELETE') remove(id);
      else quietly(event.eventType === 'INSERT' ? catchUp() : reread(id));
    } else if (id === topicId) {
      if (event.eventType === 'DELETE') return cache.setQueryData(topic.queryKey, null);
      const currentTopic = cache.getQueryData(topic.queryKey);
      // Visits and replies change the counts all the time, so the change event itself carries the numbers.
      if (currentTopic && saysTheSame(currentTopic, row))
        cache.setQueryData(topic.queryKey, withNumbers(currentTopic, row));
      else void cache.invalidateQueries({ queryKey: topic.queryKey });
    }
  };
  useRealtime(
    `topic:${topicId}`,
    [
      { table: 'forum_posts', event: 'INSERT', filter: `topic_id=eq.${topicId}` },
      { table: 'forum_posts', event: 'UPDATE', filter: `topic_id=eq.${topicId}` },
      { table: 'forum_topics', event: 'UPDATE', filter: `id=eq.${topicId}` },
      // A deletion event carries only the row's id, which no filter can match.
      { table: 'forum_posts', event: 'DELETE' },
      { table: 'forum_topics', event: 'DELETE' },
    ],
    () => {
      void cache.invalidateQueries({ queryKey: topic.queryKey });
      quietly(catchUp());
    },
    onChange,
  );
  return { query, news, clearNews: () => setNews([]), catchUp, reread, remove };
}

/** Whether a change of the topic’s row left its texts, its images and its answer as they are shown. */
const saysTheSame = (topic: Topic, row: Record<string, unknown>): boolean =>
  row.edited_at === topic.edited_at &&
  row.summary_at === topic.summary_at &&
  row.images_hidden_at === topic.images_hidden_at &&
  // A change event carries no hidden images; when they are removed or shown again, nothing is hidden any more.
  (typeof row.images_hidden_at === 'string' ||
    (Array.isArray(row.shown_images) && row.shown_images.length === topic.images.length)) &&
  row.answer_id === (topic.answer?.id ?? null);

function withNumbers(topic: Topic, row: Record<string, unknown>): Topic {
  const { is_pinned, is_locked, views_count, posts_count } = row;
  return {
    ...topic,
    ...(typeof is_pinned === 'boolean' ? { is_pinned } : {}),
    ...(typeof is_locked === 'boolean' ? { is_locked } : {}),
    ...(typeof views_count === 'number' ? { views_count } : {}),
    ...(typeof posts_count === 'number' ? { posts_count } : {}),
  };
}
