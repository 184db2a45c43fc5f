import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { CardPicture } from '#app/solution/cards/card-picture.tsx';
import { SafetyMark } from '#app/solution/warnings/safety-mark.tsx';
import { browserClient } from '#app/supabase.ts';
import { Button } from '#app/ui/controls/button.tsx';
import { asWritten } from '#app/ui/languages/guess-language.ts';
import { Skeleton } from '#app/ui/states/skeleton.tsx';
import { formatDay } from '#app/ui/texts/dates.ts';
import { picturesQuery } from './data.ts';
import { type FeedEntry, reasonOf } from './news.ts';

const PAGE_SIZE = 20;

/** The news by date, a page at a time: pictures are asked for those alone that are shown. */
export function Feed({ entries }: { entries: FeedEntry[] }) {
  const [pages, setPages] = useState(1);
  const rest = entries.length - pages * PAGE_SIZE;
  return (
    <>
      <ol aria-label="News" className="divide-y border-y">
        {Array.from({ length: pages }, (_, page) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages follow one another
          <Page key={page} entries={entries.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)} />
        ))}
      </ol>
      {rest > 0 && (
        <Button className="mt-6" onClick={() => setPages(pages + 1)}>
          Show older news
        </Button>
      )}
    </>
  );
}

function Page({ entries }: { entries: FeedEntry[] }) {
  const ids = entries.flatMap(({ solutionId }) => solutionId ?? []).toSorted();
  const pictures = useQuery({
    ...picturesQuery(browserClient, ids),
    enabled: ids.length > 0,
    placeholderData: (before) => before,
  });
  return entries.map((entry) => (
    <Entry
      key={entry.path}
      entry={entry}
      isLoading={pictures.isLoading}
      picture={(entry.solutionId && pictures.data?.get(entry.solutionId)) ?? null}
    />
  ));
}

interface EntryProps {
  entry: FeedEntry;
  isLoading: boolean;
  picture: string | null;
}

function Entry({ entry, isLoading, picture }: EntryProps) {
  const { path, solutionId, title, safetyKind, news, at } = entry;
  return (
    <li className="group relative grid grid-cols-[88px_minmax(0,1fr)] gap-x-4 py-4 md:grid-cols-[144px_minmax(0,1fr)] md:gap-x-6">
      <div className="[&>img]:picture [&>img]:aspect-video [&>img]:w-full [&>img]:rounded-sm [&>img]:object-cover">
        {!solutionId ? (
          <span className="flex aspect-video items-center justify-center rounded-sm bg-chip text-ink-2">
            <span className="icon icon-comment size-6" />
          </span>
        ) : isLoading ? (
          <Skeleton className="aspect-video w-full" />
        ) : (
          <CardPicture path={picture} eager={false} />
        )}
      </div>
      <div className="min-w-0">
        <SafetyMark kind={safetyKind} className="mb-1 flex" />
        <h2 className="text-base font-bold">
          <Link to={path} className="wrap-anywhere group-hover:underline after:absolute after:inset-0">
            <bdi {...asWritten(title)}>{title}</bdi>
          </Link>
        </h2>
        <p className="wrap-anywhere">
          <bdi>{news.join(' · ')}</bdi>
        </p>
        <p className="dotted text-sm wrap-anywhere text-ink-3">
          <time dateTime={at}>{formatDay(at)}</time>
          <bdi>{reasonOf(entry)}</bdi>
        </p>
      </div>
    </li>
  );
}
