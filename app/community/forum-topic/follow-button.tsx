import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '#app/errors.ts';
import { follow, topicFollowQuery, unfollow } from '#app/people/follows/data.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';

/** Has the member notified of every reply to the topic, or no longer. */
export function FollowButton({ topicId }: { topicId: string }) {
  const cache = useQueryClient();
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const { data: followId } = useQuery({
    ...topicFollowQuery(browserClient, member?.id ?? '', topicId),
    enabled: member !== undefined,
  });
  const isFollowed = followId != null;
  const change = useMutation({
    mutationFn: async (memberId: string) => {
      const db = await browserClient();
      await (followId ? unfollow(db, followId) : follow(db, memberId, { topic_id: topicId }));
      await cache.invalidateQueries({ queryKey: ['follows'] });
      toast(
        followId
          ? { tone: 'success', title: 'You no longer follow this topic' }
          : { tone: 'success', title: 'You follow this topic', text: 'We’ll notify you of every reply.' },
      );
    },
    onError: (error) =>
      toast({
        tone: 'error',
        title: followId ? 'Failed to unfollow topic' : 'Failed to follow topic',
        text: messageOf(error, '') || undefined,
      }),
  });
  const press = () => {
    if (member) return change.isPending || change.mutate(member.id);
    toast({ tone: 'error', title: 'Authentication required', text: 'Please sign in to follow a topic' });
    signInFirst();
  };
  return (
    <Button size="small" aria-pressed={isFollowed} onClick={press}>
      <span className={isFollowed ? 'icon icon-check size-4' : 'icon icon-plus size-4'} />
      {isFollowed ? 'Following' : 'Follow'}
      <span className="sr-only"> this topic</span>
    </Button>
  );
}
