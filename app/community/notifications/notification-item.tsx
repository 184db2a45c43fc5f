import {
  Award,
  CircleCheck,
  CircleX,
  Clock,
  Eye,
  EyeOff,
  Link2Off,
  type LucideIcon,
  Scale,
  ShieldAlert,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import { Children, type ReactNode } from 'react';
import { Link } from 'react-router';
import { type NoticeIcon, partsOf } from '#app/frame/kinds/notice-type.ts';
import { MemberAvatar } from '#app/frame/members/member-avatar.tsx';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { ResultBadge } from '#app/sharing/trials/result-badge.tsx';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { actorOf, actorsOf, type Group, lineOf, linkOf } from './groups.ts';

const icons: Record<NoticeIcon, LucideIcon> = {
  alert: TriangleAlert,
  award: Award,
  check: CircleCheck,
  clock: Clock,
  delete: Trash2,
  hidden: EyeOff,
  licence: Scale,
  'link-off': Link2Off,
  rejected: CircleX,
  shield: ShieldAlert,
  shown: Eye,
};

/**
 * One line of the list: the whole of it is a link to the notification's subject. On phones the time is below the text.
 */
export function NotificationItem({ group, onOpen }: { group: Group; onOpen: () => void }) {
  const fileUrl = useFileUrl();
  const { latest } = group;
  const ago = useRelativeTime(latest.created_at);
  const line = lineOf(group);
  const unread = !latest.is_read;
  const Icon = line.icon && icons[line.icon];
  const picture = latest.solution?.thumbnail_url;
  const written = line.detailLanguage ? textLanguage(line.detailLanguage) : { dir: 'auto' };
  const subject = line.about && (
    <bdi
      {...(line.aboutLanguage ? textLanguage(line.aboutLanguage) : { dir: 'auto' })}
      className="font-bold group-hover:underline"
    >
      {line.about}
    </bdi>
  );
  return (
    <Link
      to={linkOf(group)}
      onClick={onOpen}
      className={`group grid grid-cols-[64px_minmax(0,1fr)] gap-x-3 gap-y-1 px-4 py-3 -outline-offset-3 md:grid-cols-[64px_minmax(0,1fr)_auto] md:gap-x-4 ${unread ? 'bg-surface' : 'bg-bg'}`}
    >
      <span className="relative flex h-12 items-center justify-center self-start rounded-sm bg-chip text-ink-2 max-md:row-span-2">
        {picture?.includes('/public/') ? (
          <Picture
            src={fileUrl(picture)}
            alt=""
            loading="lazy"
            width={64}
            height={48}
            className="aspect-4/3 w-full rounded-sm object-cover"
          />
        ) : Icon ? (
          <Icon className="size-5" strokeWidth={1.75} aria-hidden />
        ) : (
          <MemberAvatar name={actorOf(latest)} member={latest.actor} size={40} />
        )}
        {unread && (
          <span className="absolute -top-1 -start-1 size-3 rounded-full border-2 border-surface bg-warm forced-colors:bg-[CanvasText]">
            <span className="sr-only">New: </span>
          </span>
        )}
      </span>
      <span className="min-w-0">
        <SafetyMark kind={latest.solution?.safety_kind} className="mb-1" />
        <span className="block wrap-anywhere">
          {line.counts ? (
            <Counts group={group} counts={line.counts} subject={subject} />
          ) : (
            Children.toArray(partsOf(line.headline, <Actors group={group} />, subject))
          )}
        </span>
        {line.detail && (
          <span
            {...(line.isNewest ? {} : written)}
            className={classes(
              'text-ink-2 wrap-anywhere',
              line.isWhole ? 'block whitespace-pre-line' : 'line-clamp-2 md:line-clamp-1',
            )}
          >
            {line.isNewest ? (
              <>
                Newest: “<bdi {...written}>{line.detail}</bdi>”
              </>
            ) : (
              line.detail
            )}
          </span>
        )}
        {line.result && (
          <span className="mt-2 block">
            <ResultBadge result={line.result} />
          </span>
        )}
      </span>
      <time
        dateTime={latest.created_at}
        className="text-sm whitespace-nowrap text-ink-3 max-md:col-start-2"
        suppressHydrationWarning
      >
        {ago}
      </time>
    </Link>
  );
}

interface CountsProps {
  group: Group;
  counts: string;
  subject: ReactNode;
}

/** What several notifications of one thing have come to, the thing first. */
function Counts({ group, counts, subject }: CountsProps) {
  if (actorsOf(group).names.length === 0)
    return (
      <>
        <span className="sr-only">About </span>
        {subject}: {counts}
      </>
    );
  return (
    <>
      <span className="sr-only">About </span>
      {subject}: {counts} by <Actors group={group} />
    </>
  );
}

/** Who acted: each name keeps its own direction, and the words between them that of the page. */
export function Actors({ group }: { group: Group }) {
  const {
    names: [first, second],
    others,
  } = actorsOf(group);
  return (
    <span className="font-bold">
      {others > 0 ? (
        <>
          <bdi>{first}</bdi> and {others} {others === 1 ? 'other' : 'others'}
        </>
      ) : second ? (
        <>
          <bdi>{first}</bdi> and <bdi>{second}</bdi>
        </>
      ) : (
        <bdi>{first}</bdi>
      )}
    </span>
  );
}
