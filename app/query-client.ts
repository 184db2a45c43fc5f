import { QueryClient } from '@tanstack/react-query';

/** A query cache: one for each request on the server, one for each tab in the browser. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Data the server has just rendered is not requested again during hydration.
        staleTime: 30_000,
        retry: 1,
        refetchOnWindowFocus: false,
      },
      // Without a connection an act fails at once and says so; none is sent later unseen.
      mutations: { networkMode: 'always' },
    },
  });
}
