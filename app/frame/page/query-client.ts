import { QueryClient } from '@tanstack/react-query';

/** A query cache: one for each request on the server, one for each tab in the browser. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Data the server has just rendered is not requested again during hydration.
        staleTime: 30_000,
        // The only second try: the client library makes none, so that a reader without a connection soon hears of it.
        retry: 1,
        retryDelay: 500,
        // Without a connection a page says so, where it would else wait without a word, and reads again with the next one.
        networkMode: 'always',
        refetchOnReconnect: true,
        refetchOnWindowFocus: false,
      },
      // Without a connection an act fails at once and says so; none is sent later unseen.
      mutations: { networkMode: 'always' },
    },
  });
}
