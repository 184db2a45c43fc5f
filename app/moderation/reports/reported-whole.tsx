import { useQuery } from '@tanstack/react-query';
import { EyeOff } from 'lucide-react';
import { Link } from 'react-router';
import { useAction } from '#app/frame/act/use-action.ts';
import { hideReportedMedia, removalRequestsQuery } from '#app/moderation/removal-requests/moderation-data.ts';
import { RequestImages } from '#app/moderation/removal-requests/removal-request-item.tsx';
import { ResultBadge } from '#app/sharing/trials/result-badge.tsx';
import { reviewedTrialQuery } from '#app/sharing/trials/review-data.ts';
import { TrialText } from '#app/sharing/trials/trial-text.tsx';
import { SolutionFiles } from '#app/solution/file-viewer/solution-files.tsx';
import { Gallery } from '#app/solution/media-viewer/gallery.tsx';
import { solutionQuery } from '#app/solution/solutions/data.ts';
import { SolutionText } from '#app/solution/solutions/solution-text.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { NotLoaded } from '#app/ui/states/loading-rows.tsx';
import type { Report } from './data.ts';

/** A reported solution as readers see it, with its images, videos and files. */
export function ReportedSolution({ report }: { report: Report }) {
  const query = useQuery(solutionQuery(browserClient, report.content_id));
  const solution = query.data;
  if (!solution)
    return <NotLoaded loading="Loading the solution" failed="Failed to load the solution" query={query} />;
  return (
    <>
      <Hiding
        report={report}
        solutionId={solution.id}
        isShown={solution.status === 'approved' && solution.media.length + solution.files.length > 0}
      />
      {solution.media.length > 0 && (
        <Gallery media={solution.media} title={solution.title} language={solution.language} />
      )}
      <div className="mt-6">
        <SolutionText solution={solution} />
        <SolutionFiles language={solution.language} files={solution.files} />
      </div>
    </>
  );
}

/** A reported trial as readers see it, with its measures, images and videos. */
export function ReportedTrial({ report }: { report: Report }) {
  const query = useQuery(reviewedTrialQuery(browserClient, report.content_id));
  const trial = query.data;
  if (!trial)
    return (
      <NotLoaded loading="Loading the trial report" failed="Failed to load the trial report" query={query} />
    );
  return (
    <>
      <Hiding
        report={report}
        solutionId={trial.solution_id}
        isShown={trial.status === 'approved' && trial.media.length > 0}
      />
      <p>
        <ResultBadge result={trial.result} />
      </p>
      <TrialText trial={trial} title={trial.solution?.title ?? ''} />
    </>
  );
}

interface HidingProps {
  report: Report;
  solutionId: string;
  /** Whether readers see an image, a video or a file of it. */
  isShown: boolean;
}

/** Hides what is shown until it is decided on, or leads to the request by which it is hidden. */
function Hiding({ report, solutionId, isShown }: HidingProps) {
  const requests = useQuery(removalRequestsQuery(browserClient)).data?.open;
  const hiding = useAction({
    act: async () => hideReportedMedia(await browserClient(), report.id),
    done: {
      title: 'Hidden from readers',
      text: 'A removal request waits for the decision. The author is notified.',
    },
    failed: 'Failed to hide the images',
    refresh: [['moderation'], ['solutions']],
  });
  const request = requests?.find(
    ({ solution_id, status }) => solution_id === solutionId && status === 'hidden',
  );
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
      {isShown && (
        <Button busy={hiding.isPending && 'Hiding'} onClick={() => hiding.mutate()}>
          <EyeOff className="size-5" strokeWidth={1.75} aria-hidden />
          Hide while I look
        </Button>
      )}
      {request && (
        <div>
          <p className="text-ink-2">
            {isShown ? 'Part of it is' : 'Images, videos and files are'} hidden until the{' '}
            <Link to={`/admin?tab=removal-requests&item=${request.id}`} className="link">
              removal request
            </Link>{' '}
            is decided.
          </p>
          <RequestImages request={request} />
        </div>
      )}
    </div>
  );
}
