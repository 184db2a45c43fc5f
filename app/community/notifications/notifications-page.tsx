import { Bell, CheckCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { noticeTypes } from '#app/notice-types.ts';
import { useRequiredMember } from '#app/require-sign-in.ts';
import { useViewer } from '#app/session.ts';
import { CLOSED, pageTitle } from '#app/site.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { SegmentedControl } from '#app/ui/controls/segmented-control.tsx';
import { Switch } from '#app/ui/controls/switch.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { MoreButton } from '#app/ui/states/more-button.tsx';
import { Region } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Count } from '#app/ui/surfaces/badge.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { type Filter, type Notification, PAGE_SIZE } from './data.ts';
import { byTime, groupNotifications, isRecall } from './groups.ts';
import { NotificationItem } from './notification-item.tsx';
import { useNotifications } from './use-notifications.ts';
import { WarningItem } from './warning-item.tsx';

const filters: { value: Filter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'comments', label: 'Comments' },
  { value: 'likes', label: 'Likes' },
  { value: 'messages', label: 'Messages' },
];

export const handle = CLOSED;

export const meta = () => [{ title: pageTitle('Notifications') }, { name: 'robots', content: 'noindex' }];

export default function NotificationsPage() {
  const member = useRequiredMember();
  return (
    <div className="page py-8 md:py-10">
      <div className="page-column">
        {member ? <Notifications key={member.id} memberId={member.id} /> : <NotificationRows />}
      </div>
    </div>
  );
}

function Notifications({ memberId }: { memberId: string }) {
  const unread = useViewer()?.unreadNotifications ?? 0;
  const [filter, setFilter] = useState<Filter>('all');
  const [unreadOnly, setUnreadOnly] = useState(false);
  const { query, warnings, read, readAll } = useNotifications(memberId, filter, unreadOnly);
  const shown = query.data?.pages.flat();
  const unreadWarnings = warnings.data ?? [];
  // The count leaves out what is of a message, which is counted with the messages.
  const counted = unreadWarnings.filter(({ message }) => !message).length;
  const anyUnread = unread > counted || shown?.some((one) => !one.is_read) === true;
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="flex min-h-11 flex-wrap items-center gap-x-3 text-2xl md:text-3xl">
          Notifications
          <Count value={unread} />
          {unread > 0 && <span className="sr-only"> unread</span>}
        </h1>
        <SegmentedControl
          legend="Which notifications"
          name="filter"
          options={filters}
          value={filter}
          onChange={setFilter}
          className="min-w-0 max-sm:w-full max-sm:overflow-x-auto"
        />
        {/* The button appears and disappears, which must not move a control that is being pressed. */}
        <div className="flex grow flex-wrap items-center sm:justify-end sm:gap-4">
          {anyUnread && (
            <Button
              variant="quiet"
              size="bar"
              className="max-sm:-ms-4"
              busy={readAll.isPending && 'Marking'}
              onClick={() => readAll.mutate()}
            >
              <CheckCheck className="size-5" strokeWidth={1.75} aria-hidden />
              Mark all read
            </Button>
          )}
          <Switch checked={unreadOnly} onChange={setUnreadOnly} className="max-sm:ms-auto">
            Unread only
          </Switch>
        </div>
      </div>
      <p role="status" className="sr-only">
        {read.isSuccess && `Marked as read. Warnings not yet read: ${unreadWarnings.length}.`}
      </p>
      {warnings.isError && shown && (
        <LoadFailed
          title="Failed to load warnings"
          onRetry={() => void warnings.refetch()}
          className="mb-6"
        />
      )}
      <Region>
        {() => (
          <>
            <Warnings title="Safety" about="safety" unread={unreadWarnings} read={read} />
            <Warnings title="From the moderators" about="moderation" unread={unreadWarnings} read={read} />
          </>
        )}
      </Region>
      {shown ? (
        shown.length > 0 ? (
          <Region>
            {() => (
              <div className={`transition-opacity ${query.isPlaceholderData ? 'opacity-60' : ''}`}>
                {byTime(groupNotifications(shown)).map(({ title, groups }) => (
                  <section key={title} aria-label={title} className="mt-6 first:mt-0">
                    <h2 className="mb-2 text-base font-bold text-ink-2">{title}</h2>
                    <ul className="divide-y overflow-clip rounded-md border max-md:-mx-4 max-md:rounded-none max-md:border-x-0">
                      {groups.map((group) => (
                        <li key={group.latest.id}>
                          <NotificationItem
                            group={group}
                            onOpen={() => !group.latest.is_read && read.mutate(group.all.map(({ id }) => id))}
                          />
                        </li>
                      ))}
                    </ul>
                  </section>
                ))}
                <MoreButton query={query} className="mt-6 w-full">
                  Show {PAGE_SIZE} earlier
                </MoreButton>
              </div>
            )}
          </Region>
        ) : (
          // Warnings are notifications too.
          !warnings.isPending &&
          (filter !== 'all' || unreadWarnings.length === 0) && (
            <EmptyState icon={Bell}>
              {unreadOnly ? 'No unread notifications' : 'No notifications yet'}
            </EmptyState>
          )
        )
      ) : query.isError ? (
        <LoadFailed
          title="Failed to load notifications"
          onRetry={() => void Promise.all([query.refetch(), warnings.refetch()])}
        />
      ) : (
        <NotificationRows />
      )}
      {/* With the list, which would move it. */}
      {!query.isPending && (
        <p className="mt-8">
          <Link to="/reports" className="link">
            My reports and suggestions
          </Link>
        </p>
      )}
    </>
  );
}

interface WarningsProps {
  title: string;
  about: 'safety' | 'moderation';
  unread: Notification[];
  read: ReturnType<typeof useNotifications>['read'];
}

/** The warnings of one kind that were not read, whichever notifications the list below is narrowed to. */
function Warnings({ title, about, unread, read }: WarningsProps) {
  const ofKind = unread
    .filter(({ type }) => noticeTypes[type]?.warning?.about === about)
    // What harms before what may, however old it is.
    .toSorted((one, other) => Number(isRecall(other)) - Number(isRecall(one)));
  if (ofKind.length === 0) return null;
  return (
    <section aria-label={title} className="mb-6">
      <h2 className="mb-2 text-base font-bold">
        {title}: {ofKind.length} not yet read
      </h2>
      <ul className="flex flex-col gap-2">
        {ofKind.map((notification) => (
          <li key={notification.id}>
            <WarningItem
              notification={notification}
              isMarking={read.isPending && read.variables.includes(notification.id)}
              onRead={() => read.mutate([notification.id])}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NotificationRows() {
  return (
    <div role="status" aria-label="Loading notifications">
      <Skeleton className="mb-3 h-5 w-16" />
      <div className="divide-y overflow-clip rounded-md border max-md:-mx-4 max-md:rounded-none max-md:border-x-0">
        {[0, 1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="flex gap-3 bg-surface px-4 py-4">
            <Skeleton className="size-10 rounded-full" />
            <div className="flex-1">
              <Skeleton className="h-5 w-2/3" />
              <Skeleton className="mt-2 h-5 w-1/2" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
