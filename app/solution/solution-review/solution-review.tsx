import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CaseSkeleton } from '#app/frame/kinds/case-skeleton.tsx';
import type { ReviewProps } from '#app/frame/kinds/kind.ts';
import { useMember } from '#app/session.ts';
import { FabricationSection } from '#app/solution/fabrication/fabrication-view.tsx';
import { SolutionFiles } from '#app/solution/file-viewer/solution-files.tsx';
import { Lineage } from '#app/solution/lineage/lineage.tsx';
import { Gallery } from '#app/solution/media-viewer/gallery.tsx';
import { SolutionOutcomes } from '#app/solution/outcomes/solution-outcomes.tsx';
import { CaseHead } from '#app/solution/review/case-head.tsx';
import { consentText, reviewsQuery } from '#app/solution/review/data.ts';
import { Decision } from '#app/solution/review/decision.tsx';
import { NoDecision } from '#app/solution/review/decision-bar.tsx';
import { ReviewHistory } from '#app/solution/review/review-history.tsx';
import { ReviewedAudience } from '#app/solution/review/reviewed-audience.tsx';
import { levelSigns } from '#app/solution/solutions/amputation-level-signs.ts';
import { solutionQuery } from '#app/solution/solutions/data.ts';
import { Fact } from '#app/solution/solutions/fact.tsx';
import { SolutionText } from '#app/solution/solutions/solution-text.tsx';
import { factsOf } from '#app/solution/solutions/value-lists.ts';
import { contentOf } from '#app/solution/versions/content.ts';
import { browserClient } from '#app/supabase.ts';
import { languageName, textLanguage } from '#app/ui/languages/languages.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { lazyPart } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { AuthorHistory } from './author-history.tsx';

// Most solutions are submitted once.
const Comparison = lazyPart(
  () => import('#app/solution/versions/comparison.tsx'),
  'Comparison',
  <Skeleton className="mb-6 h-40" />,
);

const RevisionComparison = lazyPart(
  () => import('#app/solution/versions/revision-comparison.tsx'),
  'RevisionComparison',
  <Skeleton className="mb-6 h-40" />,
);

const SUBMISSIONS = [
  'First submission',
  'Second submission',
  'Third submission',
  'Fourth submission',
  'Fifth submission',
];

/** One waiting solution as readers will see it, with the consent, the history and the decision below it. */
export function SolutionReview({ id, submittedAt, isOwn, viewer }: ReviewProps) {
  const member = useMember();
  const solutionResult = useQuery({ ...solutionQuery(browserClient, id), enabled: member != null });
  const solution = solutionResult.data;
  const { data: reviews, isPending } = useQuery({
    ...reviewsQuery(browserClient, id, solution?.revises),
    enabled: solution != null,
  });
  if (solutionResult.isError && !solution)
    return (
      <LoadFailed isTold title="Failed to load solution" onRetry={() => void solutionResult.refetch()} />
    );
  // What was found in the text stands above it, and would move it.
  if (!solution || isPending) return <CaseSkeleton />;
  const submissions = reviews?.history.filter(({ decision }) => decision.endsWith('submitted')) ?? [];
  const replaced = submissions.at(-1)?.replaced;
  return (
    <>
      <article className="min-w-0">
        <CaseHead
          title={<span {...textLanguage(solution.language)}>{solution.title}</span>}
          marks={
            <>
              {solution.revises && <Badge tone="accent">New version</Badge>}
              {submissions.length > 1 && !solution.revises && (
                <span className="text-ink-2">
                  {SUBMISSIONS[submissions.length - 1] ?? `${submissions.length}th submission`}
                </span>
              )}
            </>
          }
          authorId={solution.user_id}
          author={solution.author}
          submittedAt={submittedAt}
          identifiers={reviews?.identifiers}
        />
        {solution.revises ? (
          <RevisionComparison solution={solution} />
        ) : (
          replaced != null && (
            <Comparison
              title="Changed since the last submission"
              before={replaced}
              after={contentOf(solution)}
              media={solution.media}
            />
          )
        )}
        {solution.media.length > 0 && (
          <Gallery media={solution.media} title={solution.title} language={solution.language} />
        )}
        <div className="mt-6">
          <SolutionText solution={solution} />
          <SolutionOutcomes outcomes={solution.outcomes} language={solution.language} />
          <FabricationSection
            language={solution.language}
            fabrication={solution.fabrication}
            media={solution.media}
          />
          <SolutionFiles language={solution.language} files={solution.files} />
        </div>
        <dl className="mt-8 rounded-md border bg-surface px-5 py-3 *:first:border-t-0 md:px-6">
          {factsOf(solution).map(({ column, label, text }) => (
            <Fact key={column} name={label}>
              {column === 'amputation_level' ? (
                <span className="flex items-center gap-2">
                  <span
                    className={classes(
                      'icon size-[22px] text-accent',
                      levelSigns[solution.amputation_level]?.className,
                    )}
                  />
                  {text}
                </span>
              ) : (
                text
              )}
            </Fact>
          ))}
          <Fact name="Language">{languageName(solution.language)}</Fact>
        </dl>
        <div className="mt-4 rounded-md border bg-surface px-5 empty:hidden md:px-6">
          <Lineage solution={solution} />
        </div>
      </article>
      {/* Below, so that the images, by which a person is recognised, have all of the width. */}
      {reviews && (
        <aside
          aria-label="About this case"
          className="mt-8 grid gap-5 rounded-md border bg-surface px-5 py-5 sm:grid-cols-2 md:px-6"
        >
          <Aside title="Who can see it">
            <p>
              <ReviewedAudience solution={solution} now={reviews.audience} />
            </p>
          </Aside>
          <Aside title="Consent">
            {reviews.consent ? (
              <>
                <p>{consentText(reviews.consent)}</p>
                <p className="text-sm text-ink-3">
                  {formatDay(reviews.consent.recorded_at)} · text version {reviews.consent.statement_version}
                </p>
              </>
            ) : (
              <p className="text-red-ink">No consent statement was given</p>
            )}
          </Aside>
          <Aside title="History">
            <ReviewHistory history={reviews.history} />
          </Aside>
          {solution.user_id && (
            <Aside title="Earlier decisions on this author">
              <AuthorHistory authorId={solution.user_id} except={solution.revises ?? id} />
            </Aside>
          )}
        </aside>
      )}
      {isOwn && !viewer.isAdmin ? (
        <NoDecision>This is your own solution. Another moderator must review it.</NoDecision>
      ) : (
        <Decision key={solution.updated_at} solution={solution} />
      )}
    </>
  );
}

function Aside({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-sm text-ink-3">{title}</h3>
      {children}
    </section>
  );
}
