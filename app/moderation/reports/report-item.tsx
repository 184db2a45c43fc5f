import { useQuery } from '@tanstack/react-query';
import { Link2Off, MessageSquareReply, Trash2, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { ReportedImages } from '#app/community/post-images/reported-images.tsx';
import type { ReportedContent } from '#app/frame/kinds/reported.ts';
import { authorName } from '#app/frame/members/names.ts';
import { reportedKinds } from '#app/kinds.ts';
import { SanctionButton } from '#app/moderation/member-management/sanction-button.tsx';
import { useMember } from '#app/session.ts';
import { DecisionBar } from '#app/solution/review/decision-bar.tsx';
import { solutionQuery } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { ConfirmDialog } from '#app/ui/surfaces/lazy-confirm-dialog.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { RichText } from '#app/ui/texts/rich-text.tsx';
import { earlierReportsQuery, type Report } from './data.ts';
import { ReportedMessageText } from './reported-message.tsx';
import { ReportedSolution, ReportedTrial } from './reported-whole.tsx';
import { useCloseReport } from './use-close-report.ts';

const RespondDialog = lazyDialog(() => import('./respond-dialog.tsx'), 'RespondDialog');

const StopSharingDialog = lazyDialog(() => import('./stop-sharing-dialog.tsx'), 'StopSharingDialog');

const SafetyDialog = lazyDialog(
  () => import('#app/solution/safety-notices/safety-dialog.tsx'),
  'SafetyDialog',
);

const DeleteDialog = lazyDialog(() => import('./delete-dialog.tsx'), 'DeleteDialog');

/** The subject of a report; undefined until it is loaded, null when it is gone. */
type Details = ReportedContent | null | 'failed' | undefined;

interface ReportItemProps {
  report: Report;
  details: Details;
  onRetry: () => void;
}

/** A report: its reason, the whole of what was reported, and the decision on it. */
export function ReportItem({ report, details, onRetry }: ReportItemProps) {
  const [responding, setResponding] = useState(false);
  const [dismissing, setDismissing] = useState(false);
  /**
   * The content to delete, as it was when the dialog opened: the message to its author still needs it after
   * the deletion.
   */
  const [deleting, setDeleting] = useState<{ reported: ReportedContent | undefined }>();
  const [unsharing, setUnsharing] = useState<ReportedContent>();
  const [isWarning, setWarning] = useState(false);
  const ago = useRelativeTime(report.created_at);
  const dismissal = useCloseReport(() => setDismissing(false));
  const { content_type: kind } = report;
  const { name: label = kind, removal } = reportedKinds.get(kind) ?? {};
  const reported = (details !== 'failed' && details) || undefined;
  const isKnown = details !== undefined && details !== 'failed';
  const moderator = useMember();
  const solution = useReportedSolution(report, reported);
  return (
    <>
      <article aria-label={`Report: ${report.reason}`}>
        <section aria-label="Report" className="border-s-2 border-amber ps-4">
          <h2 className="text-sm text-ink-3">
            Reported {ago} by <bdi dir="auto">{authorName(report.reporter_id, report.reporter)}</bdi>
          </h2>
          <p {...asWritten(report.reason)} className="mt-1 text-lg whitespace-pre-line wrap-anywhere">
            {report.reason}
          </p>
          {report.shows_patient && <p className="mt-1 font-bold text-red-ink">A patient can be recognised</p>}
          {report.tells_of_harm && <p className="mt-1 font-bold text-red-ink">Someone may have been hurt</p>}
          <EarlierReports contentId={report.content_id} />
        </section>
        <section
          aria-label="Reported content"
          className="mt-5 min-w-0 rounded-md border bg-surface px-4 py-5 md:px-6"
        >
          <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Badge tone={kind === 'message' ? 'warm' : 'neutral'}>{label}</Badge>
            {reported?.context && (
              <span className="min-w-0 text-ink-2 wrap-anywhere">
                in{' '}
                <Link to={reported.href} className="link">
                  <bdi dir="auto">{reported.context}</bdi>
                </Link>
              </span>
            )}
          </p>
          <div className="mt-4">
            {kind === 'message' ? (
              <ReportedMessageText reportId={report.id} />
            ) : (
              <Content report={report} details={details} onRetry={onRetry} />
            )}
          </div>
        </section>
      </article>
      <DecisionBar
        kind="report"
        id={report.id}
        hint="Both close the report. Respond sends the reporter a message; Dismiss says that no action was needed."
        primary={{ label: 'Respond', icon: MessageSquareReply, onPress: () => setResponding(true) }}
        second={{ label: 'Dismiss', icon: X, onPress: () => setDismissing(true) }}
        more={[
          ...(solution
            ? [
                {
                  label: solution.notices.some(({ ended_at }) => !ended_at)
                    ? 'Change the safety notice'
                    : 'Add a safety notice',
                  icon: TriangleAlert,
                  onPress: () => setWarning(true),
                },
              ]
            : []),
          ...(removal && isKnown
            ? [
                {
                  label: 'Delete Content',
                  icon: Trash2,
                  isRed: true,
                  onPress: () => setDeleting({ reported }),
                },
              ]
            : []),
          ...(kind === 'collection' && reported
            ? [
                {
                  label: 'Stop sharing',
                  icon: Link2Off,
                  isRed: true,
                  onPress: () => setUnsharing(reported),
                },
              ]
            : []),
        ]}
      />
      {responding && <RespondDialog report={report} onClose={() => setResponding(false)} />}
      {dismissing && (
        <ConfirmDialog
          title="Dismiss report"
          question="We’ll tell the reporter that no action was needed. This can’t be undone."
          verb="Dismiss"
          busy={dismissal.isPending && 'Dismissing'}
          onConfirm={() => dismissal.mutate({ id: report.id, outcome: { status: 'dismissed' } })}
          onClose={() => setDismissing(false)}
        />
      )}
      {isWarning && solution && moderator && (
        <SafetyDialog
          solution={solution}
          memberId={moderator.id}
          mayChange
          onClose={() => setWarning(false)}
        />
      )}
      {unsharing && (
        <StopSharingDialog
          collectionId={report.content_id}
          reported={unsharing}
          onClose={() => setUnsharing(undefined)}
        />
      )}
      {deleting && removal && (
        <DeleteDialog
          report={report}
          reported={deleting.reported}
          removal={removal}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

/** The public solution that a report is about, itself or by what hangs on it. */
function useReportedSolution({ content_type, content_id }: Report, reported: ReportedContent | undefined) {
  const id =
    content_type === 'solution'
      ? content_id
      : reported?.within && 'solution_id' in reported.within
        ? reported.within.solution_id
        : undefined;
  const { data } = useQuery({ ...solutionQuery(browserClient, id ?? ''), enabled: id !== undefined });
  return data?.status === 'approved' ? data : undefined;
}

/** What was decided before on the same content. */
function EarlierReports({ contentId }: { contentId: string }) {
  const earlier = useQuery(earlierReportsQuery(browserClient, contentId)).data ?? [];
  if (earlier.length === 0) return null;
  return (
    <div className="mt-3 text-sm text-ink-2">
      <h3 className="text-ink-3">Earlier reports of it</h3>
      <ul>
        {earlier.map(({ id, reason, status, admin_response, resolved_at }) => (
          <li key={id} dir="auto" className="line-clamp-3 wrap-anywhere">
            “{reason}” {status === 'dismissed' ? 'dismissed' : `answered: ${admin_response ?? ''}`}
            {resolved_at && <span className="whitespace-nowrap">, {formatDay(resolved_at)}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ContentProps {
  report: Report;
  details: Details;
  onRetry: () => void;
}

function Content({ report, details, onRetry }: ContentProps) {
  if (details === undefined) return <Skeleton className="h-6 w-72 max-w-full" />;
  if (details === 'failed')
    return (
      <p className="flex flex-wrap items-center gap-x-4 text-ink-2">
        The reported content could not be loaded
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </p>
    );
  if (details === null)
    return (
      <p className="text-ink-2">
        {report.content_type === 'collection'
          ? 'Its owner no longer shares this collection'
          : 'This content has been deleted'}
      </p>
    );
  const { preview, isTitled, text, language, createdAt, authorId, authorName: author, href } = details;
  return (
    <>
      {isTitled && (
        <p className="text-lg font-bold wrap-anywhere">
          {href ? (
            <Link to={href} className="link">
              <bdi {...textLanguage(language ?? 'en')}>{preview}</bdi>
            </Link>
          ) : (
            <bdi {...textLanguage(language ?? 'en')}>{preview}</bdi>
          )}
        </p>
      )}
      <p className="mt-1 mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-3">
        <span className="wrap-anywhere">
          {preview !== author && (
            <>
              by <bdi dir="auto">{author}</bdi>
            </>
          )}
          {createdAt && <span className="whitespace-nowrap">, {formatDay(createdAt)}</span>}
        </span>
        {authorId && <SanctionButton size="small" memberId={authorId} name={author} />}
      </p>
      {report.content_type === 'solution' ? (
        <ReportedSolution report={report} />
      ) : report.content_type === 'trial' ? (
        <ReportedTrial report={report} />
      ) : (
        <>
          {text && <RichText text={text} language={language ?? 'en'} />}
          {(report.content_type === 'post' || report.content_type === 'topic') && (
            <ReportedImages id={report.content_id} />
          )}
        </>
      )}
    </>
  );
}
