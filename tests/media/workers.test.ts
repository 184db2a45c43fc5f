import { mkdir, mkdtemp, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JOB_LIMITS } from '../../media/limits.ts';
import { createMedia, type Media } from '../../media/workers.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { TIMEOUT_MS } from '../timeouts.ts';
import { turns } from './make-build-file.ts';

const program = join(import.meta.dirname, 'failing-worker.ts');
let folder: string;
let media: Media;
let limits: typeof JOB_LIMITS;
beforeEach(() => {
  folder = temporaryFolder('workers');
  limits = { ...JOB_LIMITS, hungMs: TIMEOUT_MS };
  media = createMedia(folder, { turns, log: () => {}, program, limits });
});
afterEach(() => media.close());

async function processJob(wish: string, owner = 'a') {
  const own = await mkdtemp(join(folder, 'job-'));
  await writeFile(join(own, 'sent'), wish);
  return media.process(
    {
      kind: 'image',
      name: 'a.png',
      path: join(own, 'sent'),
      folder: own,
      discard: async () => {},
    },
    'images',
    owner,
  );
}

test('a crash costs the one upload, and those that wait go on', async () => {
  const [first, second, third] = await Promise.allSettled([
    processJob('well'),
    processJob('crash'),
    processJob('well'),
  ]);
  expect(first?.status).toBe('fulfilled');
  expect(second).toMatchObject({
    status: 'rejected',
    reason: { status: 422, message: expect.stringMatching(/^a\.png: This image cannot be read/) },
  });
  expect(third?.status).toBe('fulfilled');
});

test('a member’s job comes before the rest of another’s', async () => {
  const done: string[] = [];
  const job = (owner: string) => processJob('well', owner).then(() => done.push(owner));
  await Promise.all([...Array.from({ length: 6 }, () => job('greedy')), job('another')]);
  expect(done.indexOf('another')).toBeLessThan(3);
});

test('a worker that is killed costs no upload', async () => {
  expect(await processJob('be killed once')).toEqual({ files: ['done'], width: 1, height: 1 });
});

test('a job that computes for ever is ended by its processor time, and its worker is replaced', async () => {
  limits.cpuMs = { ...limits.cpuMs, image: 500 };
  await expect(processJob('hang')).rejects.toMatchObject({
    status: 422,
    message: 'a.png: This image takes too much work to process. Please choose a smaller one.',
  });
  expect(await processJob('well')).toEqual({ files: ['done'], width: 1, height: 1 });
});

test('a job that takes long by the clock alone, as on a busy machine, is done', async () => {
  limits.cpuMs = { ...limits.cpuMs, image: 500 };
  expect(await processJob('rest')).toEqual({ files: ['done'], width: 1, height: 1 });
});

test('a worker that waits for ever is replaced', async () => {
  limits.hungMs = 1000;
  await expect(processJob('wait')).rejects.toMatchObject({
    // It may be the server that is slow, so that another try can help.
    status: 503,
    message: 'a.png: This image takes too long to process. Please try again, or choose a smaller one.',
  });
  // The next one starts a process, which takes its time on a busy machine.
  limits.hungMs = TIMEOUT_MS;
  expect(await processJob('well')).toEqual({ files: ['done'], width: 1, height: 1 });
});

test('a member has three uploads under way; the last places are for those who have none', () => {
  const refused = expect.objectContaining({ status: 429 });
  const releases = ['a', 'a', 'a'].map((owner) => media.admit(owner));
  expect(() => media.admit('a')).toThrow(refused);
  const pairs = Array.from({ length: 61 }, (_, index) => media.admit(`b${index}`));
  expect(() => media.admit('b0')).toThrow(refused);
  const others = Array.from({ length: 32 }, (_, index) => media.admit(`c${index}`));
  expect(() => media.admit('d')).toThrow(refused);
  others[0]?.();
  // Leaving twice frees one place.
  others[0]?.();
  media.admit('d');
  expect(() => media.admit('e')).toThrow(refused);
  for (const release of [...releases, ...pairs]) release();
  for (const owner of ['a', 'a', 'a']) media.admit(owner);
});

test('what a killed process left behind is swept away', async () => {
  const [old, fresh] = [join(folder, 'upload-old'), join(folder, 'upload-new')];
  await mkdir(old);
  await mkdir(fresh);
  await utimes(old, new Date(0), new Date(0));
  await createMedia(folder, { turns, log: () => {}, program }).close();
  expect(await readdir(folder)).toEqual(['upload-new']);
});

test('what a killed process left behind is swept away also behind what cannot be, of which the log tells until it can', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  // No one can follow it to what it names.
  await symlink('upload-knot', join(folder, 'upload-knot'));
  await mkdir(join(folder, 'upload-old'));
  await utimes(join(folder, 'upload-old'), new Date(0), new Date(0));
  const log = vi.fn();
  const started = createMedia(folder, { turns, log, program });
  expect(await readdir(folder)).toEqual(['upload-knot']);
  expect(log.mock.calls).toEqual([
    [expect.any(String), { name: 'upload-knot', reason: expect.stringContaining('ELOOP') }],
  ]);
  vi.advanceTimersByTime(3_600_000);
  expect(await readdir(folder)).toEqual([]);
  vi.useRealTimers();
  await started.close();
});

test('what a process that was killed and started again at once left behind is swept away within two hours', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await mkdir(join(folder, 'upload-cut-off'));
  const started = createMedia(folder, { turns, log: () => {}, program });
  const hour = 3_600_000;
  vi.advanceTimersByTime(hour / 2);
  await mkdir(join(folder, 'upload-arriving'));
  vi.advanceTimersByTime(hour / 2);
  expect(await readdir(folder)).toEqual(['upload-arriving']);
  vi.advanceTimersByTime(hour);
  expect(await readdir(folder)).toEqual([]);
  vi.useRealTimers();
  await started.close();
});
