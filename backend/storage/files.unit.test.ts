import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../tests/temporary-folder.ts';
import { DiskFiles } from '../files/disk-files.ts';
import { tooLarge } from './errors.ts';
import { FileStore } from './files.ts';

let folder: string;
let store: FileStore;
beforeEach(() => {
  folder = temporaryFolder('files');
  store = new FileStore(join(folder, 'files'), new DiskFiles(folder));
});

const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
const yes = async () => true;
const anHourAgo = (path: string) =>
  utimesSync(path, new Date(Date.now() - 3_600_000), new Date(Date.now() - 3_600_000));

it('keeps what was written, under a name of its own each time', async () => {
  const first = await store.write(Readable.from(['one ', 'two']), 100, tooLarge);
  const second = (await store.copy(first.version)) ?? '';
  expect([first.size, first.etag]).toEqual([7, expect.stringMatching(/^"[0-9a-f]{32}"$/)]);
  await store.remove([first.version]);
  expect(await store.read(first.version)).toBeUndefined();
  const copy = await store.read(second, { start: 4, end: 6 });
  expect(copy && (await text(copy))).toBe('two');
});

it('leaves nothing of a file that is too large or cut off', async () => {
  await expect(store.write(Readable.from(['12345', '67890']), 9, tooLarge)).rejects.toMatchObject({
    status: 413,
  });
  const cut = new Readable({ read: () => cut.destroy(new Error('the line went dead')) });
  await expect(store.write(cut, 9, tooLarge)).rejects.toThrow('the line went dead');
  expect(files()).toEqual([]);
});

it('gives the bytes of an open file even when it goes in the meantime', async () => {
  const { version } = await store.write(Readable.from(['still here']), 100, tooLarge);
  const reading = await store.read(version);
  await store.remove([version]);
  expect(reading && (await text(reading))).toBe('still here');
});

it('sweeps what is old and named by no row, and nothing else', async () => {
  const [named, stray, fresh] = await Promise.all(
    ['named', 'stray', 'fresh'].map((word) => store.write(Readable.from([word]), 100, tooLarge)),
  );
  for (const file of [named, stray])
    anHourAgo(join(folder, 'files', file?.version.slice(0, 2) ?? '', file?.version ?? ''));
  mkdirSync(join(folder, 'files/unfinished'), { recursive: true });
  writeFileSync(join(folder, 'files/unfinished/old'), '');
  writeFileSync(join(folder, 'files/unfinished/new'), '');
  anHourAgo(join(folder, 'files/unfinished/old'));
  await store.sweep(async () => new Set([named?.version ?? '']), yes);
  expect(files().sort()).toEqual(['new', named?.version, fresh?.version].sort());
});

it('leaves the files where no row names any, and sweeps what never was one', async () => {
  const { version } = await store.write(Readable.from(['of another database']), 100, tooLarge);
  anHourAgo(join(folder, 'files', version.slice(0, 2), version));
  for (const part of ['unfinished', 'resumable']) {
    mkdirSync(join(folder, 'files', part), { recursive: true });
    writeFileSync(join(folder, 'files', part, 'old'), '');
    anHourAgo(join(folder, 'files', part, 'old'));
  }
  await store.sweep(
    async () => new Set(),
    async () => false,
  );
  expect(files()).toEqual([version]);
});

it('sweeps all that lies behind what it cannot look at, and then says so', async () => {
  const { version } = await store.write(Readable.from(['stray']), 100, tooLarge);
  anHourAgo(join(folder, 'files', version.slice(0, 2), version));
  writeFileSync(join(folder, 'files/00'), 'what no site has put there');
  mkdirSync(join(folder, 'files/01/a folder'), { recursive: true });
  anHourAgo(join(folder, 'files/01/a folder'));
  for (const part of ['resumable/odd', 'renditions/old']) {
    mkdirSync(join(folder, 'files', part), { recursive: true });
    anHourAgo(join(folder, 'files', part));
  }
  const findReferenced = async (versions: string[]) => {
    if (versions.includes('odd')) throw new Error('the database knows no such version');
    return new Set<string>();
  };
  await expect(store.sweep(findReferenced, yes)).rejects.toThrow('the database knows no such version');
  expect(readdirSync(join(folder, 'files/renditions'))).toEqual([]);
  expect(readdirSync(join(folder, 'files', version.slice(0, 2)))).toEqual([]);
  expect(readdirSync(join(folder, 'files/resumable'))).toEqual(['odd']);
});

it('takes nothing for a stray that only seems old because the clock was set', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    store = new FileStore(join(folder, 'files'), new DiskFiles(folder));
    const { version } = await store.write(Readable.from(['arriving']), 100, tooLarge);
    const none = async () => new Set<string>();
    vi.setSystemTime(Date.now() + 3_600_000);
    await store.sweep(none, yes);
    expect(files()).toEqual([version]);
    vi.setSystemTime(Date.now() - 3_600_000);
    await store.sweep(none, yes);
    expect(files()).toEqual([version]);
    // Half an hour later the file is a stray one.
    vi.advanceTimersByTime(1_900_000);
    await store.sweep(none, yes);
    expect(files()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
