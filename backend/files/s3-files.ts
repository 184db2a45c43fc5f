import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import {
  type ByteRange,
  type FileDriver,
  FilesUnavailable,
  type ListedFile,
  pathOf,
  unarchivedFilesIn,
} from './file-driver.ts';
import { answerOf, createS3Client, type S3Settings, unavailable } from './s3-client.ts';

/** The smallest part that stores take; two of them are held for each file that is being written. */
const PART_BYTES = 5 * 1024 ** 2;
const PARTS_AT_ONCE = 2;
const REMOVALS_AT_ONCE = 16;
/** The time for an answer to begin that someone waits for; there are three tries. */
const SOON = { requestTimeout: 5_000 };
/** The times in a row that an answer may break off without a further byte. */
const MAX_BREAKS = 3;
/** The longest that a backup may hold files, so that one which was killed holds none for ever. */
const MAX_HOLD_MS = 86_400_000;

/** Files in a bucket of an S3-compatible store, which no one reads but this site. */
export class S3Files implements FileDriver {
  readonly place: string;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #dataDir: string;
  readonly #archives: boolean;

  /** @param archives whether each new file stays on this disk until the continuous archive has it */
  constructor(settings: S3Settings, dataDir: string, archives: boolean) {
    this.place = `the bucket ${settings.bucket}`;
    this.#client = createS3Client(settings);
    this.#bucket = settings.bucket;
    this.#prefix = settings.prefix;
    this.#dataDir = dataDir;
    this.#archives = archives;
  }

  #object(version: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + pathOf(version) };
  }

  async put(version: string, path: string): Promise<void> {
    const { size } = await stat(path);
    const body = createReadStream(path);
    try {
      const params = { ...this.#object(version), Body: body };
      await this.#ask(() =>
        new Upload({
          client: this.#client,
          params,
          partSize: PART_BYTES,
          queueSize: PARTS_AT_ONCE,
        }).done(),
      );
    } finally {
      body.destroy();
    }
    const kept = await this.size(version);
    if (kept !== size)
      throw new FilesUnavailable(`${this.place} has ${kept ?? 'no'} bytes of ${size} of ${version}`);
    const waiting = join(unarchivedFilesIn(this.#dataDir), version);
    if (!this.#archives) return rm(path, { force: true });
    await mkdir(dirname(waiting), { recursive: true, mode: 0o700 });
    await rename(path, waiting);
  }

  async copy(version: string, as: string): Promise<boolean> {
    if (!this.#archives) {
      const { Bucket, Key } = this.#object(version);
      const copied = await this.#ask(() =>
        this.#client.send(
          new CopyObjectCommand({ ...this.#object(as), CopySource: encodeURI(`${Bucket}/${Key}`) }),
        ),
      );
      return copied !== undefined;
    }
    const unfinished = join(this.#dataDir, 'files/unfinished', randomUUID());
    await mkdir(dirname(unfinished), { recursive: true });
    try {
      if (!(await this.#download(version, unfinished))) return false;
      await this.put(as, unfinished);
      return true;
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  async size(version: string): Promise<number | undefined> {
    const found = await this.#ask(() =>
      this.#client.send(new HeadObjectCommand(this.#object(version)), SOON),
    );
    return found?.ContentLength;
  }

  /** An answer that breaks off is continued where it ended, so that a reader notices nothing or an error. */
  async open(version: string, range?: ByteRange): Promise<Readable | undefined> {
    const first = await this.#get(version, range);
    if (!first) return undefined;
    const end = (range?.start ?? 0) + first.length - 1;
    let { body } = first;
    const continued = async (start: number) => {
      const next = await this.#get(version, { start, end });
      if (!next) throw new FilesUnavailable(`${version} went from ${this.place} while it was read`);
      return next.body;
    };
    async function* bytes() {
      let at = range?.start ?? 0;
      let breaks = 0;
      for (let reader = body[Symbol.asyncIterator](); at <= end; ) {
        const piece: IteratorResult<Buffer> | Error = await reader
          .next()
          .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
        if (!(piece instanceof Error) && !piece.done) {
          at += piece.value.length;
          breaks = 0;
          yield piece.value;
          continue;
        }
        breaks += 1;
        if (stream.destroyed || breaks > MAX_BREAKS)
          throw new FilesUnavailable(`${version} breaks off at byte ${at} of ${end + 1}`, {
            cause: piece instanceof Error ? piece : undefined,
          });
        body.destroy();
        body = await continued(at);
        reader = body[Symbol.asyncIterator]();
      }
    }
    const stream: Readable = Readable.from(bytes(), { objectMode: false });
    // A reader who hangs up gives back the connection to the store at once.
    stream.once('close', () => body.destroy());
    return stream;
  }

  async localPath(version: string, folder: string): Promise<string | undefined> {
    const path = join(folder, 'source');
    return (await this.#download(version, path)) ? path : undefined;
  }

  async remove(versions: string[]): Promise<void> {
    // The next sweep tries again.
    if (versions.length === 0 || (await this.#isHeld().catch(() => true))) return;
    for (let at = 0; at < versions.length; at += REMOVALS_AT_ONCE)
      await Promise.all(
        versions.slice(at, at + REMOVALS_AT_ONCE).map((version) =>
          // No row names the file any more, so it is swept as well.
          this.#client.send(new DeleteObjectCommand(this.#object(version))).catch(() => undefined),
        ),
      );
  }

  async hold(): Promise<void> {
    await this.#ask(() => this.#client.send(new PutObjectCommand({ ...this.#held, Body: '' })));
  }

  async release(): Promise<void> {
    await this.#ask(() => this.#client.send(new DeleteObjectCommand(this.#held)));
  }

  get #held() {
    return { Bucket: this.#bucket, Key: `${this.#prefix}backing-up` };
  }

  async #isHeld(): Promise<boolean> {
    const since = (await this.#ask(() => this.#client.send(new HeadObjectCommand(this.#held), SOON)))
      ?.LastModified;
    return since !== undefined && this.#byThisClock(since).getTime() > Date.now() - MAX_HOLD_MS;
  }

  async *list(): AsyncGenerator<ListedFile> {
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket, Prefix: `${this.#prefix}files/` },
    );
    for (;;) {
      const page = await this.#ask(() => pages.next());
      if (!page || page.done) return;
      for (const { Key = '', Size = 0, LastModified = new Date() } of page.value.Contents ?? []) {
        const version = Key.slice(Key.lastIndexOf('/') + 1);
        if (Key === this.#object(version).Key)
          yield { version, size: Size, modified: this.#byThisClock(LastModified) };
      }
    }
  }

  async removeUnfinished(before: Date): Promise<void> {
    const where = { Bucket: this.#bucket, Prefix: `${this.#prefix}files/` };
    try {
      // A thousand are listed at most; should there ever be more, the next time has the rest.
      const { Uploads = [] } = await this.#client.send(new ListMultipartUploadsCommand(where));
      for (const { Key, UploadId, Initiated = new Date() } of Uploads)
        if (this.#byThisClock(Initiated) < before)
          await this.#client.send(new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }));
    } catch {
      // Some stores list none, and an hour later there is another try.
    }
  }

  #byThisClock(moment: Date): Date {
    return new Date(moment.getTime() - this.#client.config.systemClockOffset);
  }

  async #get(version: string, range?: ByteRange): Promise<{ body: Readable; length: number } | undefined> {
    const answer = await this.#ask(() =>
      this.#client.send(
        new GetObjectCommand({
          ...this.#object(version),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
        SOON,
      ),
    );
    if (!answer) return undefined;
    const { Body: body, ContentLength: length, ContentRange: given = '' } = answer;
    if (!(body instanceof Readable) || length === undefined)
      throw new FilesUnavailable(`${this.place} does not say how long ${version} is`);
    const isOther = range && (length !== range.end - range.start + 1 || !isFrom(range.start, given));
    if (isOther) {
      body.destroy();
      throw new FilesUnavailable(`${this.place} answers with other bytes of ${version} than were asked for`);
    }
    return { body, length };
  }

  async #download(version: string, path: string): Promise<boolean> {
    const body = await this.open(version);
    if (body) await pipeline(body, createWriteStream(path, { mode: 0o600, flush: true }));
    return body !== undefined;
  }

  /** @returns undefined when there is no such file */
  async #ask<T>(request: () => Promise<T>): Promise<T | undefined> {
    try {
      return await request();
    } catch (error) {
      const { code } = answerOf(error);
      if (code === 'NoSuchKey' || code === 'NotFound') return undefined;
      throw unavailable(this.place, error);
    }
  }
}

/** A store that knows no ranges answers from the first byte on, and says nothing of a range. */
const isFrom = (start: number, given: string) =>
  given === '' ? start === 0 : given.startsWith(`bytes ${start}-`);
