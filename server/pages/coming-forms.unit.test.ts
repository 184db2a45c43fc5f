import { expect, it } from 'vitest';
import { FairQueue } from '#backend/http/fair-queue.ts';
import { createPageCache } from './page-cache.ts';

const ORIGIN = 'https://limbs.example.org';

it('a form that is still coming holds no turn, and its page gets all of it', async () => {
  const made: Request[] = [];
  const cache = createPageCache(
    async (request) => {
      made.push(request);
      return { status: 200, headers: [], body: new Uint8Array(), calls: undefined, parameters: [] };
    },
    fetch,
    ORIGIN,
    ({ pathname }) => pathname,
    new FairQueue({ maxRunning: 1, maxRunningOfOne: 1, maxWaitingOfOne: 50 }),
  );
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: readable, duplex: 'half' };
  const answer = cache.answer(new Request(`${ORIGIN}/unsubscribe`, init), 'a client');
  await cache.answer(new Request(ORIGIN), 'the same client');
  expect(made.map(({ url }) => url)).toEqual([`${ORIGIN}/`]);
  const writer = writable.getWriter();
  for (const part of ['token=', '1']) await writer.write(Buffer.from(part));
  await writer.close();
  expect((await answer).status).toBe(200);
  expect([made[1]?.url, made[1]?.method, await made[1]?.text()]).toEqual([
    `${ORIGIN}/unsubscribe`,
    'POST',
    'token=1',
  ]);
});
