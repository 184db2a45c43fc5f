import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { roomForFiles } from '../../media/disk.ts';
import { absent, synced } from '../files/disk-files.ts';
import type { ByteRange, FileDriver } from '../files/file-driver.ts';
import { tryEach } from '../try-each.ts';

export interface StoredFile {
  /** Names the file permanently: a new version of an object is a new file. */
  version: string;
  size: number;
  etag: string;
  /** The checksum of its bytes; missing where they were not read at once. */
  crc32?: number | undefined;
}

/** Longer than any file waits for its row. */
const STRAY_AGE_MS = 1_800_000;
/** The size of clock corrections that happen without an operator setting the clock. */
const MAX_DRIFT_MS = 60_000;

/** The folders of the local disk that hold what is arriving, or made of files, each entry under a version or not. */
const LOCAL_FOLDERS = ['unfinished', 'resumable', 'renditions'];
/** The number of files about which the database is asked at once. */
const ASKED_AT_ONCE = 1000;

/**
 * Files, each under the version that its row names. A file is received on the local disk and put in its place
 * before a row names it, and is removed only after no row does, so a crash at any point leaves at most an extra
 * file, which `sweep` removes.
 */
export class FileStore {
  readonly #directory: string;
  readonly #driver: FileDriver;
  /** The lead of the wall clock, which gives the age of files, over the monotonic clock. */
  #clockOffset = Date.now() - performance.now();
  /** The reading of the monotonic clock from which on ages are reliable. */
  #ageKnownFrom = 0;

  /** @param directory of the local disk, for what is arriving */
  constructor(directory: string, driver: FileDriver) {
    this.#directory = directory;
    this.#driver = driver;
  }

  /** The bytes that may be added before the rest of the disk is reserved for the database. */
  room(): number {
    return roomForFiles(this.#directory);
  }

  #partOf(id: string): string {
    return join(this.#directory, 'resumable', id);
  }

  /** @throws the error that `refused` makes, as soon as more than `limit` bytes have come */
  async write(body: Readable, limit: number, refused: () => Error): Promise<StoredFile> {
    const version = randomUUID();
    const unfinished = join(this.#directory, 'unfinished', version);
    await mkdir(join(this.#directory, 'unfinished'), { recursive: true });
    const hash = createHash('sha256');
    let [size, sum] = [0, 0];
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        if (size > limit) return done(refused());
        hash.update(chunk);
        sum = crc32(chunk, sum);
        done(null, chunk);
      },
    });
    try {
      await pipeline(body, counted, createWriteStream(unfinished, { mode: 0o600, flush: true }));
      await this.#driver.put(version, unfinished);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return { version, size, etag: `"${hash.digest('hex').slice(0, 32)}"`, crc32: sum };
  }

  /**
   * Appends to a file that arrives piece by piece; the bytes are on disk when this returns. When the piece
   * breaks off, the received part stays.
   *
   * @returns its new size
   */
  async append(id: string, offset: number, piece: Readable): Promise<number> {
    await mkdir(join(this.#directory, 'resumable'), { recursive: true });
    const flags = offset === 0 ? 'w' : 'r+';
    const file = createWriteStream(this.#partOf(id), { mode: 0o600, flags, start: offset, flush: true });
    await pipeline(piece, file);
    return offset + file.bytesWritten;
  }

  /** The size of a file that arrives piece by piece, so far. */
  async sizeOf(id: string): Promise<number> {
    const size = await stat(this.#partOf(id)).then((found) => found.size, absent);
    return size ?? (await this.#driver.size(id)) ?? 0;
  }

  /**
   * Puts a file whose pieces are complete in its place, under its id as the version; doing it twice does no
   * harm.
   */
  async complete(id: string): Promise<StoredFile> {
    const size = await this.sizeOf(id);
    if (size === 0) {
      await mkdir(join(this.#directory, 'resumable'), { recursive: true });
      await (await open(this.#partOf(id), 'a', 0o600)).close();
    }
    if (await stat(this.#partOf(id)).then(() => true, absent)) {
      await synced(this.#partOf(id));
      await this.#driver.put(id, this.#partOf(id));
    }
    // Reading it all again for a hash would double the work of the last piece.
    return { version: id, size, etag: `"${id.replaceAll('-', '')}"` };
  }

  async removeParts(ids: string[]): Promise<void> {
    await Promise.all(ids.map((id) => rm(this.#partOf(id), { force: true })));
  }

  /** An empty working folder, which the sweep removes if its user does not. */
  async workspace(): Promise<string> {
    await mkdir(join(this.#directory, 'unfinished'), { recursive: true });
    return mkdtemp(join(this.#directory, 'unfinished', 'work-'));
  }

  /** The folder for pictures made of this version; they are removed with it. */
  renditionsOf(version: string): string {
    return join(this.#directory, 'renditions', version);
  }

  /** A second file with the same bytes; undefined when the first has just been removed. */
  async copy(version: string): Promise<string | undefined> {
    const copy = randomUUID();
    return (await this.#driver.copy(version, copy)) ? copy : undefined;
  }

  /** @returns undefined when the file has just been removed */
  read(version: string, range?: ByteRange): Promise<Readable | undefined> {
    return this.#driver.open(version, range);
  }

  /** The path at which a worker finds the bytes, in `folder` where they are not on this disk. */
  localPath(version: string, folder: string): Promise<string | undefined> {
    return this.#driver.localPath(version, folder);
  }

  async remove(versions: string[]): Promise<void> {
    await this.#driver.remove(versions);
    await Promise.all(
      versions.map((version) => rm(this.renditionsOf(version), { recursive: true, force: true })),
    );
  }

  /**
   * Removes files older than half an hour that no row names, and the renditions of removed files.
   *
   * @param findReferenced the function that returns which of the given versions a row names
   * @param hasRows whether a row names any file at all
   * @throws the first failure, once all the rest is swept
   */
  async sweep(findReferenced: FindReferenced, hasRows: () => Promise<boolean>): Promise<void> {
    const clockOffset = Date.now() - performance.now();
    if (Math.abs(clockOffset - this.#clockOffset) > MAX_DRIFT_MS) {
      // The clock was set: until all files now arriving are complete, no file is as old as it seems.
      this.#clockOffset = clockOffset;
      this.#ageKnownFrom = performance.now() + STRAY_AGE_MS;
    }
    if (performance.now() < this.#ageKnownFrom) return;
    const before = new Date(Date.now() - STRAY_AGE_MS);
    await tryEach(
      [
        () => this.#driver.removeUnfinished(before),
        () => tryEach(LOCAL_FOLDERS, (folder) => this.#sweepFolder(folder, before, findReferenced)),
        async () => {
          // A database that names none is more likely the wrong one than one whose files may all go.
          if (await hasRows())
            await tryEach(this.#oldFiles(before), (versions) =>
              this.#removeUnnamed(versions, findReferenced),
            );
        },
      ],
      (part) => part(),
    );
  }

  async #sweepFolder(folder: string, before: Date, findReferenced: FindReferenced): Promise<void> {
    const old: string[] = [];
    for (const name of (await readdir(join(this.#directory, folder)).catch(absent)) ?? []) {
      const found = await stat(join(this.#directory, folder, name)).catch(() => undefined);
      if (found && found.mtime < before) old.push(name);
    }
    const named = folder === 'unfinished' || old.length === 0 ? new Set<string>() : await findReferenced(old);
    await tryEach(
      old.filter((name) => !named.has(name)),
      (name) => rm(join(this.#directory, folder, name), { recursive: true, force: true }),
    );
  }

  async *#oldFiles(before: Date): AsyncGenerator<string[]> {
    let old: string[] = [];
    for await (const { version, modified } of this.#driver.list()) {
      if (modified < before) old.push(version);
      if (old.length < ASKED_AT_ONCE) continue;
      yield old;
      old = [];
    }
    if (old.length > 0) yield old;
  }

  async #removeUnnamed(versions: string[], findReferenced: FindReferenced): Promise<void> {
    const named = await findReferenced(versions);
    await this.#driver.remove(versions.filter((version) => !named.has(version)));
  }
}

type FindReferenced = (versions: string[]) => Promise<Set<string>>;
