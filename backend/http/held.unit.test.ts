import { expect, it } from 'vitest';
import { Held, MAX_HELD, TooMuchHeld } from './held.ts';

const open = () =>
  new Held({ ...MAX_HELD, 'downloads of a network': 2, 'waiting downloads of a network': 1 });
const request = () => {
  const leaving = new AbortController();
  return { signal: leaving.signal, leave: () => leaving.abort(new Error('gone')) };
};
const nothing = (held: Held) => expect(new Set(Object.values(held.counts()))).toEqual(new Set([0]));

it('one client has what it may, and others have theirs', () => {
  const held = open();
  const most = MAX_HELD['archives of a member'];
  const takes = Array.from({ length: most }, () => held.take([['archives of a member', 'a', 1]]));
  expect(() => held.take([['archives of a member', 'a', 1]])).toThrow(TooMuchHeld);
  const other = held.take([['archives of a member', 'b', 1]]);
  expect(held.counts()['archives of a member']).toBe(most + 1);
  for (const release of [...takes, other, other]) release();
  nothing(held);
});

it('nothing is taken where one part is too much', () => {
  const held = open();
  const uses = [
    ['subscriptions of a socket', 's', 1],
    ['filters of a socket', 's', MAX_HELD['filters of a socket'] + 1],
  ] as const;
  expect(() => held.take([...uses])).toThrow('Too many at once: 100 filters of a socket at most');
  nothing(held);
});

it('who waits has the next place, or leaves; and only so many wait', async () => {
  const held = open();
  const [first, second] = [await held.download('a', request()), await held.download('a', request())];
  const leaver = request();
  const left = held.download('a', leaver);
  await expect(held.download('a', request())).rejects.toThrow(TooMuchHeld);
  leaver.leave();
  await expect(left).rejects.toThrow('gone');
  const third = held.download('a', request());
  // Another client waits for no one.
  (await held.download('b', request()))();
  first();
  (await third)();
  second();
  nothing(held);
});

it('a place that comes free in the moment in which who waits for it leaves is not lost', async () => {
  const held = open();
  const [first, second] = [await held.download('a', request()), await held.download('a', request())];
  const leaver = request();
  const left = held.download('a', leaver);
  leaver.leave();
  first();
  await expect(left).rejects.toThrow('gone');
  second();
  nothing(held);
});

it('turns are counted while they are waited for and had', async () => {
  const held = open();
  const queue = held.oneAtATime(1);
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const work = [queue.run('a', () => end), queue.run('a', () => end)];
  expect(held.counts().turns).toBe(2);
  resolve();
  await Promise.all(work);
  nothing(held);
});
