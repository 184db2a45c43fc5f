import { Badge } from '#app/ui/surfaces/badge.tsx';

interface TopicBadgesProps {
  topic: { is_pinned: boolean; is_locked: boolean; is_answered: boolean };
}

/** Whether a topic is pinned, locked or answered. */
export function TopicBadges({ topic }: TopicBadgesProps) {
  return (
    <>
      {topic.is_pinned && (
        <Badge tone="warm" className="with-icon icon-pin before:size-4">
          Pinned
        </Badge>
      )}
      {topic.is_answered && (
        <Badge tone="ok" className="with-icon icon-check before:size-4">
          Answered
        </Badge>
      )}
      {topic.is_locked && <Badge className="with-icon icon-lock before:size-4">Locked</Badge>}
    </>
  );
}
