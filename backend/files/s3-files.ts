import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type ByteRange,
  type FileDriver,
  type ListedFile,
  pathOf,
  unarchivedFilesIn,
} from './file-driver.ts';
import { S3Bucket } from './s3-bucket.ts';
import type { S3Settings } from './s3-client.ts';

const REMOVALS_AT_ONCE = 16;
/** The longest that a backup may hold files, so that one which was killed holds none for ever. */
const MAX_HOLD_MS = 86_400_000;
/** Is there while a backup holds the files. */
const HELD = 'backing-up';

/** Files in a bucket of an S3-compatible store, which no one reads but this site. */
export class S3Files implements FileDriver {
  readonly #bucket: S3Bucket;
  readonly #dataDir: string;
  readonly #archives: boolean;
  readonly #arriving = new Set<Promise<void>>();
  #isClosed = false;

  /** @param archives whether each new file stays on this disk until the continuous archive has it */
  constructor(settings: S3Settings, dataDir: string, archives: boolean) {
    this.#bucket = new S3Bucket(settings);
    this.#dataDir = dataDir;
    this.#archives = archives;
  }

  get place(): string {
    return this.#bucket.place;
  }

  async put(version: string, path: string): Promise<void> {
    if (this.#isClosed) return new Promise(() => undefined);
    const arriving = this.#bucket.put(pathOf(version), path);
    this.#arriving.add(arriving);
    await arriving.finally(() => this.#arriving.delete(arriving));
    const waiting = join(unarchivedFilesIn(this.#dataDir), version);
    if (!this.#archives) return rm(path, { force: true });
    await mkdir(dirname(waiting), { recursive: true, mode: 0o700 });
    await rename(path, waiting);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#arriving);
  }

  async copy(version: string, as: string): Promise<boolean> {
    if (!this.#archives) return this.#bucket.copy(pathOf(version), pathOf(as));
    const unfinished = join(this.#dataDir, 'files/unfinished', randomUUID());
    await mkdir(dirname(unfinished), { recursive: true });
    try {
      if (!(await this.#bucket.download(pathOf(version), unfinished))) return false;
      await this.put(as, unfinished);
      return true;
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  async size(version: string): Promise<number | undefined> {
    return (await this.#bucket.find(pathOf(version)))?.size;
  }

  open(version: string, range?: ByteRange): Promise<Readable | undefined> {
    return this.#bucket.open(pathOf(version), range);
  }

  async localPath(version: string, folder: string): Promise<string | undefined> {
    const path = join(folder, 'source');
    return (await this.#bucket.download(pathOf(version), path)) ? path : undefined;
  }

  async remove(versions: string[]): Promise<void> {
    // The next sweep tries again.
    if (versions.length === 0 || (await this.#isHeld().catch(() => true))) return;
    for (let at = 0; at < versions.length; at += REMOVALS_AT_ONCE)
      await Promise.all(
        versions.slice(at, at + REMOVALS_AT_ONCE).map((version) =>
          // No row names the file any more, so it is swept as well.
          this.#bucket.remove(pathOf(version)).catch(() => undefined),
        ),
      );
  }

  async hold(): Promise<void> {
    await this.#bucket.put(HELD, Buffer.of());
  }

  async release(): Promise<void> {
    await this.#bucket.remove(HELD);
  }

  async #isHeld(): Promise<boolean> {
    const held = await this.#bucket.find(HELD);
    return held !== undefined && held.modified.getTime() > Date.now() - MAX_HOLD_MS;
  }

  async *list(): AsyncGenerator<ListedFile> {
    for await (const { name, size, modified } of this.#bucket.list('files/')) {
      const version = name.slice(name.lastIndexOf('/') + 1);
      if (name === pathOf(version)) yield { version, size, modified };
    }
  }

  async removeUnfinished(before: Date): Promise<void> {
    await this.#bucket.removeUnfinished('files/', before);
  }
}
