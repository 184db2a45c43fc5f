import {
  dehydrate,
  HydrationBoundary,
  hashKey,
  type QueryClient,
  QueryClientProvider,
  type QueryKey,
  useQueryClient,
} from '@tanstack/react-query';
import {
  createContext as createReactContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { createContext } from 'react-router';
import { useReaderId } from '#app/session.ts';
import { createQueryClient } from './query-client.ts';

/** The queries of one request: its loaders fill the cache, and the page is drawn from it. */
export const cacheContext = createContext<QueryClient>();

const CacheContext = createReactContext<QueryClient | undefined>(undefined);

export const CacheProvider = CacheContext.Provider;

/** The cache of the request on the server, and of the reader in the browser. */
function ReaderCache({ children }: { children: ReactNode }) {
  const given = useContext(CacheContext);
  const [cache] = useState(() => given ?? createQueryClient());
  return <QueryClientProvider client={cache}>{children}</QueryClientProvider>;
}

/**
 * Gives each reader a cache of their own. When the reader changes, what is below is made again with an empty one: nothing
 * that was read by the former reader is shown, and an answer or a press that is still under way changes what no one sees.
 */
export function ReaderProvider({ children }: { children: ReactNode }) {
  return <ReaderCache key={useReaderId()}>{children}</ReaderCache>;
}

/**
 * What a page's loader has read, by query. The time of reading is left out: the page is sent for as long as its
 * data is current, and the same data makes the same bytes.
 */
export type PageData = [key: QueryKey, data: unknown][];

/** What the loader’s queries have put into the cache, in the form that is sent with the page. */
export const pageData = (cache: QueryClient): PageData =>
  dehydrate(cache).queries.map(({ queryKey, state }) => [queryKey, state.data]);

/**
 * In the browser, gives the page's queries the data it came with. The server reads as a visitor: to a visitor the data is
 * current, and a member sees it, or their own answer from before, until the database has answered them.
 */
export function PageDataBoundary({ data, children }: { data: PageData | undefined; children: ReactNode }) {
  const isGiven = useContext(CacheContext) !== undefined;
  const isMember = useReaderId() !== undefined;
  const cache = useQueryClient();
  const queries = useMemo(
    () => (data && !isGiven ? data.map((query) => asRead(query, isMember)) : []),
    [data, isGiven, isMember],
  );
  useEffect(() => {
    const hashes = new Set(queries.map(({ queryHash }) => queryHash));
    const predicate = ({ queryHash }: { queryHash: string }) => hashes.has(queryHash);
    // Those that are asked for the first time are under way already.
    if (isMember) void cache.invalidateQueries({ predicate }, { cancelRefetch: false });
  }, [cache, queries, isMember]);
  const state = useMemo(() => ({ mutations: [], queries }), [queries]);
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
    isInvalidated: isOutdated,
    status: 'success' as const,
  },
});
