import { CircleX, Clock } from 'lucide-react';
import { Link } from 'react-router';
import type { Solution } from '#app/solution/solutions/data.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';

/** The state of a solution that is not public, in one line, for its author and the moderators. */
export function ReviewBanner({ solution, isAuthor }: { solution: Solution; isAuthor: boolean }) {
  const pending = solution.status === 'pending';
  return (
    <Banner
      tone={pending ? 'amber' : 'red'}
      icon={pending ? Clock : CircleX}
      title={`${solution.revises ? 'New version: ' : ''}${pending ? 'Pending Review.' : 'Rejected.'}`}
      className="mb-6"
    >
      <span dir="auto" className="whitespace-pre-line wrap-anywhere">
        {pending
          ? solution.revises
            ? 'Readers see the published version until a moderator approves this one.'
            : `Only ${isAuthor ? 'you' : 'the author'} and the moderators can see this solution.`
          : solution.rejection_reason}
      </span>
      {solution.revises && (
        <>
          {' '}
          <Link to={`/solutions/${solution.revises}`} className="reach underline underline-offset-4">
            See the published version
          </Link>
        </>
      )}
      {isAuthor && (
        <div className="mt-3">
          <Link
            to={`/upload?solution=${solution.revises ?? solution.id}`}
            className={buttonClass('default', 'small')}
          >
            {pending ? 'Edit' : 'Revise and resubmit'}
          </Link>
        </div>
      )}
    </Banner>
  );
}
