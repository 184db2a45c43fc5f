import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ErrorScreen } from '#app/frame/layout/error-screen.tsx';
import { Missing } from '#app/frame/layout/not-found.tsx';
import { usePageTitle } from '#app/frame/page/page-title.ts';
import { PrintedAddress } from '#app/frame/printing/printed-address.tsx';
import { useMember, useViewer } from '#app/session.ts';
import { SolutionUse } from '#app/sharing/still-in-use/solution-use.tsx';
import { trialsQuery } from '#app/sharing/trials/data.ts';
import { Trials } from '#app/sharing/trials/trials.tsx';
import { requiredAudienceQuery } from '#app/solution/audience/data.ts';
import { RestrictedNotice } from '#app/solution/audience/restricted-notice.tsx';
import { DISCUSSION } from '#app/solution/comments/anchors.ts';
import { Discussion } from '#app/solution/comments/discussion.tsx';
import { FabricationSection } from '#app/solution/fabrication/fabrication-view.tsx';
import { SolutionFiles } from '#app/solution/file-viewer/solution-files.tsx';
import { Lineage } from '#app/solution/lineage/lineage.tsx';
import { Gallery } from '#app/solution/media-viewer/gallery.tsx';
import { SolutionOutcomes } from '#app/solution/outcomes/solution-outcomes.tsx';
import { ReviewBanner } from '#app/solution/review/review-banner.tsx';
import { SafetyNotices } from '#app/solution/safety-notices/safety-notices.tsx';
import { type Solution, solutionQuery } from '#app/solution/solutions/data.ts';
import { SolutionSkeleton } from '#app/solution/solutions/solution-skeleton.tsx';
import { firstParagraph, Paragraphs, SolutionText } from '#app/solution/solutions/solution-text.tsx';
import { solutionSections } from '#app/solution/solutions/value-lists.ts';
import { type Translation, translationQuery } from '#app/solution/translations/data.ts';
import { noticeName } from '#app/solution/translations/texts.ts';
import { translatedSolution } from '#app/solution/translations/translated-solution.ts';
import { OutdatedTranslation, TranslationCard } from '#app/solution/translations/translation-card.tsx';
import { contentOf, versionQuery } from '#app/solution/versions/content.ts';
import type { Content } from '#app/solution/versions/content-schema.ts';
import { Versions } from '#app/solution/versions/version-list.tsx';
import { warnedTitle } from '#app/solution/warnings/safety-notice-kinds.ts';
import { withdrawnQuery } from '#app/solution/withdrawals/data.ts';
import { WithdrawnNotice } from '#app/solution/withdrawals/withdrawn-notice.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { UntranslatedTexts } from '#app/ui/languages/untranslated.tsx';
import { PhoneFold } from '#app/ui/states/phone-fold.tsx';
import { lazyPart, Region } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { useErrorToast } from '#app/ui/surfaces/toast.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { AuthorCard } from './author-card.tsx';
import { DetailsCard, KeyFacts } from './details-card.tsx';
import { KeyResults } from './key-results.tsx';
import { RelatedSolutions } from './related-solutions.tsx';
import { SectionLinks } from './section-links.tsx';
import { SolutionHeader } from './solution-header.tsx';
import { useLiveCounts } from './use-live-counts.ts';
import { WithheldNotice } from './withheld-media-notice.tsx';

const LaterCards = lazyPart(() => import('#app/sharing/submission/later-cards.tsx'), 'LaterCards', null);
const MissingList = lazyPart(() => import('#app/sharing/completeness/missing-list.tsx'), 'MissingList', null);
const Decision = lazyPart(() => import('#app/solution/review/decision.tsx'), 'Decision', null);
const ReviewPanel = lazyPart(() => import('#app/solution/review/review-panel.tsx'), 'ReviewPanel');
const PastReviews = lazyPart(() => import('#app/solution/review/past-reviews.tsx'), 'PastReviews');
const StaffNotes = lazyPart(
  () => import('#app/solution/staff-notes/staff-notes.tsx'),
  'StaffNotes',
  ({ isBrief }) => !isBrief && <Skeleton className="h-64" />,
);
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

interface SolutionViewProps {
  id: string;
  /** That of a translation; the solution's own when left out. */
  language: string | undefined;
}

/** The solution as its reader sees it, in its own language or another: the author and moderators also while it is not public. */
export function SolutionView({ id, language }: SolutionViewProps) {
  const result = useQuery(solutionQuery(browserClient, id));
  const translation = useQuery({
    ...translationQuery(browserClient, id, language ?? ''),
    enabled: language !== undefined,
  });
  const translated = useQuery({
    ...versionQuery(browserClient, id, translation.data?.version ?? 0),
    enabled:
      translation.data != null && result.data != null && translation.data.version < result.data.version,
  });
  const isHidden = result.data === null;
  const withdrawn = useQuery({ ...withdrawnQuery(browserClient, id), enabled: isHidden }).data;
  const required = useQuery({ ...requiredAudienceQuery(browserClient, id), enabled: isHidden });
  const [failed] = [result, translation, translated].filter((asked) => asked.isError && !asked.data);
  const isAsking = result.isFetching || required.isFetching;
  const solution = result.data;

  usePageTitle(
    language === undefined && solution
      ? warnedTitle(solution.safety_kind, solution.title)
      : isHidden
        ? withdrawn
          ? 'Solution withdrawn'
          : isAsking || required.data
            ? 'Solution'
            : 'Solution not found'
        : undefined,
  );

  useErrorToast(failed !== undefined, 'Failed to load solution');

  if (solution && language === undefined) return <SolutionContents original={solution} />;
  if (solution && translation.data && !translated.isLoading && !failed)
    return (
      <TranslatedSolution
        original={solution}
        translation={translation.data}
        of={translated.data?.content ?? contentOf(solution)}
      />
    );
  if (withdrawn) return <WithdrawnNotice withdrawn={withdrawn} />;
  if (failed) {
    return (
      <ErrorScreen
        title="Failed to load solution"
        action={
          <Button variant="primary" onClick={() => void failed.refetch()}>
            Try again
          </Button>
        }
      />
    );
  }
  return (
    <Missing
      isAsking={isAsking || translation.isFetching || translated.isFetching}
      waiting={<SolutionSkeleton />}
    >
      {solution ? (
        <ErrorScreen
          title="Translation not found"
          way={{ to: `/solutions/${id}`, label: 'Read the original' }}
        >
          It may have been removed, or the address may be mistyped.
        </ErrorScreen>
      ) : required.data ? (
        <RestrictedNotice audience={required.data} />
      ) : (
        <ErrorScreen title="Solution not found" way={{ to: '/browse', label: 'Browse Solutions' }}>
          It may have been removed or isn’t public yet.
        </ErrorScreen>
      )}
    </Missing>
  );
}

interface TranslatedProps {
  original: Solution;
  translation: Translation;
  /** What the version says that was translated. */
  of: Content;
}

/** A solution in another language: the page of the original, with what the translation says in the place of its texts. */
function TranslatedSolution({ original, translation, of }: TranslatedProps) {
  const { shown, missing } = translatedSolution(original, translation, of);
  usePageTitle(warnedTitle(original.safety_kind, shown.title));
  return (
    <UntranslatedTexts value={missing}>
      <SolutionContents original={original} shown={shown} translated={{ translation, of }} />
    </UntranslatedTexts>
  );
}

interface SolutionContentsProps {
  original: Solution;
  /** In the language in which it is read; the original when left out. */
  shown?: Solution;
  translated?: Omit<TranslatedProps, 'original'>;
}

function SolutionContents({ original, shown: solution = original, translated }: SolutionContentsProps) {
  const translation = translated?.translation;
  const path = `/solutions/${original.id}${translation ? `/translations/${translation.language}` : ''}`;
  const member = useMember();
  const viewer = useViewer();
  const refreshCounts = useLiveCounts(solution.id);
  const { user_id: authorId, status, title, media, outcomes, fabrication, files } = solution;
  const isPublic = status === 'approved';
  const trials = useQuery({ ...trialsQuery(browserClient, solution.id), enabled: isPublic }).data ?? [];
  const isAuthor = member != null && member.id === authorId;
  const withheld = solution.withheld_media;
  const { first, others } = firstParagraph(solution.description);
  // A moderator decides beside the gallery; only an admin decides on their own. Before the roles are known, the database
  // has already said that who reads another's pending solution is a moderator.
  const mayDecide =
    status === 'pending' && (isAuthor ? (viewer?.isAdmin ?? false) : (viewer?.isModerator ?? true));
  const hasReviews = !mayDecide && (isAuthor || viewer?.isModerator || !isPublic);
  const hasText =
    others !== '' || outcomes.length > 0 || solutionSections.some(({ column }) => solution[column]);
  const hasBuild = fabrication !== null || files.length > 0 || solution.withheld_files > 0;
  const sections = [
    ...(hasText ? [{ id: 'text', label: 'Text' }] : []),
    ...(hasBuild ? [{ id: 'build-this', label: 'Build this' }] : []),
    ...(isPublic
      ? [
          { id: 'tried', label: 'Tried', count: trials.length },
          { id: DISCUSSION, label: 'Discussion', count: solution.comments_count },
        ]
      : []),
  ];

  return (
    <div className="page pt-4 pb-16 md:pt-7">
      {!isPublic && <ReviewBanner solution={original} isAuthor={isAuthor} />}
      {status === 'pending' && isAuthor && (
        <LaterCards path={`/upload?solution=${solution.revises ?? solution.id}`} sent={original} />
      )}
      {isPublic && (isAuthor || viewer?.isModerator) && (
        <RevisionBanner solutionId={solution.id} isAuthor={isAuthor} />
      )}
      <Region className="mb-6">
        <SafetyNotices
          solution={solution}
          translated={(notice) => {
            const text = translation?.texts[noticeName(notice)];
            return translation && text !== undefined ? { text, language: translation.language } : undefined;
          }}
        />
      </Region>
      {!isAuthor && (mayDecide || viewer?.isModerator) && (
        <div className="peer">
          <StaffNotes
            item={{ kind: 'solution', id: solution.id }}
            memberId={mayDecide ? authorId : null}
            isBrief={!mayDecide}
          />
        </div>
      )}
      {/* What colleagues wrote is read first, and would move the rest. */}
      <div className="peer-has-[.animate-pulse]:hidden">
        {translated && <OutdatedTranslation solution={original} {...translated} />}
        <PrintedAddress path={path} />
        <SolutionHeader
          solution={solution}
          original={original}
          translation={translation}
          path={path}
          refresh={refreshCounts}
        />
        {/* The bar of links lies over the sections that it leads to, so that it stays in sight for all of them. */}
        <div
          className={classes(
            'mt-4 grid grid-cols-[minmax(0,1fr)] gap-x-14 md:mt-5 lg:grid-cols-[minmax(0,1fr)_360px] print:grid-cols-[minmax(0,1fr)_340px] print:gap-x-6',
            mayDecide ? 'lg:grid-rows-[auto_auto_auto_1fr]' : 'lg:grid-rows-[auto_auto_1fr]',
          )}
        >
          <div className="col-start-1 row-start-1">
            <Region>
              {media.length > 0 && <Gallery media={media} title={title} language={solution.language} />}
            </Region>
            {withheld > 0 && <WithheldNotice count={withheld} alone={media.length === 0} />}
            <div className={media.length > 0 || withheld > 0 ? 'mt-3 md:mt-5' : undefined}>
              <Region>
                <Paragraphs text={first} language={solution.language} />
                <KeyFacts solution={solution} />
              </Region>
              <Region>
                <KeyResults solution={solution} />
              </Region>
            </div>
            {mayDecide && original.revises && <RevisionComparison solution={original} />}
          </div>
          {sections.length > 1 && (
            <div className="pointer-events-none z-20 col-start-1 row-start-2 row-end-5 mt-8 *:pointer-events-auto print:hidden">
              <SectionLinks sections={sections} />
            </div>
          )}
          <div
            id="text"
            className={classes(
              'col-start-1 row-start-2 min-w-0 scroll-mt-12 print:col-end-3 print:pt-5',
              sections.length > 1 ? 'pt-[104px]' : 'pt-8',
            )}
          >
            <Region>
              <SolutionText solution={{ ...solution, description: others }} />
            </Region>
            <Region>
              <SolutionOutcomes outcomes={outcomes} language={original.language} />
            </Region>
          </div>
          <aside
            aria-label="About this solution"
            className={classes(
              'col-start-1 row-start-3 mt-8 flex flex-col gap-4 print:mt-0',
              !mayDecide &&
                'lg:mt-0 lg:col-start-2 lg:row-start-1 lg:row-end-4 lg:not-has-[details[open]]:[@media(min-height:872px)]:sticky lg:not-has-[details[open]]:[@media(min-height:872px)]:self-start lg:top-(--below-header) print:col-start-2 print:row-start-1',
            )}
          >
            <Region>
              <DetailsCard solution={solution}>
                <Records solution={original} hasReviews={hasReviews} isAuthor={isAuthor} />
              </DetailsCard>
            </Region>
            {translated && (
              <Region>
                <TranslationCard solution={original} {...translated} />
              </Region>
            )}
            {/* Where the whole column does not fit, its author alone stays in sight. On paper the line under the title says it. */}
            <div className={classes('print:hidden', !mayDecide && 'lg:sticky lg:top-(--below-header)')}>
              <Region>
                <AuthorCard solution={solution} />
              </Region>
            </div>
            <noscript>
              <Link to={`/solutions/${solution.id}/removal-request`} className="link">
                Request removal of an image
              </Link>
            </noscript>
          </aside>
          {mayDecide && (
            <div className="col-start-1 row-start-5 mt-8 lg:col-start-2 lg:row-start-1 lg:row-end-5 lg:mt-0">
              <ReviewPanel solution={original} />
            </div>
          )}
          <div
            className={classes(
              'col-start-1 row-start-4 flex min-w-0 flex-col gap-8 pt-8 md:gap-10 md:pt-10 print:col-end-3',
              !mayDecide && 'lg:row-start-3',
            )}
          >
            {hasBuild && (
              <section id="build-this" aria-label="Build this" className="scroll-mt-12">
                <PhoneFold summary="Build this">
                  <Region>
                    <FabricationSection
                      language={solution.language}
                      fabrication={fabrication}
                      media={media}
                      action={
                        isPublic && (
                          <Link
                            to={`/solutions/${solution.id}/workshop-sheet`}
                            className="reach link print:hidden"
                          >
                            Workshop sheet
                          </Link>
                        )
                      }
                    />
                  </Region>
                  <Region>
                    <SolutionFiles
                      language={solution.language}
                      files={files}
                      withheld={solution.withheld_files}
                    />
                  </Region>
                </PhoneFold>
              </section>
            )}
            {isPublic && (
              <>
                <Region>
                  <Trials solution={original} />
                </Region>
                <Region>
                  <SolutionUse solutionId={solution.id} />
                </Region>
                <div id={DISCUSSION} className="scroll-mt-12">
                  <Region>
                    <Discussion
                      audience={solution.audience}
                      solutionId={solution.id}
                      authorId={authorId}
                      count={solution.comments_count}
                      onCountChange={() => void refreshCounts()}
                    />
                  </Region>
                </div>
              </>
            )}
          </div>
        </div>
        <Region className="mt-14">{isPublic && <RelatedSolutions id={solution.id} />}</Region>
        {mayDecide && <Decision key={solution.updated_at} solution={solution} />}
      </div>
    </div>
  );
}

interface RecordsProps {
  solution: Solution;
  hasReviews: boolean | undefined;
  isAuthor: boolean;
}

/**
 * Versions, family and review history, folded up, under the facts, and for its author what readers will miss. Of reviews nothing is asked
 * before they are unfolded.
 */
function Records({ solution, hasReviews, isAuthor }: RecordsProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  // It can be unfolded before the page's scripts have come.
  useEffect(() => setOpen(details.current?.open ?? false), []);
  const hasVersions = solution.status === 'approved';
  const hasFamily = solution.family.length > 0;
  const parts = [
    hasVersions && 'Versions',
    hasFamily && (hasVersions ? 'family' : 'Family'),
    hasReviews && (hasVersions || hasFamily ? 'review history' : 'Review history'),
  ].filter((part) => part !== false && part !== undefined);
  if (parts.length === 0) return null;
  return (
    <details
      ref={details}
      className="mt-2 -mb-3 open-on-paper"
      onToggle={({ currentTarget }) => currentTarget.open && setOpen(true)}
    >
      <summary className="disclosure print:hidden">{new Intl.ListFormat('en-GB').format(parts)}</summary>
      <div className="flex flex-col gap-4 pt-1 pb-3">
        {hasVersions && <Versions solution={solution} />}
        {hasVersions && isAuthor && isOpen && <MissingList solution={solution} />}
        <Lineage solution={solution} />
        {hasReviews && isOpen && <PastReviews solution={solution} />}
      </div>
    </details>
  );
}
