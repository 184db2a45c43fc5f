import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  ArrowDown,
  ArrowUp,
  CircleAlert,
  ClipboardCheck,
  CornerDownLeft,
  Eye,
  Flag,
  IdCard,
  ImageOff,
  Inbox,
  Link2,
  type LucideIcon,
  ShieldAlert,
} from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { useFileUrl } from '#app/file-url.ts';
import { reviewsQuery } from '#app/solution/review/data.ts';
import type { QueueKind } from '#app/solution/review/use-claim.ts';
import { solutionQuery } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { SegmentedControl } from '#app/ui/controls/segmented-control.tsx';
import { lazyPart, Region } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { toast } from '#app/ui/surfaces/toast.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { isQueueKind, type QueueItem, queueCountsQuery, queueKinds, queueQuery } from './data.ts';
import { SolutionReview, SolutionReviewSkeleton } from './solution-review.tsx';

const waiting = <Skeleton className="h-64" />;
const ReportReview = lazyPart(() => import('./report-review.tsx'), 'ReportReview', waiting);
const SuggestionReview = lazyPart(() => import('./suggestion-review.tsx'), 'SuggestionReview', waiting);
const RegistrationReview = lazyPart(() => import('./registration-review.tsx'), 'RegistrationReview', waiting);
const TrialReview = lazyPart(() => import('./trial-review.tsx'), 'TrialReview', waiting);
const RemovalRequestReview = lazyPart(
  () => import('./removal-request-review.tsx'),
  'RemovalRequestReview',
  waiting,
);

/** No submission should wait for longer than two days. */
const isOverdue = ({ submitted_at }: QueueItem) => Date.now() - Date.parse(submitted_at) > 2 * 86_400_000;

/** What is said when a list is empty or cannot be loaded. */
const TEXTS = {
  all: { failed: 'Failed to load the review queue', empty: 'Nothing to review here' },
  solution: { failed: 'Failed to load pending solutions', empty: 'No solutions to review' },
  trial: { failed: 'Failed to load trial reports', empty: 'No trial reports to review' },
  resource: { failed: 'Failed to load resource suggestions', empty: 'No suggestions to review' },
  report: { failed: 'Failed to load content reports', empty: 'No reports to review' },
  removal_request: { failed: 'Failed to load removal requests', empty: 'No removal requests to review' },
  registration: { failed: 'Failed to load registrations', empty: 'No registrations to review' },
};

interface ReviewQueueProps {
  /** Shows only this kind; all kinds, with a choice, if not given. */
  kind?: QueueKind;
  viewer: { id: string; isAdmin: boolean };
}

/** The items that wait for a moderator, longest waiting first, and the chosen item beside them. */
export function ReviewQueue({ kind, viewer }: ReviewQueueProps) {
  const [params, setParams] = useSearchParams();
  const requestedKind = params.get('kind');
  const chosenKind = kind ?? (isQueueKind(requestedKind) ? requestedKind : undefined);
  const queue = useQuery(queueQuery(browserClient, chosenKind));
  const unclaimedOnly = params.get('free') === '1';
  const texts = TEXTS[chosenKind ?? 'all'];
  const failed = queue.isError;

  useEffect(() => {
    if (failed) toast({ tone: 'error', title: texts.failed });
  }, [failed, texts]);

  // The open item stays, also where it is another moderator's: a filter of the list takes no case away.
  const openId = params.get('item');
  const items = queue.data?.filter(
    (item) => !unclaimedOnly || item.id === openId || !isClaimedByOther(item, viewer.id),
  );
  // On a phone the decision stands far below the list: what comes next is shown from its beginning.
  const top = useRef<HTMLDivElement>(null);
  const isGone = openId !== null && items !== undefined && !items.some(({ id }) => id === openId);
  useEffect(() => {
    if (isGone && top.current && top.current.getBoundingClientRect().top < 0) top.current.scrollIntoView();
  }, [isGone]);
  return (
    <div ref={top} className="scroll-mt-20">
      {!kind && (
        <Region className="mb-6">
          <Filters
            kind={chosenKind}
            unclaimedOnly={unclaimedOnly}
            onChange={(next) =>
              setParams(
                { tab: 'queue', ...(openId ? { item: openId } : {}), ...next },
                { preventScrollReset: true },
              )
            }
          />
        </Region>
      )}
      {items && items.length > 0 ? (
        <Queue items={items} viewer={viewer} />
      ) : items ? (
        <EmptyState icon={Inbox}>{texts.empty}</EmptyState>
      ) : failed ? (
        <EmptyState
          icon={CircleAlert}
          action={<Button onClick={() => void queue.refetch()}>Try again</Button>}
        >
          {texts.failed}
        </EmptyState>
      ) : (
        <div className={columns} role="status" aria-label="Loading the queue">
          <div className="flex flex-col gap-4">
            {[1, 2, 3, 4].map((row) => (
              <Skeleton key={row} className="h-[68px]" />
            ))}
          </div>
          <div className="max-lg:hidden">
            <SolutionReviewSkeleton />
          </div>
        </div>
      )}
    </div>
  );
}

const columns = 'grid grid-cols-[minmax(0,1fr)] gap-x-7 gap-y-8 lg:grid-cols-[236px_minmax(0,1fr)]';

interface FiltersProps {
  kind: QueueKind | undefined;
  unclaimedOnly: boolean;
  onChange: (params: Record<string, string>) => void;
}

function Filters({ kind, unclaimedOnly, onChange }: FiltersProps) {
  const counts = useQuery(queueCountsQuery(browserClient)).data;
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const label = (text: string, count: number | undefined) => (
    <>
      {text}
      {count !== undefined && <span className="text-sm text-ink-3 tabular-nums">{count}</span>}
    </>
  );
  const change = (nextKind: QueueKind | undefined, nextUnclaimed: boolean) =>
    onChange({ ...(nextKind ? { kind: nextKind } : {}), ...(nextUnclaimed ? { free: '1' } : {}) });
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-3">
      <SegmentedControl
        legend="What to show"
        name="queue-kind"
        className="max-sm:w-full max-sm:overflow-x-auto max-sm:contain-inline-size"
        value={kind ?? 'all'}
        onChange={(value) => change(isQueueKind(value) ? value : undefined, unclaimedOnly)}
        options={[
          { value: 'all', label: label('All', all) },
          ...Object.entries(queueKinds).map(([value, text]) => ({
            value,
            label: label(text, isQueueKind(value) ? counts?.[value] : undefined),
          })),
        ]}
      />
      <Checkbox checked={unclaimedOnly} onChange={({ target }) => change(kind, target.checked)}>
        Hide what others have open
      </Checkbox>
    </div>
  );
}

/** Whether another moderator has opened it. */
const isClaimedByOther = ({ claimed_by }: QueueItem, viewerId: string | undefined) =>
  claimed_by !== null && claimed_by !== viewerId;

interface QueueProps {
  items: QueueItem[];
  viewer: ReviewQueueProps['viewer'];
}

function Queue({ items, viewer: { id: viewerId, isAdmin } }: QueueProps) {
  const cache = useQueryClient();
  const [params, setParams] = useSearchParams();
  const requestedId = params.get('item');
  const lastIndex = useRef(0);
  const pane = useRef<HTMLDivElement>(null);
  const chosen =
    items.find(({ id }) => id === requestedId) ??
    // The chosen item is decided: the next item takes its place.
    (requestedId
      ? items[Math.min(lastIndex.current, items.length - 1)]
      : items.find((item) => !isClaimedByOther(item, viewerId))) ??
    items[0];
  const choose = (id: string, replace = false) =>
    setParams(
      (before) => {
        before.set('item', id);
        return before;
      },
      { preventScrollReset: true, replace },
    );

  // The item under review stays chosen when the list is read again.
  const replaceChosen = useEffectEvent((id: string) => {
    // The reader may already be on the way to another section.
    if (new URLSearchParams(location.search).get('tab') === params.get('tab')) choose(id, true);
  });
  const fallbackId = chosen && chosen.id !== requestedId ? chosen.id : undefined;
  useEffect(() => {
    if (fallbackId) replaceChosen(fallbackId);
  }, [fallbackId]);
  const index = chosen ? items.indexOf(chosen) : 0;
  useEffect(() => {
    lastIndex.current = index;
  }, [index]);

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

  if (!chosen) return null;
  return (
    <div className={columns}>
      <nav
        aria-label="Waiting for review"
        className="-mx-3 -mb-3 max-lg:-mt-3 lg:sticky lg:top-[76px] lg:max-h-[calc(100dvh-88px)] lg:self-start lg:overflow-y-auto"
      >
        <p className="px-3.5 pb-2 text-sm text-ink-3 max-lg:hidden">
          <KeyHint name="down" icon={ArrowDown} /> next, <KeyHint name="up" icon={ArrowUp} /> previous,{' '}
          <KeyHint name="Enter" icon={CornerDownLeft} /> decide
        </p>
        <ol className="flex flex-col gap-2 p-0.5 max-lg:max-h-80 max-lg:overflow-y-auto">
          {items.map((item) => (
            <li key={item.id}>
              <QueueRow
                item={item}
                current={item.id === chosen.id}
                elsewhere={isClaimedByOther(item, viewerId)}
                onChoose={() => choose(item.id)}
              />
            </li>
          ))}
        </ol>
      </nav>
      <div ref={pane} className="min-w-0">
        {chosen.kind === 'solution' && (
          <SolutionReview
            key={chosen.id}
            id={chosen.id}
            submittedAt={chosen.submitted_at}
            isOwn={chosen.user_id === viewerId && !isAdmin}
          />
        )}
        {chosen.kind === 'trial' && (
          <TrialReview key={chosen.id} id={chosen.id} viewer={{ id: viewerId, isAdmin }} />
        )}
        {chosen.kind === 'resource' && <SuggestionReview key={chosen.id} id={chosen.id} />}
        {chosen.kind === 'registration' && (
          <RegistrationReview key={chosen.id} id={chosen.id} isOwn={chosen.user_id === viewerId} />
        )}
        {chosen.kind === 'report' && <ReportReview key={chosen.id} id={chosen.id} />}
        {chosen.kind === 'removal_request' && (
          <RemovalRequestReview key={chosen.id} id={chosen.id} viewer={{ id: viewerId, isAdmin }} />
        )}
      </div>
    </div>
  );
}

/** The Alt key with another one, which is drawn: the font has no arrows. */
const KeyHint = ({ name, icon: Icon }: { name: string; icon: LucideIcon }) => (
  <kbd className="inline-flex items-center gap-0.5 font-sans font-semibold whitespace-nowrap">
    Alt
    <Icon className="size-4" strokeWidth={2} aria-hidden />
    <span className="sr-only">{name}</span>
  </kbd>
);

interface QueueRowProps {
  item: QueueItem;
  current: boolean;
  elsewhere: boolean;
  onChoose: () => void;
}

const icons = {
  solution: ImageOff,
  trial: ClipboardCheck,
  resource: Link2,
  report: Flag,
  removal_request: ShieldAlert,
  registration: IdCard,
};
const names = {
  solution: 'Solution',
  trial: 'Trial report',
  resource: 'Resource',
  report: 'Report',
  removal_request: 'Removal request',
  registration: 'Registration',
};

function QueueRow({ item, current, elsewhere, onChoose }: QueueRowProps) {
  const fileUrl = useFileUrl();
  const ago = useRelativeTime(item.submitted_at);
  const Icon = icons[item.kind];
  return (
    <button
      type="button"
      aria-current={current ? 'true' : undefined}
      onClick={onChoose}
      className="flex w-full gap-2.5 rounded-md border border-transparent p-3 text-left transition-colors hover:bg-chip aria-[current]:border-accent aria-[current]:bg-surface aria-[current]:ring-1 aria-[current]:ring-accent"
    >
      {item.picture ? (
        <Picture
          src={fileUrl(item.picture)}
          alt=""
          width={80}
          height={60}
          className="h-15 w-20 shrink-0 rounded-sm object-cover"
        />
      ) : (
        <span className="flex h-15 w-20 shrink-0 items-center justify-center rounded-sm bg-chip">
          <Icon className="size-5 text-ink-3" strokeWidth={1.75} aria-hidden />
        </span>
      )}
      <span className="min-w-0">
        <span className="sr-only">{names[item.kind]}: </span>
        <span dir="auto" className="line-clamp-2 text-base/5 font-title wrap-anywhere">
          {item.title}
        </span>
        <span className="mt-1 flex flex-wrap gap-x-2 text-sm text-ink-3">
          <bdi dir="auto" className="max-w-full truncate">
            {item.sender}
          </bdi>{' '}
          <span className={classes('whitespace-nowrap', isOverdue(item) && 'font-title text-amber-ink')}>
            {ago}
          </span>
        </span>
        {elsewhere && (
          <span className="mt-0.5 flex items-center gap-1.5 text-sm text-amber-ink">
            <Eye className="size-4" strokeWidth={2} aria-hidden />
            Open by another moderator
          </span>
        )}
      </span>
    </button>
  );
}
