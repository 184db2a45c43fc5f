import type { InfiniteQueryObserverResult } from '@tanstack/react-query';

interface Paged {
  fetchNextPage: (options: {
    cancelRefetch: boolean;
  }) => Promise<InfiniteQueryObserverResult<{ pages: unknown[] }>>;
  data: { pages: unknown[] } | undefined;
}

/**
 * Fetches the next page of a list. A realtime change that comes in the meantime has the pages before it read
 * again, which cancels a fetch in progress; and a requested page would cancel the reading again. So each
 * waits for the other.
 */
export async function fetchNextPage({ fetchNextPage: fetch, data }: Paged): Promise<void> {
  const before = data?.pages.length ?? 0;
  for (;;) {
    const { isError, hasNextPage, data: now } = await fetch({ cancelRefetch: false });
    if (isError || !hasNextPage || (now?.pages.length ?? 0) > before) return;
  }
}
