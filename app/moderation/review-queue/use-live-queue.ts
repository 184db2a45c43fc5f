import { useQueryClient } from '@tanstack/react-query';
import { useRealtime } from '#app/realtime.ts';

/** Reads what waits for moderators again when something arrives or is decided, here or by another moderator. */
export function useLiveQueue(): void {
  const cache = useQueryClient();
  useRealtime(
    'review-queue',
    [
      // Each submission and each decision is one of its rows; a solution itself changes with each like.
      { table: 'solution_reviews', event: 'INSERT' },
      { table: 'resource_suggestions' },
      { table: 'content_reports' },
      { table: 'removal_requests' },
      { table: 'held_posts' },
    ],
    () => {
      for (const part of ['queue', 'suggestions', 'reports', 'removal_requests', 'registrations', 'posts'])
        void cache.invalidateQueries({ queryKey: ['moderation', part] });
    },
  );
}
