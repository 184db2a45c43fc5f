import {
  dehydrate,
  HydrationBoundary,
  hashKey,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';

/**
 * What a page's loader has read, by query. The time of reading is left out: the page is sent for as long as its
 * data is current, and the same data makes the same bytes.
 */
export type PageData = [key: QueryKey, data: unknown][];

export const pageData = (cache: QueryClient): PageData =>
  dehydrate(cache).queries.map(({ queryKey, state }) => [queryKey, state.data]);

/** Gives the page's queries the data it came with, as current at this moment. */
export function PageDataBoundary({ data, children }: { data: PageData | undefined; children: ReactNode }) {
  const state = useMemo(() => data && { mutations: [], queries: data.map(asRead) }, [data]);
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>;
}

const asRead = ([queryKey, data]: PageData[number]) => ({
  queryKey,
  queryHash: hashKey(queryKey),
  dehydratedAt: Date.now(),
  state: {
    data,
    dataUpdatedAt: Date.now(),
    dataUpdateCount: 1,
    error: null,
    errorUpdatedAt: 0,
    errorUpdateCount: 0,
    fetchFailureCount: 0,
    fetchFailureReason: null,
    fetchMeta: null,
    fetchStatus: 'idle' as const,
    isInvalidated: false,
    status: 'success' as const,
  },
});
