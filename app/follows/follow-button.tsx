import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '#app/errors.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/toast.tsx';
import { follow, followOf, followsQuery, type Subject, unfollow } from './data.ts';

interface FollowButtonProps {
  subject: Subject;
  className: string;
  /** The button's words while the subject is not followed, and while it is. */
  children: ReactNode;
  followed: ReactNode;
}

/** Follows one subject, or ends that. */
export function FollowButton({ subject, className, children, followed }: FollowButtonProps) {
  const cache = useQueryClient();
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const own = useQuery({ ...followsQuery(browserClient, member?.id ?? ''), enabled: member != null }).data;
  const existing = followOf(own, subject);
  const change = useMutation({
    mutationFn: async (memberId: string) => {
      const db = await browserClient();
      await (existing ? unfollow(db, memberId, existing.id) : follow(db, memberId, subject));
      await cache.invalidateQueries({ queryKey: ['follows'] });
    },
    networkMode: 'always',
    onSuccess: () =>
      toast(
        existing
          ? { tone: 'success', title: 'You no longer follow this' }
          : { tone: 'success', title: 'You follow this', text: 'You’ll find what is new under “Following”.' },
      ),
    onError: (error) =>
      toast({
        tone: 'error',
        title: 'Failed to change what you follow',
        text: messageOf(error, 'Please try again'),
      }),
  });
  const press = () => {
    if (member) return change.isPending || change.mutate(member.id);
    toast({ tone: 'error', title: 'Sign in required', text: 'Please sign in to follow' });
    signInFirst();
  };
  return (
    <button type="button" className={className} aria-pressed={existing !== undefined} onClick={press}>
      <span className={existing ? 'icon icon-check' : 'icon icon-plus'} />
      {existing ? followed : children}
    </button>
  );
}
