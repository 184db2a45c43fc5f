import { Badge } from '#app/ui/surfaces/badge.tsx';

/** Whether a topic is pinned or locked. */
export function TopicBadges({ topic }: { topic: { is_pinned: boolean; is_locked: boolean } }) {
  return (
    <>
      {topic.is_pinned && (
        <Badge tone="warm" className="with-icon icon-pin before:size-4">
          Pinned
        </Badge>
      )}
      {topic.is_locked && <Badge className="with-icon icon-lock before:size-4">Locked</Badge>}
    </>
  );
}
