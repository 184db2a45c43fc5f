import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type ByteRange, type FileDriver, type ListedFile, pathOf } from './file-driver.ts';

/** Files below the data folder, in folders by the first two letters of their versions. */
export class DiskFiles implements FileDriver {
  readonly #dataDir: string;

  readonly place: string;

  constructor(dataDir: string) {
    this.place = join(dataDir, 'files');
    this.#dataDir = dataDir;
  }

  pathOf(version: string): string {
    return join(this.#dataDir, pathOf(version));
  }

  async put(version: string, path: string): Promise<void> {
    await placeDurably(path, this.pathOf(version));
  }

  async copy(version: string, as: string): Promise<boolean> {
    const unfinished = join(this.#dataDir, 'files/unfinished', randomUUID());
    await mkdir(dirname(unfinished), { recursive: true });
    try {
      await copyFile(this.pathOf(version), unfinished, constants.COPYFILE_FICLONE);
      await synced(unfinished);
      await this.put(as, unfinished);
      return true;
    } catch (error) {
      await rm(unfinished, { force: true });
      return absent(error) ?? false;
    }
  }

  size(version: string): Promise<number | undefined> {
    return stat(this.pathOf(version)).then((found) => found.size, absent);
  }

  open(version: string, range?: ByteRange): Promise<Readable | undefined> {
    return readFrom(this.pathOf(version), range);
  }

  async localPath(version: string): Promise<string | undefined> {
    return (await this.size(version)) === undefined ? undefined : this.pathOf(version);
  }

  async remove(versions: string[]): Promise<void> {
    await Promise.all(versions.map((version) => rm(this.pathOf(version), { force: true })));
  }

  async *list(): AsyncGenerator<ListedFile> {
    const folder = join(this.#dataDir, 'files');
    for (const { name: part } of (await readdir(folder, { withFileTypes: true })).filter(
      (entry) => entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name),
    ))
      for (const version of await readdir(join(folder, part))) {
        const found = await stat(join(folder, part, version)).catch(absent);
        if (found?.isFile()) yield { version, size: found.size, modified: found.mtime };
      }
  }

  async removeUnfinished(): Promise<void> {
    // What a write has not finished lies in the folder of all unfinished files, which is swept as a whole.
  }
}

/** Opens a file of this disk; undefined when there is none. */
export async function readFrom(path: string, range?: ByteRange): Promise<Readable | undefined> {
  const handle = await open(path).catch(absent);
  return handle?.createReadStream(range ?? {});
}

/** Turns "no such file" into undefined. */
export function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

/** The folders whose own names survive a crash. */
const durable = new Set<string>();

/** Gives a finished file its name, in a folder that may be new; when it returns, the file is there after a crash. */
export async function placeDurably(path: string, target: string): Promise<void> {
  const folder = dirname(target);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(path, target);
  await synced(folder);
  if (!made && durable.has(folder)) return;
  // A name is in the folder above. Who had made this one may have ended before that was on disk.
  const top = dirname(made && made.length < dirname(folder).length ? made : dirname(folder));
  for (let above = dirname(folder); ; above = dirname(above)) {
    await synced(above);
    if (above === top) break;
  }
  durable.add(folder);
}

/** Makes a file, or the names in a folder, survive a crash. */
export async function synced(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
