import { useQuery } from '@tanstack/react-query';
import { CircleX, Clock } from 'lucide-react';
import { Link } from 'react-router';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { revisionQuery } from '#app/solution/versions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { discardRevision } from './data.ts';

/** Says above a published solution that a new version of it waits or was rejected, to its author and the moderators. */
export function RevisionBanner({ solutionId, isAuthor }: { solutionId: string; isAuthor: boolean }) {
  const revision = useQuery(revisionQuery(browserClient, solutionId)).data;
  const discard = useConfirmedAction({
    title: 'Discard new version',
    question: 'Your changes and the images you added are deleted. The published version stays as it is.',
    verb: 'Discard',
    busy: 'Discarding',
    act: async (id: string) => discardRevision(await browserClient(), id),
    done: 'New version discarded',
    failed: 'The new version couldn’t be discarded',
    refresh: [['solutions']],
  });
  if (!revision) return null;
  const isPending = revision.status === 'pending';
  const whose = isAuthor ? 'Your new version' : 'A new version';
  return (
    <Banner
      tone={isPending ? 'amber' : 'red'}
      icon={isPending ? Clock : CircleX}
      title={isPending ? `${whose} is pending review.` : `${whose} was rejected.`}
      className="mb-6 print:hidden"
    >
      <span dir="auto" className="whitespace-pre-line wrap-anywhere">
        {isPending ? 'Readers see this version until a moderator approves it.' : revision.rejection_reason}
      </span>
      <div className="mt-3 flex flex-wrap gap-2">
        <Link to={`/solutions/${revision.id}`} className={buttonClass('default', 'small')}>
          View new version
        </Link>
        {isAuthor && (
          <>
            <Link to={`/upload?solution=${solutionId}`} className={buttonClass('default', 'small')}>
              {isPending ? 'Edit' : 'Revise and resubmit'}
            </Link>
            <Button size="small" onClick={() => discard.ask(revision.id)}>
              Discard new version
            </Button>
          </>
        )}
      </div>
      {discard.dialog}
    </Banner>
  );
}
