import { Check, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { SanctionButton } from '#app/member-management/sanction-button.tsx';
import { authorName } from '#app/members/names.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { lazyDialog } from '#app/ui/region.tsx';
import { useRelativeTime } from '#app/ui/relative-time.ts';
import { Skeleton } from '#app/ui/skeleton.tsx';
import type { Report, ReportedContent } from './data.ts';
import { isRemovable, nameOf } from './report-actions.ts';
import { ReportedMessageText } from './reported-message.tsx';
import { useCloseReport } from './use-close-report.ts';

const RespondDialog = lazyDialog(() => import('./respond-dialog.tsx').then((module) => module.RespondDialog));

const DeleteDialog = lazyDialog(() => import('./delete-dialog.tsx').then((module) => module.DeleteDialog));

const kinds: Record<string, string> = {
  topic: 'Forum topic',
  post: 'Forum post',
  solution: 'Solution',
  comment: 'Comment',
  message: 'Private message',
  profile: 'Profile',
};

/** The subjects of reports, by content id, once loaded. */
type Details = ReadonlyMap<string, ReportedContent> | 'failed' | undefined;

interface ReportItemProps {
  report: Report;
  details: Details;
  onRetry: () => void;
}

export function ReportItem({ report, details, onRetry }: ReportItemProps) {
  const [responding, setResponding] = useState(false);
  /**
   * The content to delete, as it was when the dialog opened: the message to its author still needs it after
   * the deletion.
   */
  const [deleting, setDeleting] = useState<{ reported: ReportedContent | undefined }>();
  const ago = useRelativeTime(report.created_at);
  const dismissal = useCloseReport();
  const { content_type: kind } = report;
  const reported = details === 'failed' ? undefined : details?.get(report.content_id);
  const about = reported ? `“${reported.preview}”` : (kinds[kind] ?? kind).toLowerCase();
  return (
    <li className="flex flex-wrap items-start gap-x-8 gap-y-4 px-4 py-5 md:px-6">
      <div className="min-w-0 flex-1 basis-80">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={kind === 'message' ? 'warm' : 'neutral'}>{kinds[kind] ?? kind}</Badge>
          <span className="text-sm text-ink-3">
            reported {ago} by {authorName(report.reporter_id, report.reporter)}
          </span>
        </div>
        <div className="mt-2.5">
          {kind === 'message' ? (
            <ReportedMessageText reportId={report.id} />
          ) : (
            <Content details={details} reported={reported} onRetry={onRetry} />
          )}
        </div>
        <p className="mt-3 max-w-prose text-ink-2 wrap-anywhere">
          <span className="font-title text-ink">Reason:</span>{' '}
          <span className="whitespace-pre-line">{report.reason}</span>
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        {isRemovable(kind) && (reported || details instanceof Map) && (
          <Button size="bar" className="text-red-ink" onClick={() => setDeleting({ reported })}>
            <Trash2 className="size-5" strokeWidth={1.75} aria-hidden />
            Delete<span className="sr-only"> {about}</span>
          </Button>
        )}
        {reported?.authorId && (
          <SanctionButton size="bar" memberId={reported.authorId} name={reported.authorName} />
        )}
        <Button
          size="bar"
          busy={dismissal.isPending && 'Dismissing'}
          onClick={() => dismissal.mutate({ id: report.id, outcome: { status: 'dismissed' } })}
        >
          Dismiss<span className="sr-only"> the report of {about}</span>
        </Button>
        <Button size="bar" onClick={() => setResponding(true)}>
          <Check className="size-5 text-ok" strokeWidth={1.75} aria-hidden />
          Respond<span className="sr-only"> to the report of {about}</span>
        </Button>
      </div>
      {responding && <RespondDialog report={report} onClose={() => setResponding(false)} />}
      {deleting && isRemovable(kind) && (
        <DeleteDialog
          report={report}
          reported={deleting.reported}
          name={nameOf(kind)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </li>
  );
}

function Content({
  details,
  reported,
  onRetry,
}: {
  details: Details;
  reported: ReportedContent | undefined;
  onRetry: () => void;
}) {
  if (reported)
    return (
      <p className="wrap-anywhere">
        {reported.href ? (
          <Link to={reported.href} className="link text-lg font-title">
            {reported.preview}
          </Link>
        ) : (
          <span className="text-lg font-title">{reported.preview}</span>
        )}
        {reported.preview !== reported.authorName && (
          <span className="text-ink-2"> by {reported.authorName}</span>
        )}
      </p>
    );
  if (details === 'failed')
    return (
      <p className="flex flex-wrap items-center gap-x-4 text-ink-2">
        What it is about could not be loaded
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </p>
    );
  return details ? (
    <p className="text-ink-2">This content is no longer there</p>
  ) : (
    <Skeleton className="h-6 w-72 max-w-full" />
  );
}
