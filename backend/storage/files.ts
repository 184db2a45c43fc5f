import { createHash, randomUUID } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { tooLarge } from './errors.ts';

export interface StoredFile {
  /** Names the file for good: a new version of an object is a new file. */
  version: string;
  size: number;
  etag: string;
}

/** Longer than any file waits for its row. */
const STRAY_AGE = 1_800_000;

/**
 * Files under one folder, each under the version that its row names. A file is complete before a row names it
 * and goes only after no row does, so a crash at any point leaves at most a file too many, which `sweep` removes.
 */
export class FileStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  #pathOf(version: string): string {
    return join(this.#directory, version.slice(0, 2), version);
  }

  /** @throws StorageError as soon as more than `limit` bytes have come */
  async write(body: Readable, limit: number): Promise<StoredFile> {
    const version = randomUUID();
    const unfinished = join(this.#directory, 'unfinished', version);
    await mkdir(join(this.#directory, 'unfinished'), { recursive: true });
    const hash = createHash('sha256');
    let size = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        if (size > limit) return done(tooLarge());
        hash.update(chunk);
        done(null, chunk);
      },
    });
    try {
      await pipeline(body, counted, createWriteStream(unfinished, { mode: 0o600, flush: true }));
      await this.#place(unfinished, version);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return { version, size, etag: `"${hash.digest('hex').slice(0, 32)}"` };
  }

  /** A second file with the same bytes. */
  async copy(version: string): Promise<string> {
    const copy = randomUUID();
    const unfinished = join(this.#directory, 'unfinished', copy);
    await mkdir(join(this.#directory, 'unfinished'), { recursive: true });
    await copyFile(this.#pathOf(version), unfinished, constants.COPYFILE_FICLONE);
    await synced(unfinished);
    await this.#place(unfinished, copy);
    return copy;
  }

  /**
   * Opened before anything is promised to the reader; from then on the bytes stay, even if the file is removed.
   *
   * @param range first and last byte, both included
   * @returns undefined when the file has just gone
   */
  async read(version: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    try {
      const handle = await open(this.#pathOf(version));
      return handle.createReadStream(range ?? {});
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async remove(versions: string[]): Promise<void> {
    await Promise.all(versions.map((version) => rm(this.#pathOf(version), { force: true })));
  }

  /**
   * Removes files older than half an hour that no row names.
   *
   * @param known which of the given versions a row names
   */
  async sweep(known: (versions: string[]) => Promise<Set<string>>): Promise<number> {
    let removed = 0;
    for (const folder of await readdir(this.#directory, { withFileTypes: true })) {
      if (!folder.isDirectory()) continue;
      const old: string[] = [];
      for (const name of await readdir(join(this.#directory, folder.name))) {
        const { mtimeMs } = await stat(join(this.#directory, folder.name, name)).catch(() => ({
          mtimeMs: Date.now(),
        }));
        if (mtimeMs < Date.now() - STRAY_AGE) old.push(name);
      }
      const named = folder.name === 'unfinished' || old.length === 0 ? new Set<string>() : await known(old);
      for (const name of old.filter((candidate) => !named.has(candidate))) {
        await rm(join(this.#directory, folder.name, name), { force: true });
        removed += 1;
      }
    }
    return removed;
  }

  async #place(unfinished: string, version: string): Promise<void> {
    const place = this.#pathOf(version);
    const folder = join(this.#directory, version.slice(0, 2));
    await mkdir(folder, { recursive: true });
    await rename(unfinished, place);
    // The name itself must be on disk before a row that relies on it is.
    await synced(folder);
  }
}

async function synced(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
