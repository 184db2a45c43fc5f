import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  ArrowDown,
  ArrowLeft,
  ArrowUp,
  ClipboardCheck,
  CornerDownLeft,
  Eye,
  Flag,
  IdCard,
  Image,
  ImageOff,
  Inbox,
  Languages,
  Link2,
  type LucideIcon,
  MessageSquare,
  ShieldAlert,
} from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useFileUrl } from '#app/file-url.ts';
import { isNotedKind } from '#app/moderation/staff-notes/data.ts';
import { StaffNotes } from '#app/moderation/staff-notes/staff-notes.tsx';
import { reviewsQuery } from '#app/solution/review/data.ts';
import type { QueueKind } from '#app/solution/review/use-claim.ts';
import { solutionQuery } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { Checkbox } from '#app/ui/controls/checkbox-radio.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { lazyPart } from '#app/ui/states/region.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { useWide } from '#app/ui/states/use-wide.ts';
import { EmptyState } from '#app/ui/surfaces/empty-state.tsx';
import { Picture } from '#app/ui/surfaces/picture.tsx';
import { classes } from '#app/ui/texts/classes.ts';
import { timeLeft, useRelativeTime } from '#app/ui/texts/relative-time.ts';
import { type QueueItem, queueKinds, queueQuery } from './data.ts';
import { SolutionReview, SolutionReviewSkeleton } from './solution-review.tsx';

const waiting = <Skeleton className="h-64" />;
const ReportReview = lazyPart(() => import('./report-review.tsx'), 'ReportReview', waiting);
const SuggestionReview = lazyPart(() => import('./suggestion-review.tsx'), 'SuggestionReview', waiting);
const RegistrationReview = lazyPart(() => import('./registration-review.tsx'), 'RegistrationReview', waiting);
const ImageReview = lazyPart(
  () => import('#app/community/post-images/image-review.tsx'),
  'ImageReview',
  waiting,
);
const HeldPostReview = lazyPart(() => import('./held-post-review.tsx'), 'HeldPostReview', waiting);
const TrialReview = lazyPart(() => import('./trial-review.tsx'), 'TrialReview', waiting);
const TranslationReview = lazyPart(() => import('./translation-review.tsx'), 'TranslationReview', waiting);
const RemovalRequestReview = lazyPart(
  () => import('./removal-request-review.tsx'),
  'RemovalRequestReview',
  waiting,
);

/** No submission should wait for longer. */
const PATIENCE_MS = 2 * 86_400_000;

/** What is said when a list is empty or cannot be loaded. */
const TEXTS = {
  all: { failed: 'Failed to load the review queue', empty: 'Nothing to review here' },
  solution: { failed: 'Failed to load pending solutions', empty: 'No solutions to review' },
  trial: { failed: 'Failed to load trial reports', empty: 'No trial reports to review' },
  translation: { failed: 'Failed to load translations', empty: 'No translations to review' },
  resource: { failed: 'Failed to load resource suggestions', empty: 'No suggestions to review' },
  report: { failed: 'Failed to load content reports', empty: 'No reports to review' },
  removal_request: { failed: 'Failed to load removal requests', empty: 'No removal requests to review' },
  registration: { failed: 'Failed to load registrations', empty: 'No registrations to review' },
  post: { failed: 'Failed to load first posts', empty: 'No first posts to review' },
  image: { failed: 'Failed to load forum images', empty: 'No forum images to review' },
};

interface ReviewQueueProps {
  /** Shows only this kind; all kinds, with a choice, if not given. */
  kind?: QueueKind;
  viewer: { id: string; isAdmin: boolean };
}

/** The items that wait for a moderator, and the chosen one beside them. */
export function ReviewQueue({ kind, viewer }: ReviewQueueProps) {
  const [params, setParams] = useSearchParams();
  const queue = useQuery(queueQuery(browserClient, kind));
  const unclaimedOnly = params.get('free') === '1';
  const texts = TEXTS[kind ?? 'all'];
  // The open item stays, also where it is another moderator's: a filter of the list takes no case away.
  const openId = params.get('item');
  const isElsewhere = queue.data?.some((item) => isClaimedByOther(item, viewer.id));
  const items = queue.data?.filter(
    (item) => !unclaimedOnly || item.id === openId || !isClaimedByOther(item, viewer.id),
  );
  // On a phone the decision stands far below: what comes next is shown from its beginning.
  const top = useRef<HTMLDivElement>(null);
  const isGone = openId !== null && items !== undefined && !items.some(({ id }) => id === openId);
  useEffect(() => {
    if (isGone && top.current && top.current.getBoundingClientRect().top < 0) top.current.scrollIntoView();
  }, [isGone]);
  return (
    <div ref={top} className="scroll-mt-20">
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
      {items && items.length > 0 ? (
        <Queue items={items} viewer={viewer} />
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
            <SolutionReviewSkeleton />
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

interface QueueProps {
  items: QueueItem[];
  viewer: ReviewQueueProps['viewer'];
}

function Queue({ items, viewer: { id: viewerId, isAdmin } }: QueueProps) {
  const cache = useQueryClient();
  const [params, setParams] = useSearchParams();
  const isWide = useWide();
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
  const [ownTab] = useState(() => params.get('tab'));
  const replaceChosen = useEffectEvent((id: string) => {
    // The reader may already be on the way to another section.
    if (new URLSearchParams(location.search).get('tab') === ownTab) choose(id, true);
  });
  // A narrow screen shows the list until one is chosen.
  const isListOnly = !isWide && !requestedId;
  const fallbackId = chosen && chosen.id !== requestedId && !isListOnly ? chosen.id : undefined;
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
      {(isWide || isListOnly) && (
        <nav
          aria-label="Waiting for review"
          className="-mx-3 lg:sticky lg:top-[76px] lg:max-h-[calc(100dvh-88px)] lg:self-start lg:overflow-y-auto"
        >
          <p className="px-3.5 pb-2 text-sm text-ink-3 max-lg:hidden">
            <KeyHint label="down" icon={ArrowDown} /> next, <KeyHint label="up" icon={ArrowUp} /> previous,{' '}
            <KeyHint label="Enter" icon={CornerDownLeft} /> decide
          </p>
          <ol className="flex flex-col p-0.5 max-lg:divide-y lg:gap-1">
            {items.map((item) => (
              <li key={item.id}>
                <QueueRow
                  item={item}
                  current={!isListOnly && item.id === chosen.id}
                  elsewhere={isClaimedByOther(item, viewerId)}
                  onChoose={() => choose(item.id)}
                />
              </li>
            ))}
          </ol>
        </nav>
      )}
      {!isListOnly && (
        <div ref={pane} data-entry={isWide ? undefined : ''} className="group/entry min-w-0">
          {!isWide && (
            <p className="mb-4">
              <Link to={`?tab=${params.get('tab')}`} className="link inline-flex items-center gap-1.5">
                <ArrowLeft className="size-4" strokeWidth={2} aria-hidden />
                All that waits ({items.length})
              </Link>
            </p>
          )}
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
          {chosen.kind === 'translation' && (
            <TranslationReview key={chosen.id} id={chosen.id} viewer={{ id: viewerId, isAdmin }} />
          )}
          {chosen.kind === 'resource' && <SuggestionReview key={chosen.id} id={chosen.id} />}
          {chosen.kind === 'registration' && (
            <RegistrationReview key={chosen.id} id={chosen.id} isOwn={chosen.user_id === viewerId} />
          )}
          {chosen.kind === 'post' && <HeldPostReview key={chosen.id} id={chosen.id} />}
          {chosen.kind === 'image' && <ImageReview key={chosen.id} id={chosen.id} />}
          {chosen.kind === 'report' && <ReportReview key={chosen.id} id={chosen.id} />}
          {chosen.kind === 'removal_request' && (
            <RemovalRequestReview key={chosen.id} id={chosen.id} viewer={{ id: viewerId, isAdmin }} />
          )}
          {/* A report is about others than who sent it. */}
          <StaffNotes
            key={`notes ${chosen.id}`}
            item={isNotedKind(chosen.kind) ? { kind: chosen.kind, id: chosen.id } : null}
            memberId={chosen.kind === 'report' ? null : chosen.user_id}
          />
        </div>
      )}
    </div>
  );
}

/** The Alt key with another one, which is drawn: the font has no arrows. */
const KeyHint = ({ label, icon: Icon }: { label: string; icon: LucideIcon }) => (
  <kbd className="inline-flex items-center gap-0.5 font-sans font-semibold whitespace-nowrap">
    Alt
    <Icon className="size-4" strokeWidth={2} aria-hidden />
    <span className="sr-only">{label}</span>
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
  translation: Languages,
  resource: Link2,
  report: Flag,
  removal_request: ShieldAlert,
  registration: IdCard,
  post: MessageSquare,
  image: Image,
};
function QueueRow({ item, current, elsewhere, onChoose }: QueueRowProps) {
  const fileUrl = useFileUrl();
  const ago = useRelativeTime(item.submitted_at);
  const Icon = icons[item.kind];
  const isUrgent = item.due_at !== null || Date.now() - Date.parse(item.submitted_at) > PATIENCE_MS;
  return (
    <button
      type="button"
      aria-current={current ? 'true' : undefined}
      onClick={onChoose}
      className="flex w-full gap-3 rounded-md border border-transparent p-3 text-start transition-colors hover:bg-chip aria-[current]:border-accent aria-[current]:bg-surface aria-[current]:ring-1 aria-[current]:ring-accent"
    >
      {item.picture ? (
        <Picture
          src={fileUrl(item.picture)}
          alt=""
          width={48}
          height={48}
          className="size-12 shrink-0 rounded-sm object-cover"
        />
      ) : (
        <span className="flex size-12 shrink-0 items-center justify-center rounded-sm bg-chip">
          <Icon className="size-5 text-ink-3" strokeWidth={1.75} aria-hidden />
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap justify-between gap-x-3 text-sm text-ink-3">
          {queueKinds[item.kind]}
          <span className={classes('whitespace-nowrap', isUrgent && 'font-title text-amber-ink')}>
            {item.due_at ? timeLeft(item.due_at) : ago}
          </span>
        </span>
        <span
          {...asWritten(item.title)}
          className="text-left line-clamp-2 text-base/5 font-title wrap-anywhere"
        >
          {item.kind === 'registration'
            ? `${item.title.replace(/ registration$/, '')} registration`
            : item.title}
        </span>
        <bdi dir="auto" className="text-left mt-1 line-clamp-2 text-sm text-ink-3 wrap-anywhere">
          {item.sender}
          {item.reason && `: ${item.reason}`}
        </bdi>
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
