import { Award, CircleCheck, CircleX, Eye, EyeOff, ShieldAlert, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { useFileUrl } from '#app/file-url.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { useRelativeTime } from '#app/ui/relative-time.ts';
import { actorsOf, type Group, lineOf, linkOf } from './groups.ts';

const icons: Record<string, typeof Award> = {
  solution_approved: CircleCheck,
  solution_rejected: CircleX,
  badge_earned: Award,
  content_deleted: Trash2,
  takedown_request: ShieldAlert,
  media_hidden: EyeOff,
  media_removed: EyeOff,
  media_restored: Eye,
};

/** One line of the list: the whole of it is a link to the notification's subject. */
export function NotificationItem({ group, onOpen }: { group: Group; onOpen: () => void }) {
  const fileUrl = useFileUrl();
  const { latest } = group;
  const ago = useRelativeTime(latest.created_at);
  const { headline, about, detail, fromSite } = lineOf(latest);
  const unread = !latest.is_read;
  const Icon = icons[latest.type] ?? Award;
  const actors = actorsOf(group);
  const picture = latest.solution?.thumbnail_url;
  return (
    <Link
      to={linkOf(latest)}
      onClick={onOpen}
      className={`group flex gap-3 px-3 py-4 -outline-offset-3 md:px-4 ${unread ? 'bg-surface' : 'bg-bg'}`}
    >
      <span className="flex h-10 w-2.5 shrink-0 items-center">
        {unread && (
          <span className="size-2.5 rounded-full bg-warm">
            <span className="sr-only">New: </span>
          </span>
        )}
      </span>
      {fromSite ? (
        <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-chip text-ink-2">
          <Icon className="size-5" strokeWidth={1.75} aria-hidden />
        </span>
      ) : (
        <Avatar
          name={actorsOf({ latest, all: [latest] })}
          src={latest.actor?.avatar_url ? fileUrl(latest.actor.avatar_url) : null}
          size={40}
        />
      )}
      <span className="min-w-0 flex-1 md:flex md:gap-3">
        <span className="block min-w-0 flex-1">
          <span className="block wrap-anywhere">
            {!fromSite && <span className="font-bold">{actors} </span>}
            {fromSite && about ? `${headline}:` : headline}{' '}
            {about && <span className="font-bold group-hover:underline">{about}</span>}
          </span>
          {detail && <span className="mt-0.5 line-clamp-1 text-ink-2 wrap-anywhere">{detail}</span>}
        </span>
        <time
          dateTime={latest.created_at}
          className="mt-0.5 block shrink-0 text-sm text-ink-3 md:mt-0.5 md:text-right"
          suppressHydrationWarning
        >
          {ago}
        </time>
      </span>
      <span className="w-[72px] shrink-0 max-sm:w-14">
        {picture?.includes('/public/') && (
          <img
            src={fileUrl(picture)}
            alt=""
            loading="lazy"
            width={72}
            height={54}
            className="picture aspect-4/3 w-full rounded-sm object-cover"
          />
        )}
      </span>
    </Link>
  );
}
