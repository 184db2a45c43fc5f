import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { followQuery, setFollowed } from '#app/community/forum/data.ts';
import { messageOf } from '#app/errors.ts';
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
  const options = followQuery(browserClient, topicId, member?.id ?? '');
  const { data: isFollowed } = useQuery({ ...options, enabled: member !== undefined });
  const change = useMutation({
    mutationFn: async (next: boolean) => setFollowed(await browserClient(), topicId, member?.id ?? '', next),
    onSuccess: (_nothing, next) => {
      cache.setQueryData(options.queryKey, next);
      toast(
        next
          ? { tone: 'success', title: 'You follow this topic', text: 'We’ll notify you of every reply.' }
          : { tone: 'success', title: 'You no longer follow this topic' },
      );
    },
    onError: (error, next) =>
      toast({
        tone: 'error',
        title: next ? 'Failed to follow topic' : 'Failed to unfollow topic',
        text: messageOf(error, '') || undefined,
      }),
  });
  const press = () => {
    if (member) return change.isPending || change.mutate(!isFollowed);
    signInFirst('Please sign in to follow a topic', 'Authentication required');
  };
  return (
    <Button size="small" aria-pressed={isFollowed ?? false} onClick={press}>
      <span className={isFollowed ? 'icon icon-check size-4' : 'icon icon-plus size-4'} />
      {isFollowed ? 'Following' : 'Follow'}
      <span className="sr-only"> this topic</span>
    </Button>
  );
}
