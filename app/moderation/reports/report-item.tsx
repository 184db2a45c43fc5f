import { Check, Link2Off, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { SanctionButton } from '#app/moderation/member-management/sanction-button.tsx';
import { authorName } from '#app/people/members/names.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { lazyDialog } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { RichText } from '#app/ui/texts/rich-text.tsx';
import type { Report, ReportedContent } from './data.ts';
import { contentKinds } from './kinds.ts';
import { isRemovable, nameOf } from './report-actions.ts';
import { ReportedMessageText } from './reported-message.tsx';
import { useCloseReport } from './use-close-report.ts';

const RespondDialog = lazyDialog(() => import('./respond-dialog.tsx'), 'RespondDialog');

const StopSharingDialog = lazyDialog(() => import('./stop-sharing-dialog.tsx'), 'StopSharingDialog');

const DeleteDialog = lazyDialog(() => import('./delete-dialog.tsx'), 'DeleteDialog');

/** The subjects of reports, by content id, once loaded. */
type Details = ReadonlyMap<string, ReportedContent> | 'failed' | undefined;

interface ReportItemProps {
  report: Report;
  details: Details;
  onRetry: () => void;
}

/** A report: the whole of what was reported, the reason beside it, and the decision on it. */
export function ReportItem({ report, details, onRetry }: ReportItemProps) {
  const [responding, setResponding] = useState(false);
  /**
   * The content to delete, as it was when the dialog opened: the message to its author still needs it after
   * the deletion.
   */
  const [deleting, setDeleting] = useState<{ reported: ReportedContent | undefined }>();
  const [unsharing, setUnsharing] = useState<ReportedContent>();
  const ago = useRelativeTime(report.created_at);
  const dismissal = useCloseReport();
  const { content_type: kind } = report;
  const kindName = contentKinds[kind] ?? kind;
  const reported = details === 'failed' ? undefined : details?.get(report.content_id);
  const about = reported ? `“${reported.preview}”` : kindName.toLowerCase();
  return (
    <article
      aria-label={`Report: ${report.reason}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-6 xl:grid-cols-[minmax(0,1fr)_300px]"
    >
      <section
        aria-label="Reported content"
        className="min-w-0 rounded-md border bg-surface px-5 py-5 md:px-6"
      >
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Badge tone={kind === 'message' ? 'warm' : 'neutral'}>{kindName}</Badge>
          {reported?.context && (
            <span className="min-w-0 text-ink-2 wrap-anywhere">
              in{' '}
              <Link to={reported.context.href} className="link">
                <bdi dir="auto">{reported.context.title}</bdi>
              </Link>
            </span>
          )}
        </p>
        <div className="mt-4">
          {kind === 'message' ? (
            <ReportedMessageText reportId={report.id} />
          ) : (
            <Content kind={kind} details={details} reported={reported} onRetry={onRetry} />
          )}
        </div>
      </section>
      <aside aria-label="Report" className="xl:sticky xl:top-[88px] xl:self-start">
        <div className="rounded-md border bg-surface px-5 py-5 md:px-6">
          <h2 className="text-xl">Reason</h2>
          <p dir="auto" className="mt-2 whitespace-pre-line wrap-anywhere">
            {report.reason}
          </p>
          <p className="mt-2 text-sm text-ink-3 wrap-anywhere">
            Reported {ago} by <bdi dir="auto">{authorName(report.reporter_id, report.reporter)}</bdi>
          </p>
          <div data-decision className="mt-5 flex flex-col gap-3">
            <Button variant="primary" onClick={() => setResponding(true)}>
              <Check className="size-5" strokeWidth={1.75} aria-hidden />
              Respond<span className="sr-only"> to the report of {about}</span>
            </Button>
            <div className={kind === 'collection' ? 'grid gap-3' : 'grid grid-cols-2 gap-3'}>
              <Button
                busy={dismissal.isPending && 'Dismissing'}
                decides
                onClick={() =>
                  dismissal.isPending || dismissal.mutate({ id: report.id, outcome: { status: 'dismissed' } })
                }
              >
                Dismiss<span className="sr-only"> the report of {about}</span>
              </Button>
              {isRemovable(kind) && (reported || details instanceof Map) && (
                <Button className="text-red-ink" onClick={() => setDeleting({ reported })}>
                  <Trash2 className="size-5" strokeWidth={1.75} aria-hidden />
                  Delete<span className="sr-only"> {about}</span>
                </Button>
              )}
              {kind === 'collection' && reported && (
                <Button className="text-red-ink" onClick={() => setUnsharing(reported)}>
                  <Link2Off className="size-5" strokeWidth={1.75} aria-hidden />
                  Stop sharing<span className="sr-only"> {about}</span>
                </Button>
              )}
            </div>
            {reported?.authorId && <SanctionButton memberId={reported.authorId} name={reported.authorName} />}
          </div>
        </div>
      </aside>
      {responding && <RespondDialog report={report} onClose={() => setResponding(false)} />}
      {unsharing && (
        <StopSharingDialog
          collectionId={report.content_id}
          reported={unsharing}
          onClose={() => setUnsharing(undefined)}
        />
      )}
      {deleting && isRemovable(kind) && (
        <DeleteDialog
          report={report}
          reported={deleting.reported}
          name={nameOf(kind)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </article>
  );
}

function Content({
  kind,
  details,
  reported,
  onRetry,
}: {
  kind: string;
  details: Details;
  reported: ReportedContent | undefined;
  onRetry: () => void;
}) {
  if (reported) {
    const title: ReactNode = <bdi dir="auto">{reported.preview}</bdi>;
    return (
      <>
        <p className="text-lg font-title wrap-anywhere">
          {reported.href ? (
            <Link to={reported.href} className="link">
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        <p className="mt-1 text-sm text-ink-3 wrap-anywhere">
          {reported.preview !== reported.authorName && (
            <>
              by <bdi dir="auto">{reported.authorName}</bdi>
            </>
          )}
          {reported.createdAt && <span className="whitespace-nowrap">, {formatDay(reported.createdAt)}</span>}
        </p>
        {reported.text && reported.text !== reported.preview && (
          <blockquote className="mt-4 border-l-2 border-line-2 pl-4">
            <RichText text={reported.text} />
          </blockquote>
        )}
      </>
    );
  }
  if (details === 'failed')
    return (
      <p className="flex flex-wrap items-center gap-x-4 text-ink-2">
        The reported content could not be loaded
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </p>
    );
  return details ? (
    <p className="text-ink-2">
      {kind === 'collection' ? 'Its owner no longer shares this collection' : 'This content has been deleted'}
    </p>
  ) : (
    <Skeleton className="h-6 w-72 max-w-full" />
  );
}
