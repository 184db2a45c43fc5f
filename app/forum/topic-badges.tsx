import { Lock, Pin } from 'lucide-react';
import { Badge } from '#app/ui/badge.tsx';

/** Whether a topic is pinned or locked. */
export function TopicBadges({ topic }: { topic: { is_pinned: boolean; is_locked: boolean } }) {
  return (
    <>
      {topic.is_pinned && (
        <Badge tone="warm">
          <Pin aria-hidden />
          Pinned
        </Badge>
      )}
      {topic.is_locked && (
        <Badge>
          <Lock aria-hidden />
          Locked
        </Badge>
      )}
    </>
  );
}
