import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { feedOf, reasonOf } from '#app/people/follows/news.ts';
import { CardPicture } from '#app/solution/cards/card-picture.tsx';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { isSafetyKind, noticeKind } from '#app/solution/warnings/safety-notice-kinds.ts';
import type { QueryData } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { textLanguage } from '#app/ui/languages/languages.ts';
import { LoadFailed } from '#app/ui/states/loading-rows.tsx';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { Banner } from '#app/ui/surfaces/banner.tsx';
import type { memberHomeQuery, Waiting, Warning } from './data.ts';
import { concernText, WaitingTitle, waitingAction } from './waiting-text.tsx';

/** What is shown of each list before the reader asks for more. */
const [FIRST_WARNINGS, FIRST_ROWS] = [2, 3];

type Home = QueryData<typeof memberHomeQuery>;

interface MemberHomeProps {
  /** Undefined while it is loading. */
  home: Home | undefined;
  isError: boolean;
  onRetry: () => void;
}

/** What a member comes for: warnings of what concerns them, what waits for them, and what is new in what they follow. */
export function MemberHome({ home, isError, onRetry }: MemberHomeProps) {
  if (!home)
    return isError ? (
      <LoadFailed title="Failed to load what waits for you" onRetry={onRetry} className="mt-6" />
    ) : (
      <Loading />
    );
  const feed = feedOf(home.news);
  return (
    <>
      <Warnings warnings={home.warnings} />
      <WaitingList waiting={home.waiting} warnings={home.warnings} />
      <section aria-labelledby="new" className="mt-8">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b pb-2">
          <h2 id="new" className="text-xl">
            New in what you follow
          </h2>
          {feed.length > 0 && (
            <Link to="/following" className="reach link">
              All news
            </Link>
          )}
        </div>
        {feed.length > 0 ? (
          <ul className="divide-y">
            {feed
              .filter((_, index) => index < FIRST_ROWS)
              .map((entry) => (
                <Row
                  key={entry.path}
                  picture={entry.solutionId ? (home.pictures.get(entry.solutionId) ?? null) : undefined}
                  warning={entry.safetyKind}
                  title={
                    <Link to={entry.path} className="group-hover:underline after:absolute after:inset-0">
                      <bdi {...asWritten(entry.title)}>{entry.title}</bdi>
                    </Link>
                  }
                >
                  <bdi>{entry.news.join(' · ')}</bdi> · <bdi>{reasonOf(entry)}</bdi>
                </Row>
              ))}
          </ul>
        ) : (
          <p className="mt-3 max-w-[66ch] text-ink-2">
            Nothing is new. Follow a solution, its author or a tag under “More” on its page, or a search on{' '}
            <Link to="/browse" className="link">
              Browse
            </Link>
            .
          </p>
        )}
      </section>
    </>
  );
}

function Warnings({ warnings }: { warnings: Warning[] }) {
  const known = warnings.filter(({ kind }) => isSafetyKind(kind));
  const [isAll, setAll] = useState(false);
  if (known.length === 0) return null;
  const shown = isAll ? known : known.filter((_, index) => index < FIRST_WARNINGS);
  return (
    <section aria-labelledby="warnings" className="mt-5">
      <h2 id="warnings" className="sr-only">
        Safety notices
      </h2>
      <ul className="flex flex-col gap-2">
        {shown.map((warning) => (
          <li key={warning.id + warning.solution_id}>
            <WarningBanner warning={warning} />
          </li>
        ))}
      </ul>
      {shown.length < known.length && (
        <Button variant="quiet" className="mt-1 -ms-4" onClick={() => setAll(true)}>
          Show all {known.length} safety notices
        </Button>
      )}
    </section>
  );
}

function WarningBanner({ warning }: { warning: Warning }) {
  const { kind, part, title, title_language, content, language, solution_id } = warning;
  const { tone, icon, choice } = noticeKind(kind);
  return (
    <Banner
      tone={tone}
      icon={icon}
      title={
        <>
          {choice}: {part && <bdi>{part}</bdi>}
          {part && ', in '}
          <bdi {...textLanguage(title_language)} className="wrap-anywhere">
            {title}
          </bdi>
          .
        </>
      }
    >
      {concernText(warning)}{' '}
      <Link to={`/solutions/${solution_id}`} className="reach underline underline-offset-4">
        Read notice<span className="sr-only"> on {title}</span>
      </Link>
      <span {...asWritten(content, language)} className="block text-sm whitespace-pre-line wrap-anywhere">
        {content}
      </span>
    </Banner>
  );
}

function WaitingList({ waiting, warnings }: { waiting: Waiting[]; warnings: Warning[] }) {
  const [isAll, setAll] = useState(false);
  const warningOn = (id: string) => warnings.find((one) => one.solution_id === id && one.part === null)?.kind;
  const shown = isAll ? waiting : waiting.filter((_, index) => index < FIRST_ROWS);
  return (
    <section aria-labelledby="waiting" className="mt-6">
      <h2 id="waiting" className="border-b pb-2 text-xl">
        Waiting for you
      </h2>
      {waiting.length === 0 && (
        <p className="mt-3 max-w-[66ch] text-ink-2">
          Nothing is waiting for you. Questions about what you built, changes that moderators ask for and
          comments on your solutions appear here.
        </p>
      )}
      <ul className="divide-y">
        {shown.map((one) => (
          <WaitingRow key={one.kind + one.id} waiting={one} warning={warningOn(one.solution_id)} />
        ))}
      </ul>
      {shown.length < waiting.length && (
        <Button variant="quiet" className="-ms-4" onClick={() => setAll(true)}>
          Show all {waiting.length}
        </Button>
      )}
    </section>
  );
}

function WaitingRow({ waiting, warning }: { waiting: Waiting; warning: string | undefined }) {
  const { label, to } = waitingAction(waiting);
  const { kind, text, text_language } = waiting;
  return (
    <Row
      picture={waiting.thumbnail_url}
      warning={warning}
      title={<WaitingTitle waiting={waiting} />}
      action={
        <Link
          to={to}
          className="font-bold text-accent after:absolute after:inset-0 group-hover:underline md:flex md:min-h-11 md:items-center md:rounded-md md:border md:border-line-2 md:bg-surface md:px-4 md:text-ink"
        >
          {label}
          <span className="sr-only">
            : <WaitingTitle waiting={waiting} />
          </span>
        </Link>
      }
    >
      {kind === 'question' ? (
        'One question, four answers'
      ) : kind === 'comments' ? (
        <>
          Newest: “<bdi {...asWritten(text ?? '', text_language)}>{text}</bdi>”
        </>
      ) : (
        <bdi {...asWritten(text ?? '')}>{text}</bdi>
      )}
    </Row>
  );
}

interface RowProps {
  /** Null of a solution without one; undefined of what is no solution. */
  picture: string | null | undefined;
  /** The kind of the safety notice on the solution, if any. */
  warning: string | null | undefined;
  title: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}

/** A row of either list: the picture of what it is about, two lines, and what there is to do. */
function Row({ picture, warning, title, children, action }: RowProps) {
  return (
    <li className="group relative grid grid-cols-[88px_minmax(0,1fr)] items-start gap-x-4 py-3 md:grid-cols-[96px_minmax(0,1fr)_auto] md:items-center">
      <div className="[&>img]:picture [&>img]:aspect-video [&>img]:w-full [&>img]:rounded-sm [&>img]:object-cover">
        {picture === undefined ? (
          <span className="flex aspect-video items-center justify-center rounded-sm bg-chip text-ink-2">
            <span className="icon icon-comment size-6" />
          </span>
        ) : (
          <CardPicture path={picture} eager={false} />
        )}
      </div>
      <div className="min-w-0">
        <SafetyMark kind={warning} className="mb-1 flex" />
        <h3 className="text-base font-bold wrap-anywhere">{title}</h3>
        <p className="line-clamp-3 text-sm text-ink-2 wrap-anywhere">{children}</p>
      </div>
      {action && <div className="max-md:col-start-2">{action}</div>}
    </li>
  );
}

/** As high as three rows of either list. */
function Loading() {
  return (
    <div role="status" aria-label="Loading what waits for you">
      {[0, 1].map((list) => (
        <div key={list} className="mt-6">
          <Skeleton className="h-7 w-48" />
          {[0, 1, 2].map((row) => (
            <div
              key={row}
              className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-4 border-t py-3 first-of-type:mt-2 md:grid-cols-[96px_minmax(0,1fr)]"
            >
              <Skeleton className="aspect-video" />
              <div>
                <Skeleton className="h-5 w-3/5" />
                <Skeleton className="mt-2 h-5 w-2/5" />
              </div>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
