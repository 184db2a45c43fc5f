import { TriangleAlert } from 'lucide-react';
import { Children } from 'react';
import { Link } from 'react-router';
import { partsOf } from '#app/frame/kinds/notice-type.ts';
import { useFileUrl } from '#app/frame/page/file-url.ts';
import { Button, buttonClass } from '#app/ui/controls/button.tsx';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import type { Notification } from './data.ts';
import { lineOf, linkOf } from './groups.ts';
import { Actors } from './notification-item.tsx';

interface WarningItemProps {
  notification: Notification;
  isMarking: boolean;
  onRead: () => void;
}

/** A warning with all that it says, until its reader says that they have read it, or opens it. */
export function WarningItem({ notification, isMarking, onRead }: WarningItemProps) {
  const fileUrl = useFileUrl();
  const ago = useRelativeTime(notification.created_at);
  const group = { latest: notification, all: [notification] };
  const { headline, about, aboutLanguage, detail, detailLanguage, safety, notice, warning, fromSite } =
    lineOf(group);
  const picture = notification.solution?.thumbnail_url;
  const subject = about && (
    <bdi {...(aboutLanguage ? textLanguage(aboutLanguage) : { dir: 'auto' })}>{about}</bdi>
  );
  const text = safety ? notice?.content : detail;
  return (
    <Banner
      tone={safety?.tone ?? 'amber'}
      level={3}
      icon={
        picture?.includes('/public/') ? (
          <Picture
            src={fileUrl(picture)}
            alt=""
            width={72}
            height={54}
            className="aspect-4/3 w-18 shrink-0 self-start rounded-sm object-cover"
          />
        ) : (
          TriangleAlert
        )
      }
      title={
        safety ? (
          <>
            {safety.choice}: {subject}
          </>
        ) : (
          Children.toArray(partsOf(headline, <Actors group={group} />, subject))
        )
      }
      className="wrap-anywhere"
    >
      {text && (
        <p
          {...(detailLanguage ? textLanguage(detailLanguage) : { dir: 'auto' })}
          className="whitespace-pre-line"
        >
          {text}
        </p>
      )}
      <p className="mt-1 text-sm">
        {safety && (
          <>
            {fromSite ? (
              headline
            ) : (
              <>
                Safety notice by <Actors group={group} />
              </>
            )}
            {' · '}
          </>
        )}
        <time dateTime={notification.created_at} suppressHydrationWarning>
          {ago}
        </time>
      </p>
      <p className="mt-3 flex flex-wrap gap-2">
        <Link to={linkOf(group)} onClick={onRead} className={buttonClass('default')}>
          {warning?.open}
          {about && <span className="sr-only">: {about}</span>}
        </Link>
        <Button onClick={onRead} busy={isMarking && 'Marking'}>
          I’ve read this
          {about && <span className="sr-only">: {about}</span>}
        </Button>
      </p>
    </Banner>
  );
}
