import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairQueue, QueueFull } from './fair-queue.ts';

/** Work that ends on command, and a record of the work that has begun. */
function workshop() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        started.push(name);
        ends.set(name, () => resolve(name));
      }),
    async end(name: string) {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

describe('a fair share', () => {
  // Work that takes long is treated differently, and on a busy machine any may take long.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('lets the turn go round among clients, however much one of them asks for', async () => {
    const { started, work, end } = workshop();
    const share = new FairQueue({ maxRunning: 2, maxRunningOfOne: 2, maxWaitingOfOne: 100 });
    for (let count = 1; count <= 50; count++) void share.run('greedy', work(`greedy ${count}`));
    void share.run('modest', work('modest 1'));
    void share.run('other', work('other 1'));
    void share.run('modest', work('modest 2'));
    for (const name of ['greedy 1', 'greedy 2', 'greedy 3', 'modest 1', 'other 1']) await end(name);
    expect(started.slice(0, 7)).toEqual([
      'greedy 1',
      'greedy 2',
      'greedy 3',
      'modest 1',
      'other 1',
      'greedy 4',
      'modest 2',
    ]);
  });

  it('keeps what one client may have at once from taking all there is', async () => {
    const { started, work, end } = workshop();
    const share = new FairQueue({ maxRunning: 3, maxRunningOfOne: 2, maxWaitingOfOne: 100 });
    for (let count = 1; count <= 4; count++) void share.run('greedy', work(`greedy ${count}`));
    void share.run('modest', work('modest 1'));
    expect(started).toEqual(['greedy 1', 'greedy 2', 'modest 1']);
    await end('modest 1');
    expect(started).toHaveLength(3);
    await end('greedy 1');
    expect(started).toEqual(['greedy 1', 'greedy 2', 'modest 1', 'greedy 3']);
  });

  it('runs one piece at a time for a client whose work takes long, until ten seconds after', async () => {
    const { started, work, end } = workshop();
    const share = new FairQueue({ maxRunning: 9, maxRunningOfOne: 2, maxWaitingOfOne: 100 });
    for (let count = 1; count <= 5; count++) void share.run('slow', work(`slow ${count}`));
    vi.advanceTimersByTime(201);
    await end('slow 1');
    await end('slow 2');
    for (let count = 1; count <= 2; count++) void share.run('quick', work(`quick ${count}`));
    expect(started).toEqual(['slow 1', 'slow 2', 'slow 3', 'quick 1', 'quick 2']);
    await end('slow 3');
    await end('slow 4');
    expect(started.slice(5)).toEqual(['slow 4', 'slow 5']);
    await end('slow 5');
    vi.advanceTimersByTime(10_000);
    for (let count = 6; count <= 8; count++) void share.run('slow', work(`slow ${count}`));
    expect(started.slice(7)).toEqual(['slow 6', 'slow 7']);
  });

  it('does not let newer work of a client pass what it has waiting', async () => {
    const { started, work, end } = workshop();
    const share = new FairQueue({ maxRunning: 2, maxRunningOfOne: 1, maxWaitingOfOne: 100 });
    void share.run('one', work('first'));
    const second = share.run('one', work('second'));
    // Sent by the first's caller in the same turn in which the second gets its own.
    void share.run('one', work('third'));
    await end('first');
    void share.run('one', work('fourth'));
    for (const name of ['second', 'third', 'fourth']) await end(name);
    expect(await second).toBe('second');
    expect(started).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('refuses a client whose work waits already, and no other', async () => {
    const { started, work, end } = workshop();
    const share = new FairQueue({ maxRunning: 1, maxRunningOfOne: 1, maxWaitingOfOne: 2 });
    for (let count = 1; count <= 3; count++) void share.run('greedy', work(`greedy ${count}`));
    await expect(share.run('greedy', work('too much'))).rejects.toThrow(QueueFull);
    const modest = share.run('modest', work('modest'));
    for (const name of ['greedy 1', 'greedy 2', 'modest']) await end(name);
    expect(await modest).toBe('modest');
    await end('greedy 3');
    expect(started).not.toContain('too much');
  });

  it('goes on after work that fails', async () => {
    const share = new FairQueue({ maxRunning: 1, maxRunningOfOne: 1, maxWaitingOfOne: 9 });
    const failed = share.run('one', () => Promise.reject(new Error('broken')));
    const next = share.run('one', async () => 'done');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
});
