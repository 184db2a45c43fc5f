import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type S3Store, startS3Store } from '../../tests/s3-store.ts';
import { temporaryFolder } from '../../tests/temporary-folder.ts';
import { readConfig } from '../config.ts';
import { pathOf } from './file-driver.ts';
import { moveFiles } from './move-files.ts';
import { checkPlace } from './place.ts';

let store: S3Store;
let dataDir: string;
const files = new Map(
  // More than the store lists at once, and one in several parts.
  Array.from({ length: 30 }, (_, number) => [
    randomUUID(),
    randomBytes(number === 7 ? 6_000_000 : number * 10),
  ]),
);
const sizes = [...files.values()].reduce((sum, { length }) => sum + length, 0);

beforeEach(async () => {
  store = await startS3Store();
  dataDir = temporaryFolder('move');
  for (const [version, bytes] of files) {
    mkdirSync(dirname(join(dataDir, pathOf(version))), { recursive: true });
    writeFileSync(join(dataDir, pathOf(version)), bytes);
  }
});
afterEach(() => store.stop());

const config = (settings = store.settings) =>
  readConfig(resolve(import.meta.dirname, '../..'), { DATA_DIR: dataDir, ...settings });
const move = (to: 's3' | 'disk') => moveFiles(config(), to, () => undefined);
const onDisk = () =>
  readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
const inBucket = () => [...store.objects.keys()].filter((key) => key.startsWith('files/'));

it('brings all files there and back, whole, and the site starts only where they are', async () => {
  expect(await move('s3')).toEqual({ files: 30, bytes: sizes, left: 0 });
  for (const [version, bytes] of files)
    expect(store.objects.get(pathOf(version))?.bytes.equals(bytes)).toBe(true);
  expect([onDisk(), store.uploads.size]).toEqual([[], 0]);
  await checkPlace(config());
  await expect(checkPlace(config({}))).rejects.toThrow('are in the bucket');
  expect(await move('s3')).toEqual({ files: 0, bytes: 0, left: 0 });

  expect(await move('disk')).toEqual({ files: 30, bytes: sizes, left: 0 });
  for (const [version, bytes] of files)
    expect(readFileSync(join(dataDir, pathOf(version))).equals(bytes)).toBe(true);
  expect([...store.objects.keys()]).toEqual([]);
  await checkPlace(config({}));
  await expect(checkPlace(config())).rejects.toThrow('are on its disk');
});

for (const to of ['s3', 'disk'] as const)
  it(`loses nothing when it is cut off on the way to ${to}, and ends when it is done again`, async () => {
    if (to === 'disk') await move('s3');
    // Each time the store ends after some more requests, as it does for a command that is killed.
    for (const requests of [3, 20, 80]) {
      let left = requests;
      store.fault = () => (left-- > 0 ? undefined : 'read-only');
      await move(to).catch(() => undefined);
      store.fault = () => undefined;
      for (const [version, bytes] of files)
        expect(
          store.objects.get(pathOf(version))?.bytes.equals(bytes) ||
            (existsSync(join(dataDir, pathOf(version))) &&
              readFileSync(join(dataDir, pathOf(version))).equals(bytes)),
        ).toBe(true);
    }
    expect((await move(to)).left).toBe(0);
    expect([onDisk().length, inBucket().length]).toEqual(to === 's3' ? [0, 30] : [30, 0]);
    expect(existsSync(join(dataDir, 'moving-files'))).toBe(false);
  });

it('takes no file for moved that the store has changed', async () => {
  const [version = ''] = files.keys();
  store.fault = ({ method, key }) => {
    const kept = store.objects.get(pathOf(version));
    if (method === 'GET' && key === pathOf(version) && kept) kept.bytes = Buffer.alloc(kept.bytes.length + 1);
    return undefined;
  };
  await expect(move('s3')).rejects.toThrow(`${version} is not in the bucket files-of-a-test what it is in`);
  await checkPlace(config({}));
  expect(onDisk()).toHaveLength(30);
});
