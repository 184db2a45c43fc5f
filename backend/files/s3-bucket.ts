import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { tryEach } from '../try-each.ts';
import { type ByteRange, FilesUnavailable } from './file-driver.ts';
import { answerOf, createS3Client, type S3Settings, unavailable } from './s3-client.ts';

/** The smallest part that stores take, and the number of parts that they take of one object. */
const PART_BYTES = 5 * 1024 ** 2;
const MAX_PARTS = 9_000;
/** The parts that are held of each object that is being written. */
const PARTS_AT_ONCE = 2;
/** The time for an answer to begin that someone waits for; there are three tries. */
const SOON = { requestTimeout: 5_000 };
/** The times in a row that an answer may break off without a further byte. */
const MAX_BREAKS = 3;

interface Listed {
  name: string;
  size: number;
  /** By the clock of this machine. */
  modified: Date;
}

/** A folder of a bucket of an S3-compatible store, by the names in it; each failure is FilesUnavailable. */
export class S3Bucket {
  readonly place: string;
  readonly #client: S3Client;
  readonly #settings: S3Settings;

  constructor(settings: S3Settings) {
    this.place = `the bucket ${settings.bucket}`;
    this.#client = createS3Client(settings);
    this.#settings = settings;
  }

  /** @param folder lists only the names that begin with it */
  async *list(folder = ''): AsyncGenerator<Listed> {
    const { bucket, prefix } = this.#settings;
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: bucket, Prefix: prefix + folder },
    );
    for (;;) {
      const page = await this.#ask(() => pages.next());
      if (!page || page.done) return;
      for (const { Key = '', Size = 0, LastModified = new Date() } of page.value.Contents ?? [])
        yield { name: Key.slice(prefix.length), size: Size, modified: this.#byThisClock(LastModified) };
    }
  }

  /** @param content bytes, or the path of a file */
  async put(name: string, content: Buffer | string): Promise<void> {
    const size = typeof content === 'string' ? (await stat(content)).size : content.length;
    const body = typeof content === 'string' ? createReadStream(content) : Readable.from([content]);
    try {
      const params = { ...this.#object(name), Body: body };
      const partSize = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));
      await this.#ask(() =>
        new Upload({ client: this.#client, params, partSize, queueSize: PARTS_AT_ONCE }).done(),
      );
    } finally {
      body.destroy();
    }
    const kept = await this.find(name);
    if (kept?.size !== size)
      throw new FilesUnavailable(`${this.place} has ${kept?.size ?? 'no'} bytes of ${size} of ${name}`);
  }

  /** @returns undefined when there is no such object, as the next ones do */
  async find(name: string): Promise<Omit<Listed, 'name'> | undefined> {
    const found = await this.#ask(() => this.#client.send(new HeadObjectCommand(this.#object(name)), SOON));
    if (!found) return undefined;
    const { ContentLength: size = 0, LastModified = new Date() } = found;
    return { size, modified: this.#byThisClock(LastModified) };
  }

  /** An answer that breaks off is continued where it ended, so that a reader notices nothing or an error. */
  async open(name: string, range?: ByteRange): Promise<Readable | undefined> {
    const first = await this.#get(name, range);
    if (!first) return undefined;
    const end = (range?.start ?? 0) + first.length - 1;
    let { body } = first;
    const continued = async (start: number) => {
      const next = await this.#get(name, { start, end });
      if (!next) throw new FilesUnavailable(`${name} went from ${this.place} while it was read`);
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
          throw new FilesUnavailable(`${name} breaks off at byte ${at} of ${end + 1}`, {
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

  /** Writes the bytes into a file of the disk. @returns false when there is no such object */
  async download(name: string, path: string): Promise<boolean> {
    const body = await this.open(name);
    if (body) await pipeline(body, createWriteStream(path, { mode: 0o600, flush: true }));
    return body !== undefined;
  }

  /** @returns false when there is no such object */
  async copy(name: string, as: string): Promise<boolean> {
    const { Bucket, Key } = this.#object(name);
    const copy = { ...this.#object(as), CopySource: encodeURI(`${Bucket}/${Key}`) };
    return (await this.#ask(() => this.#client.send(new CopyObjectCommand(copy)))) !== undefined;
  }

  async remove(name: string): Promise<void> {
    await this.#ask(() => this.#client.send(new DeleteObjectCommand(this.#object(name))));
  }

  /**
   * Takes back what writes below a folder that were cut off before this moment have left.
   *
   * @throws the first failure, once all have been tried
   */
  async removeUnfinished(folder: string, before: Date): Promise<void> {
    const { bucket: Bucket, prefix } = this.#settings;
    // A thousand are listed at most; should there ever be more, the next time has the rest. Some stores list none.
    const { Uploads = [] } = await this.#client
      .send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix + folder }))
      .catch(() => ({ Uploads: [] }));
    await tryEach(Uploads, async ({ Key, UploadId, Initiated = new Date() }) => {
      if (this.#byThisClock(Initiated) < before)
        await this.#ask(() => this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
    });
  }

  close(): void {
    this.#client.destroy();
  }

  #object(name: string) {
    return { Bucket: this.#settings.bucket, Key: this.#settings.prefix + name };
  }

  #byThisClock(moment: Date): Date {
    return new Date(moment.getTime() - this.#client.config.systemClockOffset);
  }

  async #get(name: string, range?: ByteRange): Promise<{ body: Readable; length: number } | undefined> {
    const Range = range && { Range: `bytes=${range.start}-${range.end}` };
    const answer = await this.#ask(() =>
      this.#client.send(new GetObjectCommand({ ...this.#object(name), ...Range }), SOON),
    );
    if (!answer) return undefined;
    const { Body: body, ContentLength: length, ContentRange: given = '' } = answer;
    if (!(body instanceof Readable) || length === undefined)
      throw new FilesUnavailable(`${this.place} does not say how long ${name} is`);
    const isOther = range && (length !== range.end - range.start + 1 || !isFrom(range.start, given));
    if (isOther) {
      body.destroy();
      throw new FilesUnavailable(`${this.place} answers with other bytes of ${name} than were asked for`);
    }
    return { body, length };
  }

  /** @returns undefined when there is no such object */
  async #ask<T>(request: () => Promise<T>): Promise<T | undefined> {
    try {
      return await request();
    } catch (error) {
      const { code } = answerOf(error);
      if (code === 'NoSuchKey' || code === 'NoSuchUpload' || code === 'NotFound') return undefined;
      throw unavailable(this.place, error);
    }
  }
}

/** A store that knows no ranges answers from the first byte on, and says nothing of a range. */
const isFrom = (start: number, given: string) =>
  given === '' ? start === 0 : given.startsWith(`bytes ${start}-`);
