import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { FilesUnavailable } from './file-driver.ts';
import { createS3Client, type S3Settings, unavailable } from './s3-client.ts';

/** The smallest part that stores take, and the number of parts that they take of one object. */
const PART_BYTES = 5 * 1024 ** 2;
const MAX_PARTS = 9_000;

/** A folder of a bucket, by the names in it. */
export interface Bucket {
  list(): AsyncGenerator<{ name: string; modified: Date }>;
  /** @param content bytes, or the path of a file */
  put(name: string, content: Buffer | string): Promise<void>;
  /** Writes the bytes into a file of the disk. */
  get(name: string, path: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
}

/** Opens a folder of a bucket; each failure is FilesUnavailable. */
export function openBucket(settings: S3Settings): Bucket {
  const client = createS3Client(settings);
  const place = `the bucket ${settings.bucket}`;
  const objectOf = (name: string) => ({ Bucket: settings.bucket, Key: settings.prefix + name });
  const ask = <T>(request: () => Promise<T>): Promise<T> =>
    request().catch((error: unknown) => {
      throw error instanceof FilesUnavailable ? error : unavailable(place, error);
    });
  return {
    async *list() {
      const all = paginateListObjectsV2({ client }, { Bucket: settings.bucket, Prefix: settings.prefix });
      for (;;) {
        const page = await ask(() => all.next());
        if (page.done) return;
        for (const { Key = '', LastModified = new Date() } of page.value.Contents ?? [])
          yield { name: Key.slice(settings.prefix.length), modified: LastModified };
      }
    },
    async put(name, content) {
      const size = typeof content === 'string' ? (await stat(content)).size : content.length;
      const body = typeof content === 'string' ? createReadStream(content) : Readable.from([content]);
      try {
        const params = { ...objectOf(name), Body: body };
        const partSize = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));
        await ask(() => new Upload({ client, params, partSize, queueSize: 2 }).done());
      } finally {
        body.destroy();
      }
    },
    get: (name, path) =>
      ask(async () => {
        const { Body: body, ContentLength: length } = await client.send(new GetObjectCommand(objectOf(name)));
        if (!(body instanceof Readable)) throw new Error(`${name} has no content`);
        await pipeline(body, createWriteStream(path, { mode: 0o600 }));
        if ((await stat(path)).size !== length) throw new Error(`${name} broke off`);
      }),
    async remove(name) {
      await ask(() => client.send(new DeleteObjectCommand(objectOf(name))));
    },
    close: () => client.destroy(),
  };
}
