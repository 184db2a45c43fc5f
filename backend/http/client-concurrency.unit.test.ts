import { describe, expect, it } from 'vitest';
import { inClientQueue, limitByClient, withoutClientLimit } from './client-concurrency.ts';
import { FairQueue, QueueFull } from './fair-queue.ts';

/** The only turn, which a client has until `end` is called; another of its requests is refused in the meantime. */
function occupyTurn() {
  const share = new FairQueue({ maxRunning: 1, maxRunningOfOne: 1, maxWaitingOfOne: 0 });
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const first = limitByClient('one', () => inClientQueue(share, () => promise));
  return { share, first, end };
}
const done = async () => 'done';

describe('the turns of a client', () => {
  it('are those of whoever’s request is answered, however deep in it', async () => {
    const { share, first, end } = occupyTurn();
    const again = limitByClient('one', async () => {
      await Promise.resolve();
      return inClientQueue(share, done);
    });
    await expect(again).rejects.toThrow(QueueFull);
    end();
    await first;
    expect(await limitByClient('one', () => inClientQueue(share, done))).toBe('done');
  });

  it('are not waited for within a turn, which would never end', async () => {
    const share = new FairQueue({ maxRunning: 1, maxRunningOfOne: 1, maxWaitingOfOne: 9 });
    expect(await limitByClient('one', () => inClientQueue(share, () => inClientQueue(share, done)))).toBe(
      'done',
    );
  });

  it('are not waited for by what the site does by itself, or for everyone', async () => {
    const { share, first, end } = occupyTurn();
    expect(await inClientQueue(share, done)).toBe('done');
    expect(await limitByClient('one', () => withoutClientLimit(() => inClientQueue(share, done)))).toBe(
      'done',
    );
    end();
    await first;
  });
});
