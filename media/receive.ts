import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Busboy } from '@fastify/busboy';
import { cutText } from '../texts/cut-text.ts';
import { diskProblem, roomForFiles } from './disk.ts';
import { cutOff, MediaRefused, noRoom } from './refusal.ts';
import {
  empty,
  type FileKind,
  HEAD_BYTES,
  kindOf,
  type Refusal,
  SIZES,
  saysVideo,
  tooLarge,
  typeOf,
  wrongKind,
} from './sniff.ts';

/** A file that has arrived, alone in a separate folder. */
export interface Received {
  kind: FileKind;
  /** The sender's name for the file, made safe to show. */
  name: string;
  path: string;
  /** Holds the file and its renditions. */
  folder: string;
  discard(): Promise<void>;
}

/**
 * Below this a line is as good as broken, and an upload gives its place back: a photograph of 2 MB would take half an hour.
 */
const SLOWEST = { bytes: 60_000, withinMs: 60_000 };

const refused = (status: 413 | 415 | 422, { title, text }: Refusal) => new MediaRefused(status, title, text);
const malformed = (reason: string) => new MediaRefused(400, 'Bad Request', reason);

/**
 * Writes a multipart form with `file` and `userId` to disk. The size is counted as it arrives, so that a
 * sender who announces less than they send cannot fill the disk, and a wrong type is refused at its first
 * bytes.
 *
 * @param within the folder in which temporary folders are made
 * @param only refuses the other kind
 * @param slowest for tests: the line that is still waited for
 * @throws MediaRefused
 */
export async function receiveUpload(
  request: Request,
  within: string,
  only?: FileKind,
  slowest = SLOWEST,
): Promise<Received & { userId: string }> {
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data;.*boundary=/i.test(contentType) || !request.body) {
    throw malformed('The request must be a form with the fields file and userId.');
  }
  const body = request.body as ReadableStream<Uint8Array>;
  return receiveIn(within, (path) => readForm(body, contentType, path, only, slowest));
}

/**
 * Writes a stored object to disk, with the same checks: the bytes decide its type and size.
 *
 * @param open begins to read the object, once it has a folder
 * @param sent the sender's statements on the file: its name, and its type
 * @throws MediaRefused
 */
export function receiveStored(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  { name, declared }: { name: string; declared: string },
  within: string,
  only: FileKind,
): Promise<Received> {
  return receiveIn(within, async (path) =>
    writeChecked(Readable.from(await open()), displayName(name), declared, path, only),
  );
}

async function receiveIn<Seen>(
  within: string,
  receive: (path: string) => Promise<Seen>,
): Promise<Seen & Pick<Received, 'path' | 'folder' | 'discard'>> {
  const folder = await workspaceIn(within);
  const path = join(folder, 'sent');
  const discard = () => rm(folder, { recursive: true, force: true });
  try {
    return { ...(await receive(path)), path, folder, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function workspaceIn(within: string): Promise<string> {
  try {
    await mkdir(within, { recursive: true });
    if (roomForFiles(within) === 0) throw noRoom();
    return await mkdtemp(join(within, 'upload-'));
  } catch (error) {
    throw diskProblem(error) ? noRoom() : error;
  }
}

type Facts = Pick<Received, 'kind' | 'name'>;

async function readForm(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  path: string,
  only: FileKind | undefined,
  slowest: typeof SLOWEST,
): Promise<Facts & { userId: string }> {
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    limits: { files: 1, fields: 4, parts: 6, fieldSize: 200, fieldNameSize: 40, headerPairs: 20 },
  });
  let userId = '';
  let file: Readable | undefined;
  let arriving: Promise<Facts> | undefined;
  const refused = new AbortController();

  parser.on('field', (name, value) => {
    if (name === 'userId') userId = value;
  });
  parser.on('file', (field, stream, fileName, _encoding, declared) => {
    // A form that ends inside a file fails it, also one that is not kept; without a listener that would end the process.
    stream.on('error', () => undefined);
    if (field !== 'file' || arriving) {
      stream.resume();
      return;
    }
    file = stream;
    const name = displayName(fileName);
    arriving = writeChecked(stream, name, declared.toLowerCase(), path, only);
    // The rest of a refused file is not read.
    arriving.catch((reason: unknown) => refused.abort(reason));
  });

  let bytes = 0;
  const watching = setInterval(() => {
    if (bytes < slowest.bytes) refused.abort(cutOff());
    bytes = 0;
  }, slowest.withinMs);
  const count = (chunk: Uint8Array) => {
    bytes += chunk.length;
  };
  try {
    await pipeline(Readable.from(pieces(body, refused.signal, count)), parser, { signal: refused.signal });
  } catch (error) {
    // No one else ends the file that has begun to arrive, whose writing would wait for the rest for ever.
    file?.destroy(error as Error);
    await arriving?.catch((reason: unknown) => refused.abort(reason));
    const { reason } = refused.signal;
    if (diskProblem(reason)) throw noRoom();
    throw reason instanceof MediaRefused ? reason : malformed('The form could not be read to its end.');
  } finally {
    clearInterval(watching);
  }
  if (!arriving) throw malformed('The form has no file.');
  return { ...(await arriving), userId };
}

/** Stops without cancelling: that would close the connection before the refusal is received. */
async function* pieces(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  count: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  signal.addEventListener('abort', () => reject(signal.reason));
  try {
    // A sender who falls silent is not waited for once the file is refused.
    const next = () => Promise.race([reader.read(), ended]);
    for (let chunk = await next(); !chunk.done; chunk = await next()) {
      count(chunk.value);
      yield chunk.value;
    }
  } finally {
    reader.releaseLock();
  }
}

async function writeChecked(
  stream: Readable & { truncated?: boolean },
  name: string,
  declared: string,
  path: string,
  only: FileKind | undefined,
): Promise<Facts> {
  let head = Buffer.alloc(0);
  const wrong = () =>
    refused(415, wrongKind(name, head, only !== 'image' && saysVideo(name, declared) ? 'video' : 'image'));
  // All of a build file decides its type, and not its beginning.
  let kind = only === 'file' ? only : (undefined as FileKind | undefined);
  let bytes = 0;

  const decide = () => {
    const type = typeOf(name, declared, head);
    kind = type && kindOf(type);
    if (!kind || (only && kind !== only)) throw wrong();
  };
  const guard = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        bytes += chunk.length;
        if (!kind) {
          head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
          if (head.length >= HEAD_BYTES) decide();
        }
        if (kind && bytes > SIZES[kind].bytes) throw refused(413, tooLarge(name, kind));
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        if (bytes === 0) throw refused(422, empty(name));
        if (!kind) decide();
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  await pipeline(stream, guard, createWriteStream(path, { mode: 0o600 }));
  if (!kind) throw wrong();
  return { kind, name };
}

/** A file's name without folders, control characters and marks that reverse text. */
function displayName(name: string | undefined): string {
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  return cutText(last.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ''), 120) || 'file';
}
