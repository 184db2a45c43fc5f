import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/temporary-folder.ts';
import { DiskFiles } from '../../files/disk-files.ts';
import { limitByClient } from '../../http/client-concurrency.ts';
import { Held, MAX_HELD } from '../../http/held.ts';
import { refusalOf, tooLarge } from '../errors.ts';
import { FileStore } from '../files.ts';
import { TransformCache } from './transform-cache.ts';

/** Counts the pictures made. */
class CountingStore extends FileStore {
  made = 0;
  override workspace(): Promise<string> {
    this.made += 1;
    return super.workspace();
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
const cachedFiles = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.webp'));

it('makes a picture once, for all who ask at the same time and after a restart', async () => {
  const version = await picture('#ff0000');
  const renditions = open(1_000_000);
  const all = await Promise.all(Array.from({ length: 10 }, () => renditions.get(version, 100, wide(32))));
  expect(new Set(all.map(({ path }) => path)).size).toBe(1);
  expect(files.made).toBe(1);
  const restarted = open(1_000_000);
  await restarted.refresh();
  expect(await restarted.get(version, 100, wide(32))).toEqual(all[0]);
  expect(files.made).toBe(1);
});

it('makes room by what no one has asked for longest', async () => {
  const version = await picture('#00ff00');
  const { size } = await open(1_000_000).get(version, 100, wide(32));
  const small = open(size * 2);
  const [first] = [await small.get(version, 100, wide(32)), await small.get(version, 100, wide(31))];
  await small.get(version, 100, wide(32));
  await small.get(version, 100, wide(30));
  expect(cachedFiles()).toHaveLength(2);
  expect(cachedFiles().map((name) => join(folder, name))).toContain(first?.path);
  const before = files.made;
  await small.get(version, 100, wide(32));
  expect(files.made).toBe(before);
  await small.get(version, 100, wide(31));
  expect(files.made).toBe(before + 1);
});

it('makes again what another process has removed', async () => {
  const version = await picture('#0000ff');
  const renditions = open(1_000_000);
  const { path } = await renditions.get(version, 100, wide(32));
  rmSync(path);
  expect((await renditions.get(version, 100, wide(32))).path).toBe(path);
  expect(files.made).toBe(2);
});

it('lets only so many wait, and refuses what is no picture or too large to be looked at', async () => {
  const version = await picture('#ffffff');
  const renditions = open(1_000_000);
  const crowd = await Promise.allSettled(
    Array.from({ length: 70 }, (_, n) => renditions.get(version, 100, wide(n + 1))),
  );
  const refused = crowd.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(6);
  for (const one of refused) expect(refusalOf(one.reason)).toMatchObject({ status: 429, code: 'SlowDown' });
  const text = await files.write(Readable.from(['no picture']), 100, tooLarge);
  await expect(renditions.get(text.version, 10, wide(9))).rejects.toMatchObject({ status: 422 });
  await expect(renditions.get(version, 25_000_001, wide(99))).rejects.toMatchObject({ status: 422 });
  await expect(renditions.get('gone', 10, wide(9))).rejects.toMatchObject({ status: 404 });
  expect(readdirSync(join(folder, 'files/unfinished'))).toEqual([]);
});

it('makes the picture of another network before the rest of those that one asks for', async () => {
  const version = await picture('#00ffff');
  const renditions = open(1_000_000);
  const made: string[] = [];
  const ask = (network: string, width: number) =>
    limitByClient(network, () => renditions.get(version, 100, wide(width))).then(() => made.push(network));
  await Promise.all([...Array.from({ length: 12 }, (_, n) => ask('greedy', n + 1)), ask('another', 20)]);
  expect(made.indexOf('another')).toBeLessThan(3);
});
