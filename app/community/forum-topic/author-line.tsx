import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Author, authorName, professionOf } from '#app/frame/members/names.ts';
import { RegistrationBadge } from '#app/frame/members/registration-badge.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';

interface AuthorLineProps {
  userId: string | null;
  author: Author | null;
  createdAt: string;
  editedAt: string | null;
  /** The text's own address. */
  to: string;
  /** Stands beside the name. */
  mark?: ReactNode;
  /** The number of visits of a topic. */
  views?: number;
}

/** The author, the time, and whether the text was changed since. */
export function AuthorLine({ userId, author, createdAt, editedAt, to, mark, views }: AuthorLineProps) {
  const ago = useRelativeTime(createdAt);
  const name = authorName(userId, author);
  return (
    <p className="flex flex-wrap items-center gap-x-2">
      {author?.username ? (
        <Link
          to={`/members/${author.username}`}
          className="reach font-bold underline-offset-4 hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
      ) : (
        <bdi className="font-bold">{name}</bdi>
      )}
      {mark}
      <RegistrationBadge member={author} />
      <span className="dotted text-sm text-ink-3">
        {userId && <bdi>{professionOf(author)}</bdi>}
        <span>
          <Link to={to} className="reach underline-offset-4 hover:underline">
            <time dateTime={createdAt} suppressHydrationWarning>
              {ago}
            </time>
          </Link>
        </span>
        {editedAt && <time dateTime={editedAt}>edited</time>}
        {views !== undefined && (
          <span>
            {views.toLocaleString('en-GB')} {views === 1 ? 'view' : 'views'}
          </span>
        )}
      </span>
    </p>
  );
}
