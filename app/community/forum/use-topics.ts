import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { withItems } from '#app/frame/page/pages.ts';
import { type Change, useRealtime } from '#app/realtime.ts';
import { browserClient } from '#app/supabase.ts';
import type { ForumChoice } from './categories.ts';
import { type TopicCard, topicsQuery } from './data.ts';

/** The fields of a topic's card after a change of its row; undefined when the card would move in the list. */
function changed(card: TopicCard, row: Record<string, unknown>): TopicCard | undefined {
  const { title, category, is_pinned, is_locked, views_count, posts_count } = row;
  if (is_pinned !== card.is_pinned || category !== card.category) return undefined;
  return {
    ...card,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof is_locked === 'boolean' ? { is_locked } : {}),
    ...(typeof views_count === 'number' ? { views_count } : {}),
    ...(typeof posts_count === 'number' ? { posts_count } : {}),
  };
}

/** The topics of the list, kept up to date. */
export function useTopics(choice: ForumChoice) {
  const cache = useQueryClient();
  const options = topicsQuery(browserClient, choice);
  const query = useInfiniteQuery({ ...options, placeholderData: (before) => before });
  const onChange = (change: Change, readAgain: () => void) => {
    if (change.eventType !== 'UPDATE') return readAgain();
    const row = change.new;
    const cards = cache.getQueryData(options.queryKey)?.pages.flatMap((page) => page.items) ?? [];
    const card = cards.find(({ id }) => id === row.id);
    // Visits and replies change the counts all the time, so the change event itself carries the numbers.
    if (!card) return;
    const next = changed(card, row);
    if (!next) return readAgain();
    cache.setQueryData(
      options.queryKey,
      (before) => before && withItems(before, (item) => (item.id === next.id ? next : item)),
    );
  };
  useRealtime(
    'forum',
    [{ table: 'forum_topics' }],
    () => void cache.invalidateQueries({ queryKey: ['forum', 'topics'] }),
    onChange,
  );
  return query;
}
