import { Link } from 'react-router';
import { replyUrl } from '#app/frame/kinds/paths.ts';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { authorName, professionOf } from '#app/frame/members/names.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { categoryLabel } from './categories.ts';
import type { TopicCard as Card } from './data.ts';
import { stripMarkdown } from './strip-markdown.ts';
import { TopicBadges } from './topic-badges.tsx';

/** A row of the list; all of it is one link. */
export function TopicCard({ topic }: { topic: Card }) {
  const ago = useRelativeTime(topic.created_at);
  const { author, user_id: authorId, found } = topic;
  const name = authorName(authorId, author);
  const counts = [
    [topic.posts_count, topic.posts_count === 1 ? 'reply' : 'replies'],
    [topic.views_count, topic.views_count === 1 ? 'view' : 'views'],
  ] as const;
  return (
    <article className="group relative grid grid-cols-[40px_minmax(0,1fr)] gap-x-4 border-t py-5 md:grid-cols-[40px_minmax(0,1fr)_auto]">
      <MemberAvatar name={name} member={author} />
      <div className="min-w-0">
        <h2 {...textLanguage(topic.language)} className="text-lg font-bold wrap-anywhere">
          <Link
            to={found ? replyUrl(topic.id, found.id) : `/forum/${topic.id}`}
            className="underline-offset-4 group-hover:underline after:absolute after:inset-0"
          >
            {topic.title}
          </Link>
        </h2>
        {found ? (
          <p className="line-clamp-2 text-ink-2">
            <span className="font-medium">In a reply:</span>{' '}
            <bdi {...textLanguage(found.language)}>{stripMarkdown(found.excerpt)}</bdi>
          </p>
        ) : (
          topic.excerpt && (
            <p {...textLanguage(topic.language)} className="line-clamp-2 text-ink-2 md:line-clamp-1">
              {stripMarkdown(topic.excerpt)}
            </p>
          )
        )}
        <p className="mt-2 flex min-h-7 flex-wrap items-center gap-x-2 text-sm text-ink-2">
          <TopicBadges topic={topic} />
          <span>{categoryLabel(topic.category)}</span>
          <span aria-hidden className="max-lg:hidden">
            ·
          </span>
          <span className="min-w-0 max-md:basis-full">
            <bdi>{name}</bdi>
            {authorId && (
              <>
                , <bdi>{professionOf(author)}</bdi>
              </>
            )}
          </span>
        </p>
      </div>
      <div className="mt-1 flex flex-wrap gap-x-4 text-sm text-ink-3 max-md:col-start-2 md:mt-0 md:text-end">
        {counts.map(([count, unit]) => (
          <p key={unit} className="md:w-16">
            <span className="font-bold text-ink md:block md:text-base">{count.toLocaleString('en-GB')}</span>{' '}
            {unit}
          </p>
        ))}
        <time dateTime={topic.created_at} suppressHydrationWarning className="md:w-28">
          {ago}
        </time>
      </div>
    </article>
  );
}

/** The outline of a card, shown while the list or more of it is loaded. */
export function TopicCardSkeleton() {
  return (
    <div className="flex gap-4 border-t py-5">
      <Skeleton className="size-10 rounded-full" />
      <div className="flex-1">
        <Skeleton className="h-5 w-3/5" />
        <Skeleton className="mt-2 h-5" />
        <Skeleton className="mt-3 h-5 w-2/5" />
      </div>
    </div>
  );
}
