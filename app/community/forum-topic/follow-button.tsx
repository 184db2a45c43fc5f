import { useQuery } from '@tanstack/react-query';
import { useAction } from '#app/frame/act/use-action.ts';
import { follow, topicFollowQuery, unfollow } from '#app/people/follows/data.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';

/** Has the member notified of every reply to the topic, or no longer. */
export function FollowButton({ topicId }: { topicId: string }) {
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const { data: followId } = useQuery({
    ...topicFollowQuery(browserClient, member?.id ?? '', topicId),
    enabled: member !== undefined,
  });
  const isFollowed = followId != null;
  const change = useAction({
    act: async (existing: string | null) => {
      const db = await browserClient();
      if (existing) await unfollow(db, existing);
      else if (member) await follow(db, member.id, { topic_id: topicId });
    },
    done: (_nothing, existing) =>
      existing
        ? 'You no longer follow this topic'
        : { title: 'You follow this topic', text: 'We’ll notify you of every reply.' },
    failed: (_error, existing) => (existing ? 'Failed to unfollow topic' : 'Failed to follow topic'),
    refresh: [['follows']],
  });
  const press = () => {
    if (member) return change.isPending || change.mutate(followId ?? null);
    signInFirst('Please sign in to follow a topic', 'Authentication required');
  };
  return (
    <Button size="small" aria-pressed={isFollowed} onClick={press}>
      <span className={isFollowed ? 'icon icon-check size-4' : 'icon icon-plus size-4'} />
      {isFollowed ? 'Following' : 'Follow'}
      <span className="sr-only"> this topic</span>
    </Button>
  );
}
