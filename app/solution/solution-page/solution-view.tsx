import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { SaveButtons } from '#app/finding/collections/save-buttons.tsx';
import { usePageTitle } from '#app/frame/context/page-title.ts';
import { ErrorScreen } from '#app/frame/layout/error-screen.tsx';
import { Missing } from '#app/frame/layout/not-found.tsx';
import { PrintedAddress } from '#app/frame/printing/printed-address.tsx';
import { FollowSolution } from '#app/people/follows/follow-solution.tsx';
import { AuthorName } from '#app/people/members/author-name.tsx';
import { MemberAvatar } from '#app/people/members/member-avatar.tsx';
import { authorName, professionOf } from '#app/people/members/names.ts';
import { useRequireSignIn } from '#app/require-sign-in.ts';
import { useMember, useViewer } from '#app/session.ts';
import { Tally, Trials } from '#app/sharing/trials/trials.tsx';
import { AudienceLine } from '#app/solution/audience/audience-line.tsx';
import { requiredAudienceQuery } from '#app/solution/audience/data.ts';
import { RestrictedNotice } from '#app/solution/audience/restricted-notice.tsx';
import { Discussion } from '#app/solution/comments/discussion.tsx';
import { FabricationSection } from '#app/solution/fabrication/fabrication-view.tsx';
import { SolutionFiles } from '#app/solution/file-viewer/solution-files.tsx';
import { Lineage } from '#app/solution/lineage/lineage.tsx';
import { Gallery } from '#app/solution/media-viewer/gallery.tsx';
import { SolutionOutcomes } from '#app/solution/outcomes/solution-outcomes.tsx';
import { ReviewBanner } from '#app/solution/review/review-banner.tsx';
import { SafetyControl, SafetyNotice } from '#app/solution/safety-notices/safety-notice.tsx';
import { type Solution, solutionQuery } from '#app/solution/solutions/data.ts';
import { browseUrl } from '#app/solution/solutions/filters.ts';
import { SolutionSkeleton } from '#app/solution/solutions/solution-skeleton.tsx';
import { SolutionText } from '#app/solution/solutions/solution-text.tsx';
import { VersionLine } from '#app/solution/versions/version-list.tsx';
import { withdrawnQuery } from '#app/solution/withdrawals/data.ts';
import { DeleteSolution } from '#app/solution/withdrawals/delete-solution.tsx';
import { WithdrawnNotice } from '#app/solution/withdrawals/withdrawn-notice.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { lazyDialog, lazyPart, Region } from '#app/ui/states/region.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { AuthorCard } from './author-card.tsx';
import { DetailsCard } from './details-card.tsx';
import { LikeButton } from './like-button.tsx';
import { RelatedSolutions } from './related-solutions.tsx';
import { useLiveCounts } from './use-live-counts.ts';
import { WithheldNotice } from './withheld-media-notice.tsx';

const LaterCards = lazyPart(() => import('#app/sharing/submission/later-cards.tsx'), 'LaterCards', null);
const ReviewPanel = lazyPart(() => import('#app/solution/review/review-panel.tsx'), 'ReviewPanel');
const PastReviews = lazyPart(() => import('#app/solution/review/past-reviews.tsx'), 'PastReviews');
const RevisionBanner = lazyPart(
  () => import('#app/solution/review/revision-banner.tsx'),
  'RevisionBanner',
  null,
);
const RevisionComparison = lazyPart(
  () => import('#app/solution/versions/revision-comparison.tsx'),
  'RevisionComparison',
  null,
);
const ShareDialog = lazyDialog(() => import('./share-dialog.tsx'), 'ShareDialog');
const ReportDialog = lazyDialog(() => import('#app/people/members/report-dialog.tsx'), 'ReportDialog');

/** The solution as its reader sees it: the author and moderators also while it is not public. */
export function SolutionView({ id }: { id: string }) {
  const result = useQuery(solutionQuery(browserClient, id));
  const isHidden = result.data === null;
  const withdrawn = useQuery({ ...withdrawnQuery(browserClient, id), enabled: isHidden }).data;
  const required = useQuery({ ...requiredAudienceQuery(browserClient, id), enabled: isHidden });
  const failed = result.isError && !result.data;
  const isAsking = result.isFetching || required.isFetching;
  const solution = result.data;

  usePageTitle(
    solution?.title ??
      (isHidden
        ? withdrawn
          ? 'Solution withdrawn'
          : isAsking || required.data
            ? 'Solution'
            : 'Solution not found'
        : undefined),
  );

  useEffect(() => {
    if (failed) toast({ tone: 'error', title: 'Failed to load solution' });
  }, [failed]);

  if (solution) return <SolutionContents solution={solution} />;
  if (withdrawn) return <WithdrawnNotice withdrawn={withdrawn} />;
  if (failed) {
    return (
      <ErrorScreen
        title="Failed to load solution"
        action={
          <Button variant="primary" onClick={() => void result.refetch()}>
            Try again
          </Button>
        }
      />
    );
  }
  return (
    <Missing isAsking={isAsking} waiting={<SolutionSkeleton />}>
      {required.data ? (
        <RestrictedNotice audience={required.data} />
      ) : (
        <ErrorScreen
          title="Solution not found"
          action={
            <Link to="/browse" className={buttonClass('primary')}>
              Browse Solutions
            </Link>
          }
        >
          It may have been removed or isn’t public yet.
        </ErrorScreen>
      )}
    </Missing>
  );
}

function SolutionContents({ solution }: { solution: Solution }) {
  const navigate = useNavigate();
  const signInFirst = useRequireSignIn();
  const member = useMember();
  const viewer = useViewer();
  const refreshCounts = useLiveCounts(solution.id);
  const [dialog, setDialog] = useState<'share' | 'report' | null>(null);
  const { author, user_id: authorId, status, title } = solution;
  const name = authorName(authorId, author, 'Anonymous');
  const isAuthor = member != null && member.id === authorId;
  const mayDelete = viewer?.isModerator || isAuthor;
  const withheld = solution.withheld_media;
  const pictured = solution.media.length > 0 || withheld > 0;
  // A moderator decides beside the gallery; only an admin decides on their own. Before the roles are known, the database
  // has already said that who reads another's pending solution is a moderator.
  const mayDecide =
    status === 'pending' && (isAuthor ? (viewer?.isAdmin ?? false) : (viewer?.isModerator ?? true));
  const close = () => setDialog(null);

  const report = () => {
    if (member) return setDialog('report');
    signInFirst('Please sign in to report content', 'Authentication required');
  };

  return (
    <div className="page pt-5 pb-16 md:pt-7">
      {status !== 'approved' && <ReviewBanner solution={solution} isAuthor={isAuthor} />}
      {status === 'pending' && isAuthor && (
        <LaterCards path={`/upload?solution=${solution.revises ?? solution.id}`} sent={solution} />
      )}
      {status === 'approved' && (isAuthor || viewer?.isModerator) && (
        <RevisionBanner solutionId={solution.id} isAuthor={isAuthor} />
      )}
      <Region className="mb-6">
        <SafetyNotice solution={solution} />
      </Region>
      <PrintedAddress path={`/solutions/${solution.id}`} />
      <nav aria-label="Breadcrumb" className="print:hidden">
        <ol className="flex items-center gap-3 text-sm">
          <li>
            <Link to="/browse" className="reach text-ink-2 underline underline-offset-4 hover:text-ink">
              Browse
            </Link>
          </li>
          <li className="flex min-w-0 items-center gap-3">
            <span className="icon icon-chevron-right size-4 text-ink-3" />
            <Link
              to={browseUrl({ values: [solution.amputation_level] })}
              className="reach text-ink-2 underline underline-offset-4 hover:text-ink"
            >
              {solution.amputation_level}
            </Link>
          </li>
        </ol>
      </nav>
      <div className="mt-3 flex flex-col gap-x-8 gap-y-4 md:mt-4 lg:flex-row lg:items-end lg:justify-between">
        <div className="min-w-0">
          <h1 dir="auto" className="max-w-[24em] text-2xl wrap-anywhere md:text-3xl">
            {title}
          </h1>
          <div className="mt-2.5 flex items-center gap-2.5">
            <MemberAvatar name={name} member={author} size={32} />
            <p className="min-w-0 text-ink-2">
              <AuthorName author={author} name={name} className="text-ink max-md:block" />
              <span className="max-md:hidden"> · </span>
              {authorId && (
                <>
                  <bdi>{professionOf(author)}</bdi> ·{' '}
                </>
              )}
              <span className="whitespace-nowrap">Submitted {formatDay(solution.created_at)}</span>
            </p>
          </div>
          <Region>
            <AudienceLine solution={solution} />
          </Region>
          {status === 'approved' && (
            <Region>
              <Tally solutionId={solution.id} />
            </Region>
          )}
        </div>
        <div className="flex flex-wrap gap-3 max-md:gap-2 xl:shrink-0 print:hidden">
          {status === 'approved' && <LikeButton solution={solution} refresh={refreshCounts} />}
          {status === 'approved' && (
            <Button className="max-md:flex-1 max-md:px-2" onClick={() => setDialog('share')}>
              <span className="icon icon-share" />
              Share
            </Button>
          )}
          {status === 'approved' && <SaveButtons solution={solution} />}
          <Button size="icon" className="max-md:hidden" onClick={() => window.print()}>
            <span className="icon icon-print" />
            <span className="sr-only">Print</span>
          </Button>
          {isAuthor && status === 'approved' && (
            <Link to={`/upload?solution=${solution.id}`} className={buttonClass()}>
              <span className="icon icon-edit" />
              Edit
            </Link>
          )}
          {mayDelete && !solution.revises && (
            <DeleteSolution
              id={solution.id}
              title={title}
              isAuthor={isAuthor}
              isPublished={solution.version > 0}
              onDeleted={() => void navigate('/browse')}
              className={buttonClass('default', 'icon', 'text-red-ink')}
            >
              <span className="icon icon-delete" />
              <span className="sr-only">Delete solution</span>
            </DeleteSolution>
          )}
          {!isAuthor && (
            <Button size="icon" onClick={report}>
              <span className="icon icon-report" />
              <span className="sr-only">Report solution</span>
            </Button>
          )}
        </div>
      </div>

      <div
        className={classes(
          'mt-5 grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-6 lg:grid-cols-[minmax(0,1fr)_360px] lg:gap-y-10 print:grid-cols-[minmax(0,1fr)_340px] print:gap-x-6 print:*:col-span-full print:*:data-beside:col-span-1',
          !pictured && !mayDecide && 'lg:grid-rows-[auto_1fr_auto]',
        )}
      >
        {pictured && (
          <div data-beside>
            <Region>{solution.media.length > 0 && <Gallery media={solution.media} title={title} />}</Region>
            {withheld > 0 && <WithheldNotice count={withheld} alone={solution.media.length === 0} />}
          </div>
        )}
        <div
          data-beside={pictured || undefined}
          className={classes('self-start', mayDecide && 'lg:col-start-1')}
        >
          <Region>
            <DetailsCard solution={solution} />
            {status === 'approved' && <FollowSolution solution={solution} />}
          </Region>
          {!mayDecide && (isAuthor || viewer?.isModerator || status !== 'approved') && (
            <PastReviews solution={solution} />
          )}
          {status === 'approved' && (
            <div className="mt-4 flex flex-col items-start gap-3 px-1 text-sm print:hidden">
              {member && (
                <Link to={`/cpd?solution=${solution.id}`} className="reach link">
                  Add to CPD record
                </Link>
              )}
              {solution.media.length > 0 && (
                <Link to={`/solutions/${solution.id}/removal-request`} className="reach link">
                  Are you in an image? Request its removal
                </Link>
              )}
              <Region>
                <SafetyControl solution={solution} />
              </Region>
            </div>
          )}
        </div>
        <div
          className={classes(
            mayDecide && 'lg:col-start-1',
            !pictured && !mayDecide && 'lg:col-start-1 lg:row-span-2 lg:row-start-1',
          )}
        >
          {mayDecide && solution.revises && <RevisionComparison solution={solution} />}
          <Region>
            <SolutionText solution={solution} />
          </Region>
          <Region>
            <SolutionOutcomes outcomes={solution.outcomes} />
          </Region>
          <Region>
            <FabricationSection
              fabrication={solution.fabrication}
              media={solution.media}
              action={
                status === 'approved' && (
                  <Link to={`/solutions/${solution.id}/workshop-sheet`} className="reach link print:hidden">
                    Workshop sheet
                  </Link>
                )
              }
            />
          </Region>
          <Region>
            <SolutionFiles files={solution.files} withheld={solution.withheld_files} />
          </Region>
        </div>
        <div
          className={
            mayDecide ? 'lg:col-start-1' : 'self-start lg:sticky lg:top-[88px] lg:col-start-2 lg:row-span-2'
          }
        >
          <Region>
            <AuthorCard solution={solution} />
          </Region>
          <div className="mt-4 divide-y rounded-md border bg-surface px-5 empty:hidden md:px-6 print:divide-y-0">
            {status === 'approved' && <VersionLine solution={solution} />}
            <Lineage solution={solution} />
          </div>
        </div>
        {mayDecide && (
          <div className="lg:col-start-2 lg:row-span-4 lg:row-start-1">
            <ReviewPanel solution={solution} />
          </div>
        )}
        {status === 'approved' && (
          <div className="max-w-[760px] border-t pt-8 lg:col-start-1">
            <div className="mb-8 border-b pb-8">
              <Region>
                <Trials solution={solution} />
              </Region>
            </div>
            <Region>
              <Discussion
                solutionId={solution.id}
                authorId={authorId}
                count={solution.comments_count}
                onCountChange={() => void refreshCounts()}
              />
            </Region>
          </div>
        )}
      </div>
      <Region className="mt-14">{status === 'approved' && <RelatedSolutions id={solution.id} />}</Region>

      {dialog === 'share' && <ShareDialog id={solution.id} title={title} onClose={close} />}
      {dialog === 'report' && member && (
        <ReportDialog kind="solution" contentId={solution.id} reporterId={member.id} onClose={close} />
      )}
    </div>
  );
}
