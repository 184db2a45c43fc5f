import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Clock } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { type OwnTrial, ownTrialsQuery } from '#app/sharing/trials/data.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { type Solution, solutionQuery } from '#app/solution/solutions/data.ts';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { browserClient } from '#app/supabase.ts';
import { TitleLink } from '#app/ui/languages/title-link.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import type { Route } from './+types/trial-page.ts';
import { TrialForm } from './trial-form.tsx';

const title = 'I tried this';

export const handle = CLOSED;

export const meta = () => [{ title: pageTitle(title) }, { name: 'robots', content: 'noindex' }];

/** The form in which a member reports how a solution went for them. */
export default function TrialPage({ params: { id } }: Route.ComponentProps) {
  const member = useRequiredMember('Please sign in to report a trial');
  return (
    <div className="page pt-8 pb-16 md:pt-11">
      <div className="max-w-[640px]">
        <h1 className="text-2xl md:text-3xl">{title}</h1>
        {member ? <Report key={member.id} solutionId={id} userId={member.id} /> : <FormSkeleton />}
      </div>
    </div>
  );
}

function Report({ solutionId, userId }: { solutionId: string; userId: string }) {
  const solution = useQuery(solutionQuery(browserClient, solutionId));
  const own = useQuery({ ...ownTrialsQuery(browserClient, solutionId, userId), staleTime: 'static' });
  if (solution.isError || own.isError)
    return (
      <div className="mt-6">
        <LoadFailed
          isTold
          title="Failed to load solution"
          onRetry={() => void (solution.isError ? solution : own).refetch()}
        />
      </div>
    );
  // What is not found may be found for this member still.
  if (!solution.data && solution.isFetching) return <FormSkeleton />;
  if (solution.isPending || own.isPending) return <FormSkeleton />;
  if (solution.data?.status !== 'approved')
    return <p className="mt-4 text-ink-2">We couldn’t find a published solution at this address.</p>;
  return (
    <>
      <SafetyMark kind={solution.data.safety_kind} className="mt-3" />
      <p className="mt-2 text-ink-2">
        Report on{' '}
        <TitleLink
          to={`/solutions/${solutionId}`}
          title={solution.data.title}
          language={solution.data.language}
        />
      </p>
      {solution.data.user_id === userId ? (
        <p className="mt-6">This is your own solution. Other members report how it went for them.</p>
      ) : (
        <ChosenReport solution={solution.data} own={own.data} userId={userId} />
      )}
    </>
  );
}

interface ChosenReportProps {
  solution: Solution;
  own: OwnTrial[];
  userId: string;
}

/** A new report, or the member's own of the version that the address names, of one sent back, or of the current version. */
function ChosenReport({ solution, own, userId }: ChosenReportProps) {
  const [params] = useSearchParams();
  const requested = Number(params.get('version'));
  const edited =
    own.find(({ version }) => version === requested) ??
    own.find(({ status }) => status === 'rejected') ??
    own.find(({ version }) => version === solution.version);
  return (
    <>
      <p className="mt-4 max-w-[66ch]">
        Tell colleagues how it went when you built or fitted it. <strong>“It did not work”</strong> is as
        welcome as “It worked”: it saves the next patient the same attempt. A moderator reads every report
        before it becomes public.
        {solution.audience !== 'public' &&
          ' Anyone who can see this solution can then read it. If the solution is shown to more people later, they can read it too.'}
      </p>
      {edited?.status === 'pending' && (
        <Banner tone="amber" icon={Clock} title="Your trial report is pending review." className="mt-6">
          You can still change it.
        </Banner>
      )}
      {edited?.status === 'approved' && (
        <Banner tone="amber" icon={Clock} title="Your trial report is public." className="mt-6">
          If you change it, it goes back to review. Until a moderator approves it, readers don’t see it and it
          isn’t counted.
        </Banner>
      )}
      {edited?.status === 'rejected' && (
        <Banner tone="red" icon={CircleAlert} title="A moderator asked for changes:" className="mt-6">
          {edited.rejection_reason}
        </Banner>
      )}
      <TrialForm
        solution={solution}
        edited={edited}
        taken={own.map(({ version }) => version)}
        userId={userId}
      />
    </>
  );
}

function FormSkeleton() {
  return (
    <div className="mt-8 flex flex-col gap-7">
      <Skeleton className="h-32" />
      <Skeleton className="h-20" />
      <Skeleton className="h-44" />
    </div>
  );
}
