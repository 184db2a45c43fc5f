import type { InfiniteQueryObserverResult } from '@tanstack/react-query';

interface Paged {
  fetchNextPage: (options: {
    cancelRefetch: boolean;
  }) => Promise<InfiniteQueryObserverResult<{ pages: unknown[] }>>;
  data: { pages: unknown[] } | undefined;
}

/**
 * Fetches the next page of a list. A change that is heard meanwhile has the pages before it read again, which drops a
 * page on its way; and a page that is asked for would drop what is being read again. So the one waits for the other.
 */
export async function fetchNextPage({ fetchNextPage: fetch, data }: Paged): Promise<void> {
  const before = data?.pages.length ?? 0;
  for (;;) {
    const { isError, hasNextPage, data: now } = await fetch({ cancelRefetch: false });
    if (isError || !hasNextPage || (now?.pages.length ?? 0) > before) return;
  }
}
