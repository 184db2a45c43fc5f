import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { authorName, professionOf } from '#app/members/names.ts';
import { Badge } from '#app/ui/badge.tsx';
import { formatDay, formatDuration } from '#app/ui/dates.ts';
import { SpriteIcon } from '#app/ui/icon-sprite.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { AmputationLevelIcon } from './amputation-level-icon.tsx';
import { CardPicture } from './card-picture.tsx';
import type { SolutionCardData } from './data.ts';
import { Highlighted } from './highlight.tsx';
import heroImage from './knee.svg';
import { isSafetyKind, safetyKinds } from './safety-notice-kinds.ts';

interface SolutionCardProps {
  solution: SolutionCardData;
  /** The card's link; without one it is a picture of a card. */
  to?: string | undefined;
  /** Among the first pictures of the page. */
  eager?: boolean;
  /** Shown over the picture, for example a delete button. */
  action?: ReactNode;
  headingLevel?: 2 | 3;
  /** The found terms, to be marked in title and description. */
  marked?: RegExp | undefined;
  /** Shown for an author whose profile cannot be read. */
  unknown?: string;
}

/** A plate above its text, or beside it where there is room for a row. */
export function SolutionCard({
  solution,
  to,
  eager,
  action,
  headingLevel = 3,
  marked,
  unknown = 'Anonymous',
}: SolutionCardProps) {
  const Heading = headingLevel === 2 ? 'h2' : 'h3';
  return (
    <article className="solution-card">
      <div>
        <div className="relative shrink-0">
          <CardPicture path={solution.thumbnail_url || heroImage} eager={eager} />
          {isSafetyKind(solution.safety_kind) && (
            <Badge tone={safetyKinds[solution.safety_kind].tone} className="absolute bottom-2.5 left-2.5">
              <SpriteIcon name="alert" />
              <span className="sr-only">Safety notice: </span>
              {safetyKinds[solution.safety_kind].badge}
            </Badge>
          )}
          {solution.video_seconds !== null && (
            <span className="absolute top-2.5 right-2.5 inline-flex h-7 items-center gap-1.5 rounded-sm bg-over-picture px-2.5 text-sm text-white">
              <SpriteIcon name="play" className="size-4 stroke-2" label="Video" />
              {formatDuration(solution.video_seconds)}
            </span>
          )}
        </div>
        <p className="card-level">
          <AmputationLevelIcon level={solution.amputation_level} />
          {solution.amputation_level}
        </p>
        <Heading>
          {to ? (
            <Link to={to} prefetch="intent" discover="none">
              <Highlighted text={solution.title} pattern={marked} />
            </Link>
          ) : (
            solution.title
          )}
        </Heading>
        <p className="card-description">
          <Highlighted text={solution.description} pattern={marked} />
        </p>
        <p className="card-facts">
          <Badge>{solution.occupation}</Badge>
          {materialsLine(solution.materials)}
        </p>
        <p className="card-author">
          <span className="truncate">{authorName(solution.user_id, solution.author, unknown)}</span>
          {solution.badges.slice(0, 2).map(({ name }) => (
            <span key={name} title={name}>
              <SpriteIcon name="award" label={name} />
            </span>
          ))}
          <span className="card-counts">
            <SpriteIcon name="heart" label="Likes" />
            {solution.likes_count}
            <SpriteIcon name="comment" label="Comments" />
            {solution.comments_count}
          </span>
        </p>
        <p className="card-date">
          {`${professionOf(solution.author)} · `}
          <time dateTime={solution.created_at}>{formatDay(solution.created_at)}</time>
        </p>
      </div>
      {action && <div className="absolute top-2 left-2 z-10">{action}</div>}
    </article>
  );
}

/** The first two, and how many there are besides. */
function materialsLine(materials: string[]): string {
  const more = materials.length - 2;
  return materials.slice(0, 2).join(', ') + (more > 0 ? ` +${more} more` : '');
}

/** The same boxes while a card is loading. */
export function SolutionCardSkeleton() {
  return (
    <div className="@container">
      <div className="flex min-w-0 flex-1 flex-col @[640px]:flex-row @[640px]:gap-7">
        <Skeleton className="aspect-video w-full shrink-0 @[640px]:w-[280px]" />
        <div className="flex-1">
          <Skeleton className="mt-3.5 h-4 w-2/5 @[640px]:mt-0.5" />
          <Skeleton className="mt-2.5 h-5 w-11/12" />
          <Skeleton className="mt-2.5 h-4 w-full" />
          <Skeleton className="mt-2 h-4 w-4/5" />
          <Skeleton className="mt-3.5 h-7 w-28" />
          <Skeleton className="mt-4 h-4 w-1/2" />
        </div>
      </div>
    </div>
  );
}
