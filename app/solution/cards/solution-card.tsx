import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { levelSigns } from '#app/solution/solutions/amputation-level-signs.ts';
import type { SolutionCardData } from '#app/solution/solutions/data.ts';
import { audienceLabel } from '#app/solution/solutions/value-lists.ts';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { knownText } from '#app/ui/languages/known-text.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Badge } from '#app/ui/surfaces/badge.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { formatDay } from '#app/ui/texts/dates.ts';
import { CardPicture } from './card-picture.tsx';
import { Highlighted } from './highlight.tsx';

interface SolutionCardProps {
  solution: SolutionCardData;
  /** The card's link; without one it is a picture of a card. */
  to?: string | undefined;
  /** Among the first pictures of the page. */
  eager?: boolean;
  /** Shown over the picture, for example a delete button. */
  action?: ReactNode;
  /** Beside the level, a button that saves the solution. */
  save?: ReactNode;
  headingLevel?: 2 | 3;
  /** The found terms, to be marked where they stand. */
  marked?: RegExp | undefined;
}

/** A plate above its text, or beside it where there is room for a row. */
export function SolutionCard({
  solution,
  to,
  eager,
  action,
  save,
  headingLevel = 3,
  marked,
}: SolutionCardProps) {
  const language = textLanguage(solution.language);
  const Heading = headingLevel === 2 ? 'h2' : 'h3';
  // Each has its own place, so that a reader who looks for one finds it, or its absence, at a glance.
  const evidence = [
    solution.tried_count && `Tried by ${solution.tried_count}`,
    solution.has_outcomes && 'Outcomes',
    solution.has_files && 'Build files',
  ];
  return (
    <article className="solution-card">
      <CardPicture path={solution.thumbnail_url} eager={eager} />
      <SafetyMark kind={solution.safety_kind} className="card-safety" />
      {solution.video && (
        <span className="card-video with-icon icon-play">
          <span className="sr-only">Video </span>
          {solution.video}
        </span>
      )}
      {solution.audience && (
        <span className="card-audience with-icon icon-lock">
          <span className="sr-only">For </span>
          {audienceLabel(solution.audience)}
        </span>
      )}
      <p
        className={classes('card-level', levelSigns[solution.amputation_level]?.className ?? 'before:hidden')}
      >
        <span>
          <Highlighted text={knownText(solution.amputation_level)} pattern={marked} />
        </span>
      </p>
      <Heading id={solution.id} {...language}>
        {to ? (
          <Link to={to} prefetch="intent" discover="none">
            <Highlighted text={solution.title} pattern={marked} />
          </Link>
        ) : (
          solution.title
        )}
      </Heading>
      <p {...language} className="card-description">
        <Highlighted text={solution.description} pattern={marked} />
      </p>
      <p className="card-facts">
        <Badge>{solution.occupation}</Badge>
        {solution.materials}
      </p>
      {evidence.some(Boolean) && (
        <ul aria-label="Evidence" className="card-evidence">
          {evidence.map((text, place) =>
            text ? (
              <li key={text}>{text}</li>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: an empty place is known by where it is
              <li key={place} aria-hidden />
            ),
          )}
        </ul>
      )}
      <p className="card-author">
        <bdi dir="auto" className="truncate">
          <Highlighted text={solution.author} pattern={marked} />
        </bdi>
        <span className="card-counts">
          <i role="img" aria-label="Likes" className="icon icon-heart" />
          {solution.likes_count}
          <i role="img" aria-label="Comments" className="icon icon-comment" />
          {solution.comments_count}
        </span>
      </p>
      <p className="card-date">
        <bdi>{solution.profession}</bdi>
        {' · '}
        {solution.registration && `${solution.registration} · `}
        <time dateTime={solution.day}>{formatDay(solution.day)}</time>
      </p>
      {solution.author_badges && <p className="card-date">Badges: {solution.author_badges}</p>}
      {save}
      {action && <div className="absolute top-2 start-2 z-10 m-0">{action}</div>}
    </article>
  );
}

/** The same boxes while a card is loading. */
export function SolutionCardSkeleton() {
  return (
    <div className="@container">
      <div className="flex min-w-0 flex-1 flex-col @[640px]:flex-row @[640px]:gap-7">
        <Skeleton className="aspect-video w-full shrink-0 @[640px]:w-[280px]" />
        <div className="flex-1">
          <Skeleton className="mt-4 h-4 w-2/5 @[640px]:mt-0" />
          <Skeleton className="mt-2 h-5 w-11/12" />
          <Skeleton className="mt-2 h-4 w-full" />
          <Skeleton className="mt-2 h-4 w-4/5" />
          <Skeleton className="mt-4 h-7 w-28" />
          <Skeleton className="mt-4 h-4 w-1/2" />
        </div>
      </div>
    </div>
  );
}
