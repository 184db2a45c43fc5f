import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { type BrowsePage, PAGE_SIZE } from '#app/solution/solutions/data.ts';
import { browseUrl, type Filters, MAX_PAGES } from '#app/solution/solutions/filters.ts';
import { buttonClass } from '#app/ui/controls/button.tsx';
import { fetchNextPage } from '#app/ui/states/next-page.ts';

interface LoadMoreProps {
  filters: Filters;
  loadedCount: number;
  total: number;
  results: UseInfiniteQueryResult<InfiniteData<BrowsePage>>;
}

/**
 * A link to the next page for readers without JavaScript, a button for the others; scrolling only presses it.
 */
export function LoadMore({ filters, loadedCount, total, results }: LoadMoreProps) {
  const button = useRef<HTMLAnchorElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = results;
  const pages = results.data?.pages.length ?? 1;

  useEffect(() => {
    const target = button.current;
    if (!target || !hasNextPage || isFetchingNextPage || isFetchNextPageError) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && target.click(), {
      rootMargin: '400px',
    });
    observer.observe(target);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError]);

  // The address records how far the reader has loaded, without requesting it from the server again.
  useEffect(() => {
    if (pages <= filters.pages || pages > MAX_PAGES) return;
    history.replaceState(history.state, '', browseUrl({ ...filters, pages }));
  }, [pages, filters]);

  return (
    <div className="mt-14 flex flex-col items-center gap-3">
      <p className="text-ink-3" role="status">
        {isFetchingNextPage
          ? 'Loading solutions...'
          : hasNextPage
            ? `${loadedCount.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')} shown`
            : total > PAGE_SIZE && `That’s all ${total.toLocaleString('en-GB')}`}
      </p>
      {hasNextPage && (
        <Link
          ref={button}
          to={browseUrl({ ...filters, pages: filters.pages + 1 })}
          preventScrollReset
          role="button"
          className={buttonClass()}
          onClick={(event) => {
            event.preventDefault();
            void fetchNextPage(results);
          }}
        >
          Load more
        </Link>
      )}
    </div>
  );
}
