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

const frame = 'flex min-w-0 flex-1 flex-col @[640px]:flex-row @[640px]:gap-7';

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
  const { author, materials } = solution;
  return (
    <article className="group @container relative flex min-w-0">
      <div className={frame}>
        <div className="relative shrink-0 @[640px]:w-[280px]">
          <CardPicture path={solution.thumbnail_url || heroImage} eager={eager} />
          {isSafetyKind(solution.safety_kind) && (
            <Badge tone={safetyKinds[solution.safety_kind].tone} className="absolute bottom-2.5 left-2.5">
              <SpriteIcon name="alert" className="size-4 stroke-2" />
              <span className="sr-only">Safety notice: </span>
              {safetyKinds[solution.safety_kind].badge}
            </Badge>
          )}
          {solution.video_seconds !== null && (
            <span className="absolute top-2.5 right-2.5 inline-flex h-7 items-center gap-1.5 rounded-sm bg-over-picture px-2.5 text-sm text-white">
              <SpriteIcon name="play" className="size-4 stroke-2" />
              <span className="sr-only">Video, </span>
              {formatDuration(solution.video_seconds)}
            </span>
          )}
        </div>
        <div className="flex min-w-0 flex-1 flex-col">
          <p className="mt-3 flex items-center gap-2 text-sm font-medium text-accent-ink @[640px]:mt-0">
            <AmputationLevelIcon level={solution.amputation_level} />
            {solution.amputation_level}
          </p>
          <Heading className="mt-1 line-clamp-3 text-lg font-title text-pretty wrap-anywhere">
            {to ? (
              <Link
                to={to}
                prefetch="intent"
                className="decoration-1 underline-offset-4 group-hover:underline after:absolute after:inset-0 after:rounded-md focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:outline-offset-4 focus-visible:after:outline-focus"
              >
                <Highlighted text={solution.title} pattern={marked} />
              </Link>
            ) : (
              solution.title
            )}
          </Heading>
          <p className="mt-1.5 line-clamp-2 text-ink-2 wrap-anywhere">
            <Highlighted text={solution.description} pattern={marked} />
          </p>
          <div className="mt-2.5 mb-3 flex flex-col items-start gap-1.5 @[380px]:flex-row @[380px]:items-center @[380px]:gap-2.5">
            <Badge>{solution.occupation}</Badge>
            {materials.length > 0 && (
              <p className="min-w-0 text-sm text-ink-2">
                {materials.slice(0, 2).join(', ')}
                {materials.length > 2 && <span className="font-medium"> +{materials.length - 2} more</span>}
              </p>
            )}
          </div>
          <div className="mt-auto flex items-center gap-3 text-sm @[640px]:mt-0">
            <p className="flex min-w-0 items-center gap-1.5 font-title">
              <span className="truncate">{authorName(solution.user_id, author, unknown)}</span>
              {solution.badges.slice(0, 2).map((badge) => (
                <span key={badge.name} className="shrink-0 text-warm" title={badge.name}>
                  <SpriteIcon name="award" className="size-4 stroke-2" />
                  <span className="sr-only">{badge.name}</span>
                </span>
              ))}
            </p>
            <p className="ml-auto flex shrink-0 items-center gap-3 text-ink-2">
              <span className="inline-flex items-center gap-1.5">
                <SpriteIcon name="heart" className="size-[18px] stroke-[1.75]" />
                {solution.likes_count}
                <span className="sr-only"> likes</span>
              </span>
              <span className="inline-flex items-center gap-1.5">
                <SpriteIcon name="comment" className="size-[18px] stroke-[1.75]" />
                {solution.comments_count}
                <span className="sr-only"> comments</span>
              </span>
            </p>
          </div>
          <p className="text-sm text-ink-3">
            {professionOf(author)} ·{' '}
            <time dateTime={solution.created_at}>{formatDay(solution.created_at)}</time>
          </p>
        </div>
      </div>
      {action && <div className="absolute top-2 left-2 z-10">{action}</div>}
    </article>
  );
}

/** The same boxes while a card is loading. */
export function SolutionCardSkeleton() {
  return (
    <div className="@container">
      <div className={frame}>
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
