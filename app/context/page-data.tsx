import {
  dehydrate,
  HydrationBoundary,
  hashKey,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { createContext as createReactContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { createContext } from 'react-router';
import { createQueryClient } from '#app/query-client.ts';
import { isForVisitors, useMember } from '#app/session.ts';

/** The queries of one request: its loaders fill the cache, and the page is drawn from it. */
export const cacheContext = createContext<QueryClient>();

/** Whether a whole page is answered, and not only the data of one, for a browser that has the site open. */
export const documentContext = createContext<boolean>();

const CacheContext = createReactContext<QueryClient | undefined>(undefined);

export const CacheProvider = CacheContext.Provider;

/** The cache of the request on the server, and of the tab in the browser. */
export function useCache(): QueryClient {
  const given = useContext(CacheContext);
  const [cache] = useState(() => given ?? createQueryClient());
  return cache;
}

/**
 * What a page's loader has read, by query. The time of reading is left out: the page is sent for as long as its
 * data is current, and the same data makes the same bytes.
 */
export type PageData = [key: QueryKey, data: unknown][];

export const pageData = (cache: QueryClient): PageData =>
  dehydrate(cache).queries.map(({ queryKey, state }) => [queryKey, state.data]);

/**
 * In the browser, gives the page's queries the data it came with, as current at this moment, but what a member may see
 * more of as long out of date.
 */
export function PageDataBoundary({ data, children }: { data: PageData | undefined; children: ReactNode }) {
  const isGiven = useContext(CacheContext) !== undefined;
  const isMember = useMember() !== undefined;
  const state = useMemo(
    () =>
      data && !isGiven
        ? { mutations: [], queries: data.map((query) => asRead(query, isMember && isForVisitors(...query))) }
        : undefined,
    [data, isGiven, isMember],
  );
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>;
}

const asRead = ([queryKey, data]: PageData[number], isOutdated: boolean) => ({
  queryKey,
  queryHash: hashKey(queryKey),
  dehydratedAt: Date.now(),
  state: {
    data,
    dataUpdatedAt: isOutdated ? 1 : Date.now(),
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
