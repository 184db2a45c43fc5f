import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowLeft, ArrowUp, CornerDownLeft, Inbox, type LucideIcon } from 'lucide-react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { CaseSkeleton } from '#app/frame/kinds/case-skeleton.tsx';
import { waitingKinds } from '#app/kinds.ts';
import { reviewsQuery } from '#app/solution/review/data.ts';
import { solutionQuery } from '#app/solution/solutions/data.ts';
import { isNotedKind, notesQuery } from '#app/solution/staff-notes/data.ts';
import { StaffNotes } from '#app/solution/staff-notes/staff-notes.tsx';
import { browserClient } from '#app/supabase.ts';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { lazyPart } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { useWide } from '#app/ui/states/use-wide.ts';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { CaseOutcome } from './case-outcome.tsx';
import { type QueueItem, queueQuery, queueSummaryQuery } from './data.ts';
import { QueueRow } from './queue-row.tsx';

const waiting = <CaseSkeleton />;
const ReportReview = lazyPart(
  () => import('#app/moderation/reports/report-review.tsx'),
  'ReportReview',
  waiting,
);
const reviews = new Map(
  [...waitingKinds].map(([kind, { review }]) => [
    kind,
    review ? lazyPart(review, undefined, waiting) : ReportReview,
  ]),
);

/** What is said of all kinds together when the list is empty or cannot be loaded. */
const ALL = { failed: 'Failed to load the review queue', empty: 'Nothing to review here' };

interface ReviewQueueProps {
  /** Shows only this kind; all kinds, with a choice, if not given. */
  kind?: string;
  viewer: { id: string; isAdmin: boolean };
}

/** The items that wait for a moderator, and the chosen one beside them. */
export function ReviewQueue({ kind, viewer }: ReviewQueueProps) {
  const [params, setParams] = useSearchParams();
  const queue = useQuery(queueQuery(browserClient, kind));
  const unclaimedOnly = params.get('free') === '1';
  const texts = waitingKinds.get(kind ?? '') ?? ALL;
  // The open item stays, also where it is another moderator's: a filter of the list takes no case away.
  const openId = itemOf(params);
  const isElsewhere = queue.data?.some((item) => isClaimedByOther(item, viewer.id));
  const items = queue.data?.filter(
    (item) => !unclaimedOnly || item.id === openId || !isClaimedByOther(item, viewer.id),
  );
  return (
    <div>
      {(isElsewhere || unclaimedOnly) && (
        <Checkbox
          checked={unclaimedOnly}
          onChange={({ target }) =>
            setParams(
              (before) => {
                if (target.checked) before.set('free', '1');
                else before.delete('free');
                return before;
              },
              { preventScrollReset: true },
            )
          }
        >
          Hide what others have open
        </Checkbox>
      )}
      {items && (items.length > 0 || openId !== null) ? (
        <Queue kind={kind} items={items} viewer={viewer} />
      ) : items ? (
        <EmptyState icon={Inbox}>{texts.empty}</EmptyState>
      ) : queue.isError ? (
        <LoadFailed isTold title={texts.failed} onRetry={() => void queue.refetch()} />
      ) : (
        <div className={columns} role="status" aria-label="Loading the queue">
          <div className="flex flex-col gap-4">
            {[1, 2, 3, 4].map((row) => (
              <Skeleton key={row} className="h-[84px]" />
            ))}
          </div>
          <div className="max-lg:hidden">
            <CaseSkeleton />
          </div>
        </div>
      )}
    </div>
  );
}

const columns = 'grid grid-cols-[minmax(0,1fr)] gap-x-7 gap-y-8 lg:grid-cols-[280px_minmax(0,1fr)]';

/** Whether another moderator has opened it. */
const isClaimedByOther = ({ claimed_by }: QueueItem, viewerId: string | undefined) =>
  claimed_by !== null && claimed_by !== viewerId;

/** The item that an address names; emails from before 1.1 call a removal request by another name. */
const itemOf = (params: URLSearchParams) => params.get('item') ?? params.get('request');

interface QueueProps {
  kind: string | undefined;
  items: QueueItem[];
  viewer: ReviewQueueProps['viewer'];
}

function Queue({ kind, items, viewer: { id: viewerId, isAdmin } }: QueueProps) {
  const cache = useQueryClient();
  const [params, setParams] = useSearchParams();
  const isWide = useWide();
  const requestedId = itemOf(params);
  /** The case that was open last, which stays known when it has left the list. */
  const last = useRef<{ item: QueueItem; index: number; revises?: string | null | undefined }>(undefined);
  const pane = useRef<HTMLElement>(null);
  const chosen = requestedId
    ? items.find(({ id }) => id === requestedId)
    : (items.find((item) => !isClaimedByOther(item, viewerId)) ?? items[0]);
  const choose = (id: string, replace = false, tab?: string) =>
    setParams(
      (before) => {
        if (tab) before.set('tab', tab);
        before.delete('request');
        before.set('item', id);
        return before;
      },
      { preventScrollReset: true, replace },
    );

  // The item under review stays chosen when the list is read again.
  const [ownTab] = useState(() => params.get('tab'));
  const replaceChosen = useEffectEvent((id: string) => {
    // The reader may already be on the way to another section.
    if (new URLSearchParams(location.search).get('tab') === ownTab) choose(id, true);
  });
  // A narrow screen shows the list until one is chosen.
  const isListOnly = !isWide && !requestedId;
  const fallbackId = chosen && !requestedId && !isListOnly ? chosen.id : undefined;
  useEffect(() => {
    if (fallbackId) replaceChosen(fallbackId);
  }, [fallbackId]);

  // A case is left far down: what comes next is shown from its beginning, and is said by having the focus.
  const shownId = isListOnly ? undefined : chosen?.id;
  const shownBefore = useRef(shownId);
  useLayoutEffect(() => {
    if (shownId === shownBefore.current) return;
    shownBefore.current = shownId;
    if (shownId) pane.current?.focus({ preventScroll: true });
    if (pane.current && pane.current.getBoundingClientRect().top < 0) pane.current.scrollIntoView();
  }, [shownId]);

  const index = chosen ? items.indexOf(chosen) : -1;
  useEffect(() => {
    if (!chosen) return;
    const reviewed = cache.getQueryData(solutionQuery(browserClient, chosen.id).queryKey);
    last.current = { item: chosen, index, revises: reviewed?.revises };
  });

  // After the last of a kind, what waits of any.
  const { data: summary, isFetching: isCounting } = useQuery(queueSummaryQuery(browserClient));
  const before = last.current?.item.id === requestedId ? last.current : undefined;
  const nextHere = items[Math.min(before?.index ?? 0, items.length - 1)];
  const nextId = nextHere?.id ?? (kind && (summary?.at_risk[0] ?? summary?.first)?.id);
  const goOn = () =>
    nextId
      ? choose(nextId, true, nextHere ? undefined : 'queue')
      : setParams({ tab: params.get('tab') ?? 'queue' }, { preventScrollReset: true, replace: true });

  // The next case is there when this one is decided.
  const following = items[index + 1] ?? items[index - 1];
  const followingId = following?.kind === 'solution' ? following.id : undefined;
  useEffect(() => {
    if (!followingId) return;
    void cache.prefetchQuery(solutionQuery(browserClient, followingId));
    void cache.prefetchQuery(reviewsQuery(browserClient, followingId));
  }, [cache, followingId]);

  const step = useEffectEvent((by: 1 | -1) => {
    const next = items[index + by];
    if (next) choose(next.id);
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || !['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return;
      // In a select the keys open its choices, and a dialog is about the chosen item.
      if (event.target instanceof Element && event.target.closest('select, [role=dialog]')) return;
      event.preventDefault();
      if (event.key === 'Enter')
        pane.current?.querySelector<HTMLElement>('[data-decision] :is(input, button)')?.focus();
      else step(event.key === 'ArrowDown' ? 1 : -1);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  const atRisk = items.filter(({ at_risk }) => at_risk);
  const groups =
    atRisk.length > 0
      ? [
          { title: 'A patient may be recognised or harmed', items: atRisk },
          { title: 'Everything else, by time left', items: items.filter(({ at_risk }) => !at_risk) },
        ]
      : [{ title: undefined, items }];
  return (
    <div className={columns}>
      {(isWide || isListOnly) && (
        <nav
          aria-label="Waiting for review"
          className="-mx-3 lg:sticky lg:top-[calc(var(--header)+12px)] lg:max-h-[calc(100dvh-var(--header)-24px-var(--decision-height,0px))] lg:self-start lg:overflow-y-auto"
        >
          <p className="px-4 pb-2 text-sm text-ink-3 max-lg:hidden">
            <KeyHint label="down" icon={ArrowDown} /> next, <KeyHint label="up" icon={ArrowUp} /> previous,{' '}
            <KeyHint label="Enter" icon={CornerDownLeft} /> decide
          </p>
          {groups.map(
            (group) =>
              group.items.length > 0 && (
                <section key={group.title ?? ''} aria-label={group.title} className="not-first:mt-4">
                  {group.title && <h2 className="px-4 py-1 text-sm font-normal text-ink-2">{group.title}</h2>}
                  <ol className="flex flex-col p-1 max-lg:divide-y lg:gap-1">
                    {group.items.map((item) => (
                      <li key={item.id}>
                        <QueueRow
                          item={item}
                          current={!isListOnly && item.id === chosen?.id}
                          elsewhere={isClaimedByOther(item, viewerId)}
                          onChoose={() => choose(item.id)}
                        />
                      </li>
                    ))}
                  </ol>
                </section>
              ),
          )}
        </nav>
      )}
      {!isListOnly && (
        <section
          key={shownId}
          ref={pane}
          tabIndex={-1}
          aria-label={chosen?.title}
          data-entry={isWide ? undefined : ''}
          // On a phone as high as the screen, so that what decides is always at its foot.
          className="flex min-w-0 scroll-mt-20 flex-col outline-none max-lg:min-h-[calc(100dvh-80px)]"
        >
          {!isWide && (
            <p className="mb-4">
              <Link to={`?tab=${params.get('tab')}`} className="link inline-flex items-center gap-2">
                <ArrowLeft className="size-4" strokeWidth={2} aria-hidden />
                Back to the list ({items.length})
              </Link>
            </p>
          )}
          {chosen ? (
            <Case item={chosen} viewer={{ id: viewerId, isAdmin }} />
          ) : (
            requestedId && (
              <CaseOutcome
                key={requestedId}
                id={before?.revises ?? requestedId}
                since={before?.item.submitted_at}
                wasOpen={before !== undefined}
                hasNext={isCounting ? undefined : nextId !== undefined}
                onNext={goOn}
              />
            )
          )}
        </section>
      )}
    </div>
  );
}

interface CaseProps {
  item: QueueItem;
  viewer: ReviewQueueProps['viewer'];
}

/** What waits: what colleagues wrote about it, which is read first, the case itself, and the decision. */
function Case({ item: { kind, id, user_id: senderId, submitted_at: submittedAt }, viewer }: CaseProps) {
  const notes = {
    item: isNotedKind(kind) ? { kind, id } : null,
    // A report is about others than who sent it.
    memberId: kind === 'report' ? null : senderId,
  };
  const Review = reviews.get(kind);
  // The case would be moved by what is loaded above it.
  const isEarly = useQuery(notesQuery(browserClient, notes)).isPending;
  return (
    <>
      <StaffNotes {...notes} />
      <div className={isEarly ? 'hidden' : 'contents'}>
        {Review && (
          <Review id={id} submittedAt={submittedAt} isOwn={senderId === viewer.id} viewer={viewer} />
        )}
      </div>
    </>
  );
}

/** The Alt key with another one, which is drawn: the font has no arrows. */
const KeyHint = ({ label, icon: Icon }: { label: string; icon: LucideIcon }) => (
  <kbd className="inline-flex items-center gap-1 font-sans font-medium whitespace-nowrap">
    Alt
    <Icon className="size-4" strokeWidth={2} aria-hidden />
    <span className="sr-only">{label}</span>
  </kbd>
);
