import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Resize } from '../../../media/job.ts';
import { Worker } from '../../../media/workers.ts';
import { currentClient } from '../../http/client-concurrency.ts';
import { type FairQueue, QueueFull } from '../../http/fair-queue.ts';
import type { Held } from '../../http/held.ts';
import { diskFull, FileMissing, invalidImage } from '../errors.ts';
import type { FileStore } from '../files.ts';

/** The size of the source in bytes; the worker checks the pixels before it decodes. */
const MAX_SOURCE = 25_000_000;
/** The pictures that one client network may have waiting to be made. */
const MAX_WAITING = 63;

/** A picture on disk. */
export interface TransformRequest {
  path: string;
  size: number;
}

interface Turn {
  /** Those of the requests that wait for it. */
  signals: AbortSignal[];
  picture: Promise<TransformRequest>;
}

/**
 * Pictures made of stored files, kept on disk up to a number of bytes; those that were not requested for
 * longest are removed first. Each belongs to a version, whose bytes never change, so none is ever out of
 * date. The caller must have been allowed to read the object.
 */
export class TransformCache {
  readonly #files: FileStore;
  readonly #capacity: number;
  // A separate process: damage that a hostile file does to a decoder ends there.
  readonly #worker = new Worker();
  /** A client that asks for ever new sizes waits for its own, and every other for two of them at most. */
  readonly #turns: FairQueue;
  /** By key, least recently used first. */
  readonly #cached = new Map<string, TransformRequest>();
  /** What is being made now, by key. */
  readonly #making = new Map<string, Promise<TransformRequest>>();
  /** Those that have not come yet, by client and key. */
  readonly #waiting = new Map<string, Turn>();
  #bytes = 0;

  /** @param capacity bytes */
  constructor(files: FileStore, capacity: number, held: Held) {
    this.#turns = held.oneAtATime(MAX_WAITING);
    this.#files = files;
    this.#capacity = capacity;
  }

  /** Names a picture permanently, before it is made. */
  keyOf(version: string, rendering: Resize): string {
    const { width = 0, height = 0, resize, quality, format, gravity } = rendering;
    const crop = gravity ? [gravity.towards, gravity.x, gravity.y] : [];
    const parameters = [version, width, height, resize, quality, format, ...crop].join(' ');
    return createHash('sha256').update(parameters).digest('hex').slice(0, 32);
  }

  /**
   * The picture, made in the client's turn unless it is cached. Requests for one that is being made wait for the same work; what
   * only waits for another client's turn is not waited for.
   *
   * @param size bytes of the object
   * @param request for which nothing is made once it has been given up
   * @throws StorageError when the file is not a readable picture
   * @throws QueueFull when this client has too many waiting
   * @throws the reason of the signal
   */
  async get(
    version: string,
    size: number,
    rendering: Resize,
    request: Pick<Request, 'signal'>,
  ): Promise<TransformRequest> {
    const key = this.keyOf(version, rendering);
    const ready = (await this.#cachedPicture(key)) ?? this.#making.get(key);
    if (ready) return ready;
    if (size > MAX_SOURCE) throw invalidImage();
    const { signals, picture } = this.#turnFor(key, () => this.#make(key, version, rendering));
    signals.push(request.signal);
    return picture;
  }

  /** Reads the cache's contents again, which other processes on the same files add to and take from. */
  async refresh(): Promise<void> {
    const known = new Set(this.#cached.values());
    const folder = dirname(this.#files.renditionsOf('any'));
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const found = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async (entry) => {
          const path = join(entry.parentPath, entry.name);
          const stats = await stat(path).catch(() => undefined);
          return { path, size: stats?.size ?? 0, used: stats?.mtimeMs ?? 0 };
        }),
    );
    // Pictures that were made while the folder was read may not be among what was found.
    const madeMeanwhile = [...this.#cached].filter(([, rendition]) => !known.has(rendition));
    this.#cached.clear();
    this.#bytes = 0;
    for (const { path, size } of found.sort((a, b) => a.used - b.used))
      this.#addToCache(basename(path, extname(path)), { path, size });
    for (const [key, rendition] of madeMeanwhile) this.#addToCache(key, rendition);
    await this.#makeRoom();
  }

  close(): Promise<void> {
    return this.#worker.close();
  }

  async #cachedPicture(key: string): Promise<TransformRequest | undefined> {
    const cached = this.#cached.get(key);
    if (!cached || !(await isThere(cached.path))) return undefined;
    this.#addToCache(key, cached);
    return cached;
  }

  /** The turn of the client for a picture, which its requests for that share while they wait. */
  #turnFor(key: string, make: () => Promise<TransformRequest>): Turn {
    const client = currentClient() ?? 'the site itself';
    const name = `${client} ${key}`;
    const before = this.#waiting.get(name);
    if (before) return before;
    const signals: AbortSignal[] = [];
    const work = async () => {
      this.#waiting.delete(name);
      if (signals.every(({ aborted }) => aborted)) throw signals[0]?.reason;
      // Another client's turn may have come first.
      const cached = await this.#cachedPicture(key);
      if (cached) return cached;
      const making = make().finally(() => this.#making.delete(key));
      this.#making.set(key, making);
      return making;
    };
    // The turn may come at once, and must know the request that it is for.
    const picture = Promise.resolve()
      .then(() => this.#turns.run(client, work))
      .catch((error: unknown) => {
        if (error instanceof QueueFull) this.#waiting.delete(name);
        throw error;
      });
    const turn = { signals, picture };
    this.#waiting.set(name, turn);
    return turn;
  }

  async #make(key: string, version: string, rendering: Resize): Promise<TransformRequest> {
    if (this.#files.room() === 0) throw diskFull();
    const workspace = await this.#files.workspace();
    try {
      const source = await this.#files.localPath(version, workspace);
      if (!source) throw new FileMissing();
      const { files } = await this.#worker
        .run({ make: rendering, path: source, folder: workspace })
        .catch(async (error: unknown) => {
          throw (await isThere(source)) ? invalidImage(error) : new FileMissing();
        });
      const output = join(workspace, files[0] ?? '');
      const path = join(this.#files.renditionsOf(version), `${key}${extname(output)}`);
      const { size } = await stat(output);
      await mkdir(dirname(path), { recursive: true });
      await rename(output, path);
      this.#addToCache(key, { path, size });
      await this.#makeRoom();
      return { path, size };
    } finally {
      await rm(workspace, { recursive: true, force: true });
    }
  }

  #addToCache(key: string, rendition: TransformRequest): void {
    const before = this.#cached.get(key);
    this.#bytes += rendition.size - (before?.size ?? 0);
    this.#cached.delete(key);
    this.#cached.set(key, rendition);
    // Remembered across restarts; a picture that has just been removed is noticed when it is next looked for.
    if (before) utimes(rendition.path, new Date(), new Date()).catch(() => undefined);
  }

  async #makeRoom(): Promise<void> {
    for (const [key, { path, size }] of this.#cached) {
      if (this.#bytes <= this.#capacity || this.#cached.size === 1) break;
      this.#cached.delete(key);
      this.#bytes -= size;
      await rm(path, { force: true });
    }
  }
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
