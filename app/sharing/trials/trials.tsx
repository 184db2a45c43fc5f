import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useMember, useViewer } from '#app/session.ts';
import type { Solution } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { PhoneFold } from '#app/ui/states/phone-fold.tsx';
import { ownTrialsQuery, trialsQuery } from './data.ts';
import { tallySentence } from './results.ts';
import { TrialItem } from './trial-item.tsx';

/** The reports of members who tried the solution, and the way to add one. */
export function Trials({ solution }: { solution: Solution }) {
  const member = useMember();
  const viewer = useViewer();
  const trials = useQuery(trialsQuery(browserClient, solution.id));
  const isAuthor = member != null && member.id === solution.user_id;
  return (
    <section id="tried" aria-labelledby="tried-title" className="scroll-mt-12">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="tried-title" className="text-xl">
          Tried by others
        </h2>
        {!isAuthor && (
          <span className="print:hidden">
            <OwnReport solution={solution} userId={member?.id} />
          </span>
        )}
      </div>
      {trials.isError && !trials.data ? (
        <LoadFailed isTold title="Failed to load the trial reports" onRetry={() => void trials.refetch()} />
      ) : trials.data?.length ? (
        <>
          <p className="mt-2 max-w-[66ch] text-ink-2">
            <span className="text-ink">{tallySentence(trials.data)}.</span> This counts reports. It doesn’t
            show how well the solution works, because members choose whether to report.
          </p>
          <PhoneFold
            summary={trials.data.length === 1 ? 'Read the report' : `Read ${trials.data.length} reports`}
            className="mt-4"
          >
            <ul className="divide-y">
              {trials.data.map((trial) => (
                <li key={trial.id} id={`trial-${trial.id}`} className="scroll-mt-12 py-6">
                  <TrialItem
                    trial={trial}
                    title={solution.title}
                    audience={solution.audience}
                    hasVersions={solution.version > 1}
                    isAuthor={isAuthor}
                    readerId={member?.id}
                    isModerator={viewer?.isModerator ?? false}
                  />
                </li>
              ))}
            </ul>
          </PhoneFold>
        </>
      ) : (
        <p className="mt-2 max-w-[66ch] text-ink-2">
          No one has reported on it yet. If you built or fitted it, say how it went. “It did not work” is as
          welcome as “It worked”.
        </p>
      )}
    </section>
  );
}

/** Leads to the form, which has a member's own report where there is one; with the state of that. */
function OwnReport({ solution, userId }: { solution: Solution; userId: string | undefined }) {
  const own = useQuery({
    ...ownTrialsQuery(browserClient, solution.id, userId ?? ''),
    enabled: userId !== undefined,
  }).data;
  const current = own?.find(({ version }) => version === solution.version);
  const rejected = own?.find(({ status }) => status === 'rejected');
  const shown = rejected ?? current;
  const states: Record<string, string> = {
    pending: 'Your trial report is pending review',
    rejected: 'A moderator asked for changes',
  };
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {shown && states[shown.status] && (
        <span className="text-sm text-amber-ink">{states[shown.status]}</span>
      )}
      <Link to={`/solutions/${solution.id}/tried`} className={buttonClass()}>
        {shown ? 'Edit your trial report' : 'I tried this'}
      </Link>
    </span>
  );
}
