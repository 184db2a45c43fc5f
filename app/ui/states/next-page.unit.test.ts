import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { fetchNextPage } from './next-page.ts';

/** A list of three pages whose responses come one by one, each when it is let through. */
async function list() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const requests: { page: number; answer: (content: string) => void; fail: () => void }[] = [];
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['list'],
    initialPageParam: 0,
    queryFn: ({ pageParam: page }) =>
      new Promise<string>((resolve, reject) =>
        requests.push({ page, answer: resolve, fail: () => reject(new Error('Out of order')) }),
      ),
    getNextPageParam: (_last, pages) => (pages.length < 3 ? pages.length : undefined),
  });
  observer.subscribe(() => undefined);
  const nextRequest = async (page: number) => {
    await expect.poll(() => requests[0]?.page).toBe(page);
    return requests.shift() as (typeof requests)[number];
  };
  (await nextRequest(0)).answer('first');
  await expect.poll(() => observer.getCurrentResult().data?.pages).toEqual(['first']);
  return { nextRequest, observer, client, pages: () => observer.getCurrentResult().data?.pages };
}

it('a page that is being fetched comes, and so does a change in the meantime', async () => {
  const { nextRequest, observer, client, pages } = await list();
  const fetched = fetchNextPage(observer.getCurrentResult());
  await nextRequest(1);
  void client.invalidateQueries({ queryKey: ['list'] });
  (await nextRequest(0)).answer('first, changed');
  (await nextRequest(1)).answer('second');
  await fetched;
  expect(pages()).toEqual(['first, changed', 'second']);
});

it('a change that is being read comes, and so does a page that is asked for in the meantime', async () => {
  const { nextRequest, observer, client, pages } = await list();
  void client.invalidateQueries({ queryKey: ['list'] });
  const read = await nextRequest(0);
  const fetched = fetchNextPage(observer.getCurrentResult());
  read.answer('first, changed');
  (await nextRequest(1)).answer('second');
  await fetched;
  expect(pages()).toEqual(['first, changed', 'second']);
});

it('a page that cannot be had is given up', async () => {
  const { nextRequest, observer, pages } = await list();
  const fetched = fetchNextPage(observer.getCurrentResult());
  (await nextRequest(1)).fail();
  await fetched;
  expect(observer.getCurrentResult().isFetchNextPageError).toBe(true);
  expect(pages()).toEqual(['first']);
});
