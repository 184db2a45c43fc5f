import { createHash, randomUUID } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { roomForFiles } from '../../media/disk.ts';

export interface StoredFile {
  /** Names the file permanently: a new version of an object is a new file. */
  version: string;
  size: number;
  etag: string;
}

/** Longer than any file waits for its row. */
const STRAY_AGE_MS = 1_800_000;
/** The size of clock corrections that happen without an operator setting the clock. */
const MAX_DRIFT_MS = 60_000;

/**
 * Files under one folder, each under the version that its row names. A file is complete before a row names it
 * and is removed only after no row does, so a crash at any point leaves at most an extra file, which `sweep`
 * removes.
 */
export class FileStore {
  readonly #directory: string;
  /** The lead of the wall clock, which gives the age of files, over the monotonic clock. */
  #clockOffset = Date.now() - performance.now();
  /** The reading of the monotonic clock from which on ages are reliable. */
  #ageKnownFrom = 0;

  constructor(directory: string) {
    this.#directory = directory;
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
    let size = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        if (size > limit) return done(refused());
        hash.update(chunk);
        done(null, chunk);
      },
    });
    try {
      await pipeline(body, counted, createWriteStream(unfinished, { mode: 0o600, flush: true }));
      await this.#moveToFinalPath(unfinished, version);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return { version, size, etag: `"${hash.digest('hex').slice(0, 32)}"` };
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
    for (const path of [this.#partOf(id), this.pathOf(id)]) {
      const size = await stat(path).then((found) => found.size, absent);
      if (size !== undefined) return size;
    }
    return 0;
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
      await this.#moveToFinalPath(this.#partOf(id), id);
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
    const unfinished = join(this.#directory, 'unfinished', copy);
    await mkdir(join(this.#directory, 'unfinished'), { recursive: true });
    try {
      await copyFile(this.pathOf(version), unfinished, constants.COPYFILE_FICLONE);
      await synced(unfinished);
      await this.#moveToFinalPath(unfinished, copy);
      return copy;
    } catch (error) {
      await rm(unfinished, { force: true });
      return absent(error);
    }
  }

  /**
   * Opened before the reader gets a response; from then on the bytes stay, even if the file is removed.
   *
   * @param range first and last byte, both included
   * @returns undefined when the file has just been removed
   */
  async read(version: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    return readFrom(this.pathOf(version), range);
  }

  pathOf(version: string): string {
    return join(this.#directory, version.slice(0, 2), version);
  }

  async remove(versions: string[]): Promise<void> {
    await Promise.all(
      versions.flatMap((version) => [
        rm(this.pathOf(version), { force: true }),
        rm(this.renditionsOf(version), { recursive: true, force: true }),
      ]),
    );
  }

  /**
   * Removes files older than half an hour that no row names, and the renditions of removed files.
   *
   * @param findReferenced the function that returns which of the given versions a row names
   */
  async sweep(findReferenced: (versions: string[]) => Promise<Set<string>>): Promise<number> {
    const clockOffset = Date.now() - performance.now();
    if (Math.abs(clockOffset - this.#clockOffset) > MAX_DRIFT_MS) {
      // The clock was set: until all files now arriving are complete, no file is as old as it seems.
      this.#clockOffset = clockOffset;
      this.#ageKnownFrom = performance.now() + STRAY_AGE_MS;
    }
    if (performance.now() < this.#ageKnownFrom) return 0;
    let removed = 0;
    for (const folder of await readdir(this.#directory, { withFileTypes: true })) {
      if (!folder.isDirectory()) continue;
      const old: string[] = [];
      for (const name of await readdir(join(this.#directory, folder.name))) {
        const { mtimeMs } = await stat(join(this.#directory, folder.name, name)).catch(() => ({
          mtimeMs: Date.now(),
        }));
        if (mtimeMs < Date.now() - STRAY_AGE_MS) old.push(name);
      }
      const named =
        folder.name === 'unfinished' || old.length === 0 ? new Set<string>() : await findReferenced(old);
      for (const name of old.filter((candidate) => !named.has(candidate))) {
        await rm(join(this.#directory, folder.name, name), { recursive: true, force: true });
        removed += 1;
      }
    }
    return removed;
  }

  async #moveToFinalPath(unfinished: string, version: string): Promise<void> {
    const path = this.pathOf(version);
    const folder = join(this.#directory, version.slice(0, 2));
    await mkdir(folder, { recursive: true });
    await rename(unfinished, path);
    // The name itself must be on disk before a row that relies on it is.
    await synced(folder);
  }
}

/** @param range first and last byte, both included */
export async function readFrom(
  path: string,
  range?: { start: number; end: number },
): Promise<Readable | undefined> {
  const handle = await open(path).catch(absent);
  return handle?.createReadStream(range ?? {});
}

/** Turns "no such file" into undefined. */
function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

async function synced(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
