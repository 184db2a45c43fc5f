import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember } from '#app/session.ts';
import { browserClient } from '#app/supabase.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { follow, followOf, followsQuery, type Subject, unfollow } from './data.ts';
import { useChangeFollow } from './use-change-follow.ts';

interface FollowButtonProps {
  subject: Subject;
  className: string;
  /** The button's words while the subject is not followed, and while it is. */
  children: ReactNode;
  followed: ReactNode;
}

/** Follows one subject, or ends that. */
export function FollowButton({ subject, className, children, followed }: FollowButtonProps) {
  const member = useMember();
  const signInFirst = useRequireSignIn();
  const own = useQuery({ ...followsQuery(browserClient, member?.id ?? ''), enabled: member != null }).data;
  const existing = followOf(own, subject);
  const change = useChangeFollow();
  const isSearch = 'search' in subject;
  const press = () => {
    if (member)
      return (
        change.isPending ||
        change.mutate(async (db) => {
          if (existing) {
            await unfollow(db, existing.id);
            toast({
              tone: 'success',
              title: isSearch ? 'Search no longer saved' : 'You no longer follow this',
            });
          } else {
            await follow(db, member.id, subject);
            toast({
              tone: 'success',
              title: isSearch ? 'Search saved' : 'You follow this',
              text: isSearch
                ? 'New solutions that it finds appear under “Following”.'
                : 'You’ll find what is new under “Following”.',
            });
          }
        })
      );
    signInFirst('Please sign in to follow');
  };
  return (
    <button type="button" className={className} aria-pressed={existing !== undefined} onClick={press}>
      <span className={existing ? 'icon icon-check' : 'icon icon-plus'} />
      {existing ? followed : children}
    </button>
  );
}
