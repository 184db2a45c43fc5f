import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { isLimit, messageOf } from '#app/errors.ts';
import { ownMarksQuery } from '#app/people/collections/data.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { asMember, useMember } from '#app/session.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { takeBack, toast } from '#app/ui/surfaces/toast.tsx';
import { setLike } from './data.ts';

interface LikeButtonProps {
  solution: Pick<Solution, 'id' | 'likes_count'>;
  /** Reads the counts again. */
  refresh: () => Promise<void>;
}

/** The number of likes; a press gives the member’s own or takes it back, and sends a visitor to sign in. */
export function LikeButton({ solution, refresh }: LikeButtonProps) {
  const cache = useQueryClient();
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const own = ownMarksQuery(browserClient, member?.id ?? '', solution.id);
  const marks = useQuery({ ...own, enabled: member != null }).data;
  // A second click can come before the first has been drawn.
  const busy = useRef(false);

  // Shown at once, and no longer when it does not reach the server.
  const toggle = useMutation({
    mutationFn: ({ userId, now }: { userId: string; now: boolean; count: number }) =>
      asMember(async () => setLike(await browserClient(), solution.id, userId, now)),
    onMutate: () => cache.cancelQueries({ queryKey: own.queryKey }),
    onError: (error) => {
      toast({
        tone: 'error',
        title: 'Failed to update like',
        text: isLimit(error) ? messageOf(error, '') : undefined,
      });
    },
    onSuccess: () => takeBack('Failed to update like'),
    onSettled: async (_result, error) => {
      busy.current = false;
      const reading = Promise.all([refresh(), cache.invalidateQueries({ queryKey: own.queryKey })]);
      // A failure is taken back at once, also where no answer comes.
      if (!error) await reading;
    },
  });

  const liked = toggle.isPending ? toggle.variables.now : (marks?.isLiked ?? false);
  // Live news of the press before this one would show its number again for a moment.
  const count = toggle.isPending ? toggle.variables.count : solution.likes_count;
  return (
    <button
      type="button"
      aria-pressed={liked}
      className={buttonClass('default', 'normal', 'max-md:flex-1 max-md:px-2 print:hidden')}
      onClick={() => {
        if (!member) {
          signInFirst('Please sign in to like solutions');
        } else if (!busy.current) {
          busy.current = true;
          // Until the present state is known, the button shows none and gives one, which counts once.
          toggle.mutate({ userId: member.id, now: !liked, count: solution.likes_count + (liked ? -1 : 1) });
        }
      }}
    >
      <span className={liked ? 'icon icon-heart-full text-warm' : 'icon icon-heart'} />
      {count}
      <span className="sr-only">{count === 1 ? ' like' : ' likes'}, like this solution</span>
    </button>
  );
}
