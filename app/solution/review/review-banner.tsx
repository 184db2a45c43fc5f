import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { typicalReviewTimeQuery } from './data.ts';

/** The state of a solution that is not public, in one line, for its author and the moderators. */
export function ReviewBanner({ solution, isAuthor }: { solution: Solution; isAuthor: boolean }) {
  const pending = solution.status === 'pending';
  return (
    <Banner
      tone={pending ? 'amber' : 'red'}
      icon={pending ? 'icon-clock' : 'icon-rejected'}
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
      {pending && isAuthor && (
        <span className="block">
          <ReviewWait since={solution.submitted_at} />
        </span>
      )}
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

/** Tells how long a solution has waited for its review, and how long most wait where enough were decided. */
export function ReviewWait({ since }: { since: string }) {
  const ago = useRelativeTime(since);
  const usual = useQuery(typicalReviewTimeQuery(browserClient)).data;
  return (
    <>
      Submitted {ago}.
      {usual &&
        (Date.now() - Date.parse(since) > usual * 3_600_000
          ? ` Most are reviewed within ${formatDuration(usual)}; this one is taking longer.`
          : ` Usually reviewed within ${formatDuration(usual)}.`)}
    </>
  );
}

function formatDuration(hours: number): string {
  if (hours === 1) return 'an hour';
  return hours <= 48 ? `${hours} hours` : `${Math.ceil(hours / 24)} days`;
}
