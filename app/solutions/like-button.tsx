import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Heart } from 'lucide-react';
import { useSession } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { classes } from '#app/ui/classes.ts';
import { toast } from '#app/ui/toasts.tsx';
import { likeQuery, type Solution, setLike, solutionQuery } from './data.ts';

export function LikeButton({ solution }: { solution: Pick<Solution, 'id' | 'likes_count'> }) {
  const cache = useQueryClient();
  const member = useSession()?.member;
  const own = likeQuery(browserClient, solution.id, member?.id ?? '');
  const liked = useQuery({ ...own, enabled: member != null }).data ?? false;

  const paint = (now: boolean) => {
    const { queryKey } = solutionQuery(browserClient, solution.id);
    cache.setQueryData(own.queryKey, now);
    cache.setQueryData(
      queryKey,
      (before) => before && { ...before, likes_count: before.likes_count + (now ? 1 : -1) },
    );
  };
  // Shown at once and taken back when the server refuses.
  const toggle = useMutation({
    mutationFn: async ({ userId, now }: { userId: string; now: boolean }) =>
      setLike(await browserClient(), solution.id, userId, now),
    onMutate: ({ now }) => paint(now),
    onError: (_error, { now }) => {
      paint(!now);
      toast({ tone: 'error', title: 'Failed to update like' });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: own.queryKey }),
  });

  return (
    <button
      type="button"
      aria-pressed={liked}
      className={buttonClass('default', 'normal', 'max-md:flex-1')}
      onClick={() => {
        if (!member)
          toast({ tone: 'error', title: 'Sign in required', text: 'Please sign in to like solutions' });
        else if (!toggle.isPending) toggle.mutate({ userId: member.id, now: !liked });
      }}
    >
      <Heart className={classes('size-5', liked && 'fill-warm text-warm')} strokeWidth={1.75} aria-hidden />
      {solution.likes_count}
      <span className="sr-only">{solution.likes_count === 1 ? ' like' : ' likes'}, like this solution</span>
    </button>
  );
}
