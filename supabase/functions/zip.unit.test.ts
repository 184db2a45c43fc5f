import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { type ZipEntry, zipLength, zipOf } from './zip.ts';

const CONTENTS = { 'a/é.txt': 'one', 'empty.bin': '', 'long.bin': 'x'.repeat(5000) };
const lastModified = new Date(2026, 10, 29, 12, 30, 8);

/** Files in pieces, with a record of which were opened, from where, and closed. */
function files(isKnown: boolean) {
  const opened: string[] = [];
  const closed: string[] = [];
  const entries = Object.entries(CONTENTS).map(([name, text]): ZipEntry => {
    const bytes = Buffer.from(text);
    return {
      ...{ name, lastModified },
      ...(isKnown && { size: bytes.length, crc32: crc32(bytes) }),
      async *open(start) {
        opened.push(`${name} ${start}`);
        try {
          for (let at = start; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
        } finally {
          closed.push(name);
        }
      },
    };
  });
  return { entries, opened, closed };
}

it('holds what was put into it, as every program reads it', async () => {
  const zip = await buffer(zipOf(files(false).entries));
  const found = unzipSync(zip);
  expect(Object.entries(found).map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual(
    Object.entries(CONTENTS),
  );
  const entries = zip.toString('latin1').split('PK\u0001\u0002').slice(1);
  const sums = entries.map((entry) => Buffer.from(entry, 'latin1').readUInt32LE(12));
  expect(sums).toEqual(Object.values(CONTENTS).map((text) => crc32(text)));
});

it('is the same from any of its bytes on, whether or not the checksums are known', async () => {
  const whole = await buffer(zipOf(files(false).entries));
  const sized = Object.entries(CONTENTS).map(([name, text]) => ({ name, size: Buffer.byteLength(text) }));
  expect(zipLength(sized)).toBe(whole.length);
  for (let start = 0; start <= whole.length; start += start < 200 ? 1 : 97)
    for (const isKnown of [true, false])
      expect((await buffer(zipOf(files(isKnown).entries, start))).equals(whole.subarray(start))).toBe(true);
});

it('reads nothing of what no one asked for', async () => {
  const { entries, opened } = files(true);
  const length = zipLength(entries.map(({ name, size = 0 }) => ({ name, size })));
  await buffer(zipOf(entries, length - 1));
  expect(opened).toEqual([]);
  await buffer(zipOf(entries, length - 1000));
  expect(opened).toEqual(['long.bin 4201']);
});

it('says a checksum once the file is read, and closes what it has opened when its reader leaves', async () => {
  const { entries, opened, closed } = files(false);
  const heard: number[] = [];
  const [first, ...others] = entries;
  if (!first) throw new Error('no file');
  for await (const _ of zipOf([{ ...first, onRead: (sum) => heard.push(sum) }, ...others]))
    if (opened.at(-1) === 'long.bin 0') break;
  expect(heard).toEqual([crc32('one')]);
  expect(closed.length).toBe(opened.length);
});

it('ends where a file is not as long as was said', async () => {
  const [first] = files(true).entries;
  if (!first) throw new Error('no file');
  await expect(buffer(zipOf([{ ...first, size: 4 }]))).rejects.toThrow('a/é.txt has 3 bytes instead of 4');
});

it('names files and places beyond 4 GB in the fields that have room for them', async () => {
  const gigabytes = 5_000_000_000;
  const sizes = Array.from({ length: 3 }, (_, index) => ({ name: `${index}`, size: 2_500_000_000 }));
  const length = zipLength(sizes);
  const entries = sizes.map(
    ({ name, size }): ZipEntry => ({
      ...{ name, size, lastModified, crc32: 1 },
      open: () => {
        throw new Error('not asked for');
      },
    }),
  );
  const end = await buffer(zipOf(entries, 3 * (30 + 1 + 2_500_000_000 + 16)));
  expect(length - 3 * (30 + 1 + 2_500_000_000 + 16)).toBe(end.length);
  // The place of the last file, of 64 bits, after the extra field's own number and length.
  expect(end.includes(Buffer.from([1, 0, 8, 0]))).toBe(true);
  const at = end.lastIndexOf(Buffer.from([1, 0, 8, 0])) + 4;
  expect(Number(end.readBigUInt64LE(at))).toBe(gigabytes + 2 * (30 + 1 + 16));
  expect(end.subarray(-6 - 4 - 12 + 16, -2).toString('hex')).toBe('ffffffff');
});
