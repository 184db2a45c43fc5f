import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import { recordUptime } from './uptime.ts';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-21T10:00:05Z') }));
afterEach(() => vi.useRealTimers());

it('writes each minute down once, and none in which the site could not serve', async () => {
  let able = true;
  const minutes: string[] = [];
  const stop = recordUptime(
    async () => able,
    async () => void minutes.push(new Date().toISOString().slice(11, 16)),
    createLog('silent'),
  );
  await vi.advanceTimersByTimeAsync(120_000);
  able = false;
  await vi.advanceTimersByTimeAsync(120_000);
  able = true;
  await vi.advanceTimersByTimeAsync(60_000);
  await stop();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(minutes).toEqual(['10:00', '10:01', '10:02', '10:04', '10:05']);
});

it('tries again within the minute when it could not be written down, and says so once', async () => {
  const log = createLog('silent');
  const error = vi.spyOn(log, 'error');
  const record = vi
    .fn()
    .mockRejectedValueOnce(new Error('gone'))
    .mockRejectedValueOnce(new Error('gone'))
    .mockResolvedValue(undefined);
  const stop = recordUptime(async () => true, record, log);
  await vi.advanceTimersByTimeAsync(45_000);
  await stop();
  expect(record).toHaveBeenCalledTimes(3);
  expect(error).toHaveBeenCalledTimes(1);
});
