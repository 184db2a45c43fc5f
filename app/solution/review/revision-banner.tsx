import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleX, Clock } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { messageOf } from '#app/errors.ts';
import { revisionQuery } from '#app/solution/versions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { discardRevision } from './data.ts';

/** Says above a published solution that a new version of it waits or was rejected, to its author and the moderators. */
export function RevisionBanner({ solutionId, isAuthor }: { solutionId: string; isAuthor: boolean }) {
  const cache = useQueryClient();
  const revision = useQuery(revisionQuery(browserClient, solutionId)).data;
  const [confirming, setConfirming] = useState(false);
  const discard = useMutation({
    mutationFn: async (id: string) => discardRevision(await browserClient(), id),
    onSuccess: async () => {
      setConfirming(false);
      toast({ tone: 'success', title: 'New version discarded' });
      await cache.invalidateQueries({ queryKey: ['solutions'] });
    },
    onError: (error) =>
      toast({ tone: 'error', title: 'The new version couldn’t be discarded', text: messageOf(error, '') }),
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
            <Button size="small" onClick={() => setConfirming(true)}>
              Discard new version
            </Button>
          </>
        )}
      </div>
      {confirming && (
        <ConfirmDialog
          title="Discard new version"
          question="Your changes and the images you added are deleted. The published version stays as it is."
          verb="Discard"
          busy={discard.isPending && 'Discarding'}
          onConfirm={() => discard.mutate(revision.id)}
          onClose={() => setConfirming(false)}
        />
      )}
    </Banner>
  );
}
