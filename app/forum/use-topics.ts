import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type Change, useRealtime } from '#app/realtime.ts';
import { browserClient } from '#app/supabase.ts';
import type { ForumChoice } from './categories.ts';
import { type TopicCard, topicsQuery } from './data.ts';

/** What a change of a row tells of what its card shows; undefined when the card would stand elsewhere. */
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

/** The topics of the list, as they are now. */
export function useTopics(choice: ForumChoice) {
  const cache = useQueryClient();
  const options = topicsQuery(browserClient, choice);
  const query = useInfiniteQuery({ ...options, placeholderData: (before) => before });
  const onChange = (change: Change, readAgain: () => void) => {
    if (change.eventType !== 'UPDATE') return readAgain();
    const row = change.new;
    const cards = cache.getQueryData(options.queryKey)?.pages.flatMap((page) => page.items) ?? [];
    const card = cards.find(({ id }) => id === row.id);
    // Visits and replies change numbers all the time: those are told with the change itself.
    if (!card) return;
    const next = changed(card, row);
    if (!next) return readAgain();
    cache.setQueryData(
      options.queryKey,
      (before) =>
        before && {
          ...before,
          pages: before.pages.map((page) => ({
            ...page,
            items: page.items.map((item) => (item.id === next.id ? next : item)),
          })),
        },
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
