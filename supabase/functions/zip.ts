import { ReadableStream as NodeStream } from 'node:stream/web';
import { crc32 } from 'node:zlib';

/** A file that goes into an archive as it is. */
export interface ZipEntry {
  /** With its folders; a slash is between them. */
  name: string;
  lastModified: Date;
  /** Its length in bytes and their checksum, where they are known: then what no one asked for need not be read. */
  size?: number | undefined;
  crc32?: number | undefined;
  /** The bytes from this one on. */
  open(start: number): Promise<AsyncIterable<Uint8Array>> | AsyncIterable<Uint8Array>;
  /** Hears the checksum where it was not known and the file was read as a whole. */
  onRead?(crc32: number): void;
}

/** As PKWARE's APPNOTE 6.3.10 has them (sections 4.3.7, 4.3.9, 4.3.12, 4.3.14 to 4.3.16). */
const SIGNATURE = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
};
const VERSION = 20;
const VERSION_64 = 45;
/** A field of 32 or 16 bits that says no more than that the other one, of 64 bits, is to be read. */
const [IN_64, IN_64_SHORT] = [0xffffffff, 0xffff];
/** Sizes and checksum come after the bytes; the name is UTF-8. */
const FLAGS = 0x0808;
/** A regular file that its owner may write and everyone read, as Unix has it. */
const MODE = 0o100644 * 0x10000;
const LENGTH = { local: 30, descriptor: 16, central: 46, offset64: 12, end: 22, end64: 56, locator64: 20 };

/** Fields of 2, 4 or 8 bytes, one after the other, and then these bytes. */
function record(fields: [bytes: 2 | 4 | 8, value: number][], ...rest: Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) head.writeBigUInt64LE(BigInt(value), at);
    else head.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return Buffer.concat([head, ...rest]);
}

/** Two seconds are the smallest unit, and 1980 the earliest year. */
const timeOf = (date: Date): number =>
  Math.floor(date.getSeconds() / 2) + date.getMinutes() * 0x20 + date.getHours() * 0x800;
const dateOf = (date: Date): number =>
  date.getDate() + (date.getMonth() + 1) * 0x20 + Math.max(0, date.getFullYear() - 1980) * 0x200;

const localHeader = ({ lastModified }: ZipEntry, name: Uint8Array): Uint8Array =>
  record(
    [
      [4, SIGNATURE.local],
      [2, VERSION],
      [2, FLAGS],
      [2, 0],
      [2, timeOf(lastModified)],
      [2, dateOf(lastModified)],
      ...([0, 0, 0] as const).map((unknown): [4, number] => [4, unknown]),
      [2, name.length],
      [2, 0],
    ],
    name,
  );

/** A file that is in the archive. */
interface Written {
  entry: ZipEntry;
  name: Uint8Array;
  offset: number;
  size: number;
  crc32: number;
}

function centralHeader({ entry: { lastModified }, name, offset, size, crc32: sum }: Written): Uint8Array {
  const isFar = offset >= IN_64;
  return record(
    [
      [4, SIGNATURE.central],
      [2, 3 * 0x100 + (isFar ? VERSION_64 : VERSION)],
      [2, isFar ? VERSION_64 : VERSION],
      [2, FLAGS],
      [2, 0],
      [2, timeOf(lastModified)],
      [2, dateOf(lastModified)],
      [4, sum],
      [4, size],
      [4, size],
      [2, name.length],
      [2, isFar ? LENGTH.offset64 : 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, MODE],
      [4, isFar ? IN_64 : offset],
    ],
    name,
    isFar
      ? record([
          [2, 1],
          [2, 8],
          [8, offset],
        ])
      : Buffer.alloc(0),
  );
}

function ending(count: number, offset: number, length: number): Uint8Array {
  const is64 = count >= IN_64_SHORT || offset >= IN_64;
  const end64 = record([
    [4, SIGNATURE.end64],
    [8, LENGTH.end64 - 12],
    [2, VERSION_64],
    [2, VERSION_64],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, length],
    [8, offset],
  ]);
  const locator64 = record([
    [4, SIGNATURE.locator64],
    [4, 0],
    [8, offset + length],
    [4, 1],
  ]);
  const shownCount = is64 ? IN_64_SHORT : count;
  const end = record([
    [4, SIGNATURE.end],
    [2, 0],
    [2, 0],
    [2, shownCount],
    [2, shownCount],
    [4, length],
    [4, is64 ? IN_64 : offset],
    [2, 0],
  ]);
  return is64 ? Buffer.concat([end64, locator64, end]) : end;
}

/** The bytes of the archive of files whose names and sizes these are. */
export function zipLength(entries: { name: string; size: number }[]): number {
  let [offset, central] = [0, 0];
  for (const { name, size } of entries) {
    const nameLength = Buffer.byteLength(name);
    central += LENGTH.central + nameLength + (offset >= IN_64 ? LENGTH.offset64 : 0);
    offset += LENGTH.local + nameLength + size + LENGTH.descriptor;
  }
  return offset + central + ending(entries.length, offset, central).length;
}

/**
 * An archive of files that are stored as they are, from one of its bytes on. Each file is opened once all before it
 * are read, and closed however the reading ends; of those before `start` none whose size and checksum are known.
 *
 * @throws where a file has another length than was said, or 4 GB
 */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  start = 0,
): AsyncGenerator<Uint8Array, void, undefined> {
  const written: Written[] = [];
  let at = 0;
  const rest = (bytes: Uint8Array): Uint8Array[] => {
    const from = Math.max(start - at, 0);
    at += bytes.length;
    return from < bytes.length ? [bytes.subarray(from)] : [];
  };
  for await (const entry of entries) {
    const name = Buffer.from(entry.name);
    const offset = at;
    yield* rest(localHeader(entry, name));
    const from = at;
    let sum = entry.crc32;
    // What is known need not be read once more, and all before `start` is wanted by no one.
    const skipped = sum === undefined ? 0 : Math.min(Math.max(start - at, 0), entry.size ?? 0);
    at += skipped;
    if (sum === undefined || skipped < (entry.size ?? Number.POSITIVE_INFINITY)) {
      let read = 0;
      for await (const bytes of await entry.open(skipped)) {
        if (entry.crc32 === undefined) read = crc32(bytes, read);
        yield* rest(bytes);
      }
      if (sum === undefined) entry.onRead?.(read);
      sum ??= read;
    }
    const size = at - from;
    if ((entry.size ?? size) !== size || size >= IN_64)
      throw new Error(`${entry.name} has ${size} bytes instead of ${entry.size ?? `at most ${IN_64}`}`);
    yield* rest(
      record([
        [4, SIGNATURE.descriptor],
        [4, sum ?? 0],
        [4, size],
        [4, size],
      ]),
    );
    written.push({ entry, name, offset, size, crc32: sum ?? 0 });
  }
  const offset = at;
  for (const file of written) yield* rest(centralHeader(file));
  yield* rest(ending(written.length, offset, at - offset));
}

/** The same as an answer sends it. */
export const zipStream = (...asked: Parameters<typeof zipOf>): ReadableStream<Uint8Array<ArrayBuffer>> =>
  NodeStream.from(zipOf(...asked)) as ReadableStream<Uint8Array<ArrayBuffer>>;

/** An entry whose file is open already: it is closed too where the reading of the archive ends before it comes to it. */
export async function* openedEntry(
  { name, lastModified }: Pick<ZipEntry, 'name' | 'lastModified'>,
  bytes: AsyncGenerator<Uint8Array> | AsyncIterableIterator<Uint8Array>,
): AsyncGenerator<ZipEntry> {
  try {
    yield { name, lastModified, open: () => bytes };
  } finally {
    await bytes.return?.(undefined);
  }
}

/** What is in memory as what an entry opens. */
export async function* bytesOf(content: Uint8Array | string, start = 0): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content).subarray(start);
}
