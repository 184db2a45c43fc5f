import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { authorName } from '#app/frame/members/names.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Dialog } from '#app/ui/surfaces/dialog.tsx';
import { follow, followOf, followsQuery, type Subject, tagSubject, unfollow } from './data.ts';
import { useChangeFollow } from './use-change-follow.ts';

interface FollowDialogProps {
  memberId: string;
  solution: Solution;
  onClose: () => void;
}

/** The subjects that a solution's page offers to follow: the solution, its author, its tags. */
export function FollowDialog({ memberId, solution, onClose }: FollowDialogProps) {
  const own = useQuery(followsQuery(browserClient, memberId));
  const { author } = solution;
  const subjects: [label: string, Subject][] = [
    ['This solution', { solution_id: solution.id }],
    ...(author && author.id !== memberId
      ? [[`Solutions by ${authorName(author.id, author)}`, { member_id: author.id }] as [string, Subject]]
      : []),
    ...solution.custom_tags.map((tag): [string, Subject] => [`Tag: ${tag}`, tagSubject(tag)]),
  ];
  const change = useChangeFollow();
  return (
    <Dialog
      onClose={onClose}
      onSubmit={onClose}
      title="Follow"
      description="We’ll tell you about safety notices straight away. Everything else is under “Following” and in the weekly digest, if you turn it on."
      actions={
        <>
          <Link to="/following" className="link self-center">
            View what you follow
          </Link>
          <Button type="submit" variant="primary">
            Done
          </Button>
        </>
      }
    >
      <div className="mt-5">
        {own.isError ? (
          <LoadFailed title="Failed to load what you follow" onRetry={() => void own.refetch()} />
        ) : own.isPending ? (
          <Skeleton className="h-11" />
        ) : (
          <fieldset>
            <legend className="sr-only">What to follow</legend>
            {subjects.map(([label, subject]) => {
              const id = followOf(own.data, subject)?.id;
              return (
                <Checkbox
                  key={label}
                  checked={id !== undefined}
                  onChange={() =>
                    change.isPending ||
                    change.mutate((db) => (id ? unfollow(db, id) : follow(db, memberId, subject)))
                  }
                >
                  <bdi className="wrap-anywhere">{label}</bdi>
                </Checkbox>
              );
            })}
          </fieldset>
        )}
      </div>
    </Dialog>
  );
}
