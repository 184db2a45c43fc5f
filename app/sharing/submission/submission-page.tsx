import { useQuery } from '@tanstack/react-query';
import { AppWindow, CircleAlert, Clock } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { useSession } from '#app/session.ts';
import { type DraftTarget, draftKey } from '#app/sharing/outbox/draft-key.ts';
import { useSubmitted } from '#app/sharing/outbox/submitted.ts';
import { type PageHandle, pageTitle } from '#app/site.ts';
import { editedQuery, sourceQuery } from '#app/solution/versions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { useTabLock } from '#app/ui/states/use-tab-lock.ts';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { releaseUploadQueues, submissionLimitQuery } from './data.ts';
import { blankDraft, type Draft, draftOf, loadDraftWithFiles } from './draft.ts';
import { SubmissionForm } from './submission-form.tsx';
import { WaitingPanel } from './waiting-panel.tsx';

const title = 'Share Your Prosthetic Solution';

/** It is drawn for everyone alike, without a draft, and is filled in and submitted without a connection: a device keeps it. */
export const handle: PageHandle = { cacheControl: 'private, no-cache' };

export const meta = () => [{ title: pageTitle(title) }, { name: 'robots', content: 'noindex' }];

export default function SubmissionPage() {
  const member = useRequiredMember('Please log in to submit a solution');
  const [params] = useSearchParams();
  const solutionId = params.get('solution');
  const session = useSession();

  return (
    <div className="page pt-4 pb-8 lg:pt-11 lg:pb-16">
      {/* Where the form is in steps, the title of the step is what counts. */}
      <h1 className="text-base text-ink-2 lg:text-3xl lg:text-ink">{title}</h1>
      {session && !member ? (
        <p className="mt-2 text-ink-2">Authentication Required</p>
      ) : (
        <p className="mt-2 text-ink-2 max-lg:hidden">
          Moderators review every submission before it becomes public.
        </p>
      )}
      {member ? (
        <Submission key={`${member.id} ${solutionId}`} target={{ userId: member.id, solutionId }} />
      ) : (
        <FormSkeleton />
      )}
    </div>
  );
}

/** What was submitted of a draft without a connection, if anything. */
const useSubmittedDraft = ({ userId, solutionId }: DraftTarget) =>
  useSubmitted(userId).find(({ target }) => target.solutionId === solutionId);

/** The form; after it was submitted without a connection, what is said of that. */
function Submission({ target }: { target: DraftTarget }) {
  const submitted = useSubmittedDraft(target);
  const isWaiting = submitted?.problem === null;
  const hadForm = useRef(false);
  useEffect(() => {
    if (!isWaiting) hadForm.current = true;
  }, [isWaiting]);
  if (isWaiting) return <WaitingPanel submitted={submitted} takesFocus={hadForm.current} />;
  return (
    <>
      {submitted && (
        <Banner tone="red" icon={CircleAlert} title="This solution wasn’t accepted." className="mt-8">
          {submitted.problem}
        </Banner>
      )}
      <InOneTab target={target} />
    </>
  );
}

function InOneTab({ target }: { target: DraftTarget }) {
  const { hasLock, takeOver } = useTabLock(draftKey(target));
  const isElsewhere = hasLock === false;
  useEffect(() => {
    if (isElsewhere) releaseUploadQueues();
  }, [isElsewhere]);
  if (hasLock === undefined) return <FormSkeleton />;
  if (!hasLock) {
    return (
      <Banner tone="accent" icon={AppWindow} title="This draft is open in another tab." className="mt-8">
        Your changes there are saved.{' '}
        <button type="button" className="reach underline underline-offset-4" onClick={takeOver}>
          Continue here
        </button>
      </Banner>
    );
  }
  return target.solutionId ? (
    <Edit target={target} solutionId={target.solutionId} />
  ) : (
    <NewSubmission target={target} />
  );
}

function NewSubmission({ target }: { target: DraftTarget }) {
  const [base] = useState(blankDraft);
  return <LoadedSubmission target={target} base={base} />;
}

interface LoadedSubmissionProps {
  target: DraftTarget;
  base: Draft;
  /** Whether what is edited is public, and the submission a new version of it. */
  isPublished?: boolean;
}

/** The form with the stored draft, if there is one. */
function LoadedSubmission({ target, base, isPublished = false }: LoadedSubmissionProps) {
  const { data, isPending, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['solution-draft', target, base],
    queryFn: async () => loadDraftWithFiles(await browserClient(), target, base),
    networkMode: 'always',
    staleTime: 'static',
    gcTime: 0,
  });
  const reload = () => {
    releaseUploadQueues();
    void refetch();
  };
  const isNew = target.solutionId === null;
  const [params] = useSearchParams();
  const sourceId = params.get('based-on') ?? '';
  const source = useQuery({ ...sourceQuery(browserClient, sourceId), enabled: isNew && sourceId !== '' });
  const limit = useQuery({ ...submissionLimitQuery(browserClient, target.userId), enabled: isNew });
  // It may have been the reason of a refusal, which the page has said since the form was opened.
  const [refusal] = useState(useSubmittedDraft(target)?.problem);
  // The notice comes with the form, which it would push down later.
  if (isPending || limit.isLoading || source.isLoading) return <FormSkeleton />;
  return (
    <>
      {limit.data && limit.data !== refusal && (
        <Banner tone="amber" icon={Clock} title="You can’t submit another solution yet." className="mt-8">
          {limit.data} You can still fill in the form: it’s saved as a draft.
        </Banner>
      )}
      {data?.isUnchecked && (
        <Banner
          tone="amber"
          icon={CircleAlert}
          title="We couldn’t check for a draft from your other devices."
          className="mt-8"
        >
          If there is one, we’ll ask you which to keep.{' '}
          <button type="button" className="reach underline underline-offset-4" onClick={reload}>
            Try again
          </button>
        </Banner>
      )}
      {/* Begins again with what another try has found. */}
      <SubmissionForm
        key={dataUpdatedAt}
        target={target}
        base={base}
        loaded={data}
        isPublished={isPublished}
        source={source.data ?? null}
        onReload={reload}
      />
    </>
  );
}

/** The edit form of the member's own solution, which sends it to review again. */
function Edit({ target, solutionId }: { target: DraftTarget; solutionId: string }) {
  const { data, isPending, isError, refetch } = useQuery({
    ...editedQuery(browserClient, solutionId, target.userId),
    staleTime: 'static',
  });
  const base = useMemo(() => (data ? draftOf(data) : null), [data]);
  if (isPending) return <FormSkeleton />;
  if (!base || data?.user_id !== target.userId) {
    return isError ? (
      <LoadFailed title="Failed to load solution" onRetry={() => void refetch()} className="mt-8" />
    ) : (
      <p className="mt-8 text-ink-2">We couldn’t find this solution among yours.</p>
    );
  }
  return (
    <>
      {data.status === 'approved' && (
        <Banner tone="amber" icon={Clock} title="This solution is published." className="mt-6">
          Your changes become a new version, which goes to review. Readers see the published version until a
          moderator approves the new one.
        </Banner>
      )}
      {data.revises && data.status === 'pending' && (
        <Banner tone="amber" icon={Clock} title="Your new version is pending review." className="mt-6">
          You can still change it. Readers see the published version until a moderator approves the new one.
        </Banner>
      )}
      {data.status === 'rejected' && (
        <Banner tone="red" icon={Clock} title="A moderator asked for changes:" className="mt-6">
          {data.rejection_reason}
        </Banner>
      )}
      <LoadedSubmission
        target={target}
        base={base}
        isPublished={data.status === 'approved' || data.revises !== null}
      />
    </>
  );
}

function FormSkeleton() {
  return (
    <div className="mt-3 flex max-w-[640px] flex-col gap-7 lg:mt-8 lg:ms-[272px]">
      <Skeleton className="h-7 w-40" />
      <Skeleton className="h-20" />
      <Skeleton className="h-44" />
      <Skeleton className="h-20" />
    </div>
  );
}
