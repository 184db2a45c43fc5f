import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '#backend/log.ts';
import { recordUptime } from './uptime.ts';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-21T10:00:05Z') }));
afterEach(() => vi.useRealTimers());

it('writes each minute down once, and none in which the site could not serve', async () => {
  let able = true;
  const minutes: string[] = [];
  const stop = recordUptime(
    async () => (able ? undefined : 'The database does not answer'),
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
  const stop = recordUptime(async () => undefined, record, log);
  await vi.advanceTimersByTimeAsync(45_000);
  await stop();
  expect(record).toHaveBeenCalledTimes(3);
  expect(error).toHaveBeenCalledTimes(1);
});

it('says why the site cannot serve, once for each reason, and that it serves again', async () => {
  const log = createLog('silent');
  const logged: unknown[] = [];
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(log, level).mockImplementation((...words: unknown[]) => void logged.push(words));
  const reasons = ['The disk of the data folder is full', 'The database does not answer', undefined];
  let reason = reasons[0];
  const stop = recordUptime(
    async () => reason,
    async () => undefined,
    log,
  );
  for (reason of reasons) await vi.advanceTimersByTimeAsync(30_000);
  await stop();
  expect(logged).toEqual([
    [{ reason: reasons[0] }, 'the site cannot serve'],
    [{ reason: reasons[1] }, 'the site cannot serve'],
    ['the site serves again'],
  ]);
});
