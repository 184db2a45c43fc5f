import { useState } from 'react';
import { Link } from 'react-router';
import { reasonOr } from '#app/frame/act/use-action.ts';
import { useConfirmedAction } from '#app/frame/act/use-confirmed-action.tsx';
import { AuthorName } from '#app/frame/members/author-name.tsx';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { authorName } from '#app/frame/members/names.ts';
import { RegistrationBadge } from '#app/frame/members/registration-badge.tsx';
import { AudienceLine } from '#app/solution/audience/audience-line.tsx';
import { browserClient } from '#app/supabase.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { Answer } from './answer.tsx';
import { deleteTrial, type Trial } from './data.ts';
import { ResultBadge } from './result-badge.tsx';
import { TrialText } from './trial-text.tsx';

const ReportCaseDialog = lazyDialog(
  () => import('#app/solution/safety-notices/report-case-dialog.tsx'),
  'ReportCaseDialog',
);

interface TrialItemProps {
  trial: Trial;
  /** The solution's title. */
  title: string;
  /** For whom the solution is. */
  audience: string;
  /** Whether there is more than one version that it may be of. */
  hasVersions: boolean;
  /** Whether the reader shared the solution. */
  isAuthor: boolean;
  readerId: string | undefined;
  isModerator: boolean;
}

/** One approved report, with the author's answer and what the reader can do with it. */
export function TrialItem({
  trial,
  title,
  audience,
  hasVersions,
  isAuthor,
  readerId,
  isModerator,
}: TrialItemProps) {
  const [isReporting, setReporting] = useState(false);
  const { writer } = trial;
  const name = authorName(trial.user_id, writer, 'Anonymous');
  const isOwn = readerId !== undefined && readerId === trial.user_id;
  const removal = useConfirmedAction({
    title: 'Delete trial report',
    question: 'Are you sure you want to delete this trial report? This action cannot be undone.',
    verb: 'Delete',
    busy: 'Deleting',
    act: async () => deleteTrial(await browserClient(), trial.id),
    done: 'Trial report deleted',
    failed: reasonOr('Failed to delete the trial report'),
    refresh: [['solutions']],
  });
  return (
    <article>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3>
          <ResultBadge result={trial.result} />
          <span className="sr-only"> for {name}</span>
        </h3>
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-ink-2">
          <MemberAvatar name={name} member={writer} size={32} />
          <AuthorName author={writer} name={name} className="text-ink" />
          <RegistrationBadge member={writer} />
          <span className="text-sm whitespace-nowrap">
            {hasVersions && `Version ${trial.version} · `}
            {formatDay(trial.approved_at ?? trial.created_at)}
          </span>
          <span className="text-sm">
            <AudienceLine audience={trial.audience} within={audience} />
          </span>
        </p>
      </div>
      <TrialText trial={trial} title={title} />
      <Answer
        trial={trial}
        isAuthor={isAuthor}
        isModerator={isModerator}
        actions={
          <>
            {isOwn && (
              <Link
                to={`/solutions/${trial.solution_id}/tried?version=${trial.version}`}
                className="reach text-action"
              >
                <span className="icon icon-edit size-4" />
                Edit
              </Link>
            )}
            {(isOwn || isModerator) && (
              <button type="button" className="reach text-action" onClick={() => removal.ask()}>
                <span className="icon icon-delete size-4" />
                Delete
                <span className="sr-only"> trial report by {name}</span>
              </button>
            )}
            {readerId && !isOwn && (
              <button type="button" className="reach text-action" onClick={() => setReporting(true)}>
                <span className="icon icon-report size-4" />
                Report
                <span className="sr-only"> what {name} wrote</span>
              </button>
            )}
          </>
        }
      />
      {removal.dialog}
      {isReporting && readerId && (
        <ReportCaseDialog
          kind="trial"
          title="Report trial"
          contentId={trial.id}
          reporterId={readerId}
          onClose={() => setReporting(false)}
        />
      )}
    </article>
  );
}
