import { existsSync, readdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../tests/temporary-folder.ts';
import { canWrite, createReadiness } from './readiness.ts';

const good = async () => undefined;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('is given when everything answers', async () => {
  expect(await createReadiness({ 'The database': good, 'The data folder': good })()).toBeUndefined();
});

it('is refused with the reason', async () => {
  const refusing = async () => 'The migration 20261101000100 is not applied';
  const failing = async () => {
    throw new Error('password authentication failed for user "authenticator"');
  };
  expect(await createReadiness({ 'The database': refusing, 'The data folder': good })()).toBe(
    'The migration 20261101000100 is not applied',
  );
  expect(await createReadiness({ 'The database': failing })()).toBe('The database cannot be used');
});

it('names a full disk as the reason, the database’s too', async () => {
  const full = async () => {
    throw Object.assign(new Error('could not write init file: No space left on device'), { code: '53100' });
  };
  expect(await createReadiness({ 'The database': full })()).toBe(
    'The database cannot be used, since its disk is full',
  );
});

it('is refused within a second when something does not answer at all', async () => {
  const readiness = createReadiness({ 'The database': () => new Promise(() => undefined) })();
  await vi.advanceTimersByTimeAsync(999);
  expect(await readiness).toBe('The database does not answer');
});

it('is looked into again half a second later, and once for all who ask at the same time', async () => {
  const probe = vi.fn(good);
  const ready = createReadiness({ 'The database': probe });
  await Promise.all([ready(), ready(), ready()]);
  expect(probe).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(500);
  await ready();
  expect(probe).toHaveBeenCalledTimes(2);
});

it('needs a folder that can be written to, and leaves nothing there', async () => {
  const folder = temporaryFolder('ready');
  expect(await canWrite(folder)()).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
  await expect(canWrite(folder)()).rejects.toThrow('ENOENT');
  expect(existsSync(folder)).toBe(false);
});
