import { QueryClientProvider, queryOptions, useQuery } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { PageDataBoundary, pageData } from './page-data.tsx';
import { createQueryClient } from './query-client.ts';

const read = vi.fn(async () => ({ title: 'A liner' }));
const query = queryOptions({ queryKey: ['solution', '1'], queryFn: read });

async function loaded() {
  const cache = createQueryClient();
  await cache.fetchQuery(query);
  return pageData(cache);
}

function Title() {
  return <h1>{useQuery(query).data?.title}</h1>;
}

it('a page has what its loader read, without reading it again however old the page is', async () => {
  vi.useFakeTimers();
  const data = await loaded();
  vi.advanceTimersByTime(60_000);
  const cache = createQueryClient();
  const html = renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <PageDataBoundary data={data}>
        <Title />
      </PageDataBoundary>
    </QueryClientProvider>,
  );
  expect(html).toBe('<h1>A liner</h1>');
  await cache.fetchQuery(query);
  expect(read).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});

it('the same data makes the same bytes', async () => {
  vi.useFakeTimers();
  const first = JSON.stringify(await loaded());
  vi.advanceTimersByTime(60_000);
  expect(JSON.stringify(await loaded())).toBe(first);
  vi.useRealTimers();
});
