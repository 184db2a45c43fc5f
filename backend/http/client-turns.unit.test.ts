import { describe, expect, it } from 'vitest';
import { inTurn, withClientTurns, withoutTurns } from './client-turns.ts';
import { FairShare, TooMuchWaiting } from './fair-share.ts';

/** The one turn there is, which a client has until `end` is called; another of its requests is refused meanwhile. */
function taken() {
  const share = new FairShare({ maxRunning: 1, maxRunningOfOne: 1, maxWaitingOfOne: 0 });
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const first = withClientTurns('one', () => inTurn(share, () => promise));
  return { share, first, end };
}
const done = async () => 'done';

describe('the turns of a client', () => {
  it('are those of whoever’s request is answered, however deep in it', async () => {
    const { share, first, end } = taken();
    const again = withClientTurns('one', async () => {
      await Promise.resolve();
      return inTurn(share, done);
    });
    await expect(again).rejects.toThrow(TooMuchWaiting);
    end();
    await first;
    expect(await withClientTurns('one', () => inTurn(share, done))).toBe('done');
  });

  it('are not waited for within a turn, which would never end', async () => {
    const share = new FairShare({ maxRunning: 1, maxRunningOfOne: 1, maxWaitingOfOne: 9 });
    expect(await withClientTurns('one', () => inTurn(share, () => inTurn(share, done)))).toBe('done');
  });

  it('are not waited for by what the site does by itself, or for everybody', async () => {
    const { share, first, end } = taken();
    expect(await inTurn(share, done)).toBe('done');
    expect(await withClientTurns('one', () => withoutTurns(() => inTurn(share, done)))).toBe('done');
    end();
    await first;
  });
});
