import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/temporary-folder.ts';
import { DiskFiles } from '../../files/disk-files.ts';
import { limitByClient } from '../../http/client-concurrency.ts';
import { QueueFull } from '../../http/fair-queue.ts';
import { Held, MAX_HELD } from '../../http/held.ts';
import { refusalOf, tooLarge } from '../errors.ts';
import { FileStore } from '../files.ts';
import { TransformCache } from './transform-cache.ts';

/** Counts the pictures that it was begun to make, and those of them at once. */
class CountingStore extends FileStore {
  made = 0;
  mostAtOnce = 0;
  override async workspace(): Promise<string> {
    this.made += 1;
    const workspace = await super.workspace();
    this.mostAtOnce = Math.max(this.mostAtOnce, readdirSync(dirname(workspace)).length);
    return workspace;
  }
}

let folder: string;
let files: CountingStore;
const opened: TransformCache[] = [];
beforeEach(() => {
  folder = temporaryFolder('renditions');
  files = new CountingStore(join(folder, 'files'), new DiskFiles(folder));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((renditions) => renditions.close()));
});

function open(capacity: number): TransformCache {
  const renditions = new TransformCache(files, capacity, new Held(MAX_HELD));
  opened.push(renditions);
  return renditions;
}
async function picture(background: string): Promise<string> {
  const create = { width: 64, height: 64, channels: 3 as const, background };
  const bytes = await sharp({ create }).png().toBuffer();
  return (await files.write(Readable.from([bytes]), 1_000_000, tooLarge)).version;
}
const wide = (width: number) => ({ width, resize: 'cover', quality: 80, format: 'webp' }) as const;
/** A request of a client that waits for its answer. */
const waiting = new AbortController();
const cachedFiles = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.webp'));

it('makes a picture once, for all who ask at the same time and after a restart', async () => {
  const version = await picture('#ff0000');
  const renditions = open(1_000_000);
  const all = await Promise.all(
    Array.from({ length: 10 }, () => renditions.get(version, 100, wide(32), waiting)),
  );
  expect(new Set(all.map(({ path }) => path)).size).toBe(1);
  expect(files.made).toBe(1);
  const restarted = open(1_000_000);
  await restarted.refresh();
  expect(await restarted.get(version, 100, wide(32), waiting)).toEqual(all[0]);
  expect(files.made).toBe(1);
});

it('makes room by what no one has asked for longest', async () => {
  const version = await picture('#00ff00');
  const { size } = await open(1_000_000).get(version, 100, wide(32), waiting);
  const small = open(size * 2);
  const [first] = [
    await small.get(version, 100, wide(32), waiting),
    await small.get(version, 100, wide(31), waiting),
  ];
  await small.get(version, 100, wide(32), waiting);
  await small.get(version, 100, wide(30), waiting);
  expect(cachedFiles()).toHaveLength(2);
  expect(cachedFiles().map((name) => join(folder, name))).toContain(first?.path);
  const before = files.made;
  await small.get(version, 100, wide(32), waiting);
  expect(files.made).toBe(before);
  await small.get(version, 100, wide(31), waiting);
  expect(files.made).toBe(before + 1);
});

it('makes again what another process has removed', async () => {
  const version = await picture('#0000ff');
  const renditions = open(1_000_000);
  const { path } = await renditions.get(version, 100, wide(32), waiting);
  rmSync(path);
  expect((await renditions.get(version, 100, wide(32), waiting)).path).toBe(path);
  expect(files.made).toBe(2);
});

it('lets only so many wait, and refuses what is no picture or too large to be looked at', async () => {
  const version = await picture('#ffffff');
  const renditions = open(1_000_000);
  const crowd = await Promise.allSettled(
    Array.from({ length: 70 }, (_, n) => renditions.get(version, 100, wide(n + 1), waiting)),
  );
  const refused = crowd.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(6);
  // Neither for those refused nor for those that wait is anything fetched.
  expect([files.made, files.mostAtOnce]).toEqual([64, 1]);
  for (const one of refused) expect(refusalOf(one.reason)).toMatchObject({ status: 429, code: 'SlowDown' });
  const text = await files.write(Readable.from(['no picture']), 100, tooLarge);
  await expect(renditions.get(text.version, 10, wide(9), waiting)).rejects.toMatchObject({ status: 422 });
  await expect(renditions.get(version, 25_000_001, wide(99), waiting)).rejects.toMatchObject({ status: 422 });
  await expect(renditions.get('gone', 10, wide(9), waiting)).rejects.toMatchObject({ status: 404 });
  expect(readdirSync(join(folder, 'files/unfinished'))).toEqual([]);
});

it('makes the picture of another network before the rest of those that one asks for', async () => {
  const version = await picture('#00ffff');
  const renditions = open(1_000_000);
  const made: string[] = [];
  const ask = (network: string, width: number) =>
    limitByClient(network, () => renditions.get(version, 100, wide(width), waiting)).then(() =>
      made.push(network),
    );
  await Promise.all([...Array.from({ length: 12 }, (_, n) => ask('greedy', n + 1)), ask('another', 20)]);
  expect(made.indexOf('another')).toBeLessThan(3);
});

it('makes what everyone asks for as soon as another network asks, wherever it waits among what one asks for', async () => {
  const version = await picture('#ffff00');
  const renditions = open(1_000_000);
  const made: string[] = [];
  const ask = (network: string, width: number) =>
    limitByClient(network, () => renditions.get(version, 100, wide(width), waiting)).then(() =>
      made.push(`${width} for ${network}`),
    );
  const own = Array.from({ length: 63 }, (_, n) => ask('greedy', n + 1));
  const last = ask('greedy', 64);
  const visitors = [ask('a visitor', 64), ask('another', 64)];
  const refused = expect(ask('greedy', 65)).rejects.toThrow(QueueFull);
  // Nor is a visitor refused with the one whose turns are all taken.
  visitors.push(ask('another', 65));
  await refused;
  await Promise.all([...own, last, ...visitors]);
  expect(made.indexOf('64 for a visitor')).toBeLessThan(4);
  expect(made.indexOf('64 for another')).toBeLessThan(4);
  expect(files.made).toBe(65);
});

it('makes nothing for requests that are given up before their turn, unless others wait for the same', async () => {
  const version = await picture('#ff00ff');
  const renditions = open(1_000_000);
  const leaving = new AbortController();
  const ask = (width: number, request: AbortController) => renditions.get(version, 100, wide(width), request);
  const first = ask(1, waiting);
  const left = [ask(2, leaving), ask(2, leaving), ask(3, leaving), ask(4, leaving)];
  const stayed = ask(4, waiting);
  const shared = Promise.allSettled(left);
  leaving.abort(new Error('gone'));
  const { size } = await stayed;
  await first;
  expect(
    (await shared).map((one) => (one.status === 'rejected' ? one.reason.message : one.value.size)),
  ).toEqual(['gone', 'gone', 'gone', size]);
  expect(files.made).toBe(2);
  // It is made for the next who asks.
  expect((await ask(2, waiting)).size).toBeGreaterThan(0);
});
