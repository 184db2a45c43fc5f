import type { Context } from 'hono';
import { diskProblem } from '../../media/disk.ts';
import { cutText } from '../../texts/cut-text.ts';
import { type Env, logFault, logOf } from '../context.ts';
import { InvalidToken } from '../crypto/tokens.ts';
import { DatabaseError, outageOf } from '../database/database.ts';
import { FilesUnavailable } from '../files/file-driver.ts';
import { QueueFull } from '../http/fair-queue.ts';

/**
 * A refusal in the storage protocol's form; `status` goes into the body, the HTTP status is 400 for nearly
 * all.
 */
export class StorageError extends Error {
  readonly status: number;
  /** A code of the service's list, for example NoSuchKey. */
  readonly code: string;
  /** The value that older clients read in the code's place. */
  readonly error: string;

  constructor(status: number, code: string, error: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.error = error;
  }
}

/** There is no such bucket, or none that the caller may see: the answer does not tell which. */
export const bucketNotFound = () =>
  new StorageError(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found');
/** There is no such object, or none that the caller may see: the answer does not tell which. */
export const objectNotFound = () => new StorageError(404, 'NoSuchKey', 'not_found', 'Object not found');
/** The object was replaced, moved or removed between its row and its file. */
export class FileMissing extends StorageError {
  constructor() {
    super(404, 'NoSuchKey', 'not_found', 'Object not found');
  }
}
/**
 * Repeats the lookup of an object whose file has disappeared in the meantime; mostly the object has a new one by
 * then.
 */
export async function retryFileMissing<T>(attempt: () => Promise<T>, times = 5): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof FileMissing && times > 1) return retryFileMissing(attempt, times - 1);
    throw error;
  }
}
/** The name is taken by another bucket or object. */
export const alreadyExists = () =>
  new StorageError(409, 'ResourceAlreadyExists', 'Duplicate', 'The resource already exists');
/** One file exceeds the limit of its bucket or of the service; `storageFull` is about all files together. */
export const tooLarge = () =>
  new StorageError(
    413,
    'EntityTooLarge',
    'Payload too large',
    'The object exceeded the maximum allowed size',
  );
/** @param bytes the limit for all files together */
export const storageFull = (bytes: number) =>
  new StorageError(
    413,
    'EntityTooLarge',
    'Payload too large',
    `The storage is full: all files together may take ${bytes} bytes`,
  );
/** The official service has no code for it; this is HTTP's own (RFC 4918, 11.5). */
export const diskFull = (message?: string, cause?: unknown) =>
  new StorageError(
    507,
    'InsufficientStorage',
    'Insufficient Storage',
    message ?? 'The disk of this site has no room for files at the moment. Please try again later.',
    { cause },
  );
/** The bucket does not accept the media type, or it is none. */
export const wrongType = (type: string) =>
  new StorageError(415, 'InvalidMimeType', 'invalid_mime_type', `mime type ${type} is not supported`);
/** The name cannot be that of an object. */
export const invalidKey = (key: string) =>
  new StorageError(400, 'InvalidKey', 'InvalidKey', `Invalid key: ${cutText(key, 200)}`);
/** The request holds something that cannot be read, or a value out of its range. */
export const invalidBody = (message: string) =>
  new StorageError(400, 'InvalidRequest', 'InvalidRequest', message);
/** The token is damaged, has expired, or was signed for something else. */
export const invalidSignature = (message: string) =>
  new StorageError(400, 'InvalidJWT', 'InvalidJWT', message);
/** The protocol has it, and this service does not offer it, for example versions of objects. */
export const featureNotEnabled = (feature: string) =>
  new StorageError(
    409,
    'FeatureNotEnabled',
    'FeatureNotEnabled',
    `The feature ${feature} is not enabled for this resource`,
  );
/** The object is no image that can be resized: it cannot be read, or is too large. */
export const invalidImage = (cause?: unknown) =>
  new StorageError(422, 'InvalidRequest', 'InvalidRequest', 'Invalid source image', { cause });
/** Too much is under way already; the client can try again later. */
export const slowDown = (message: string) => new StorageError(429, 'SlowDown', 'SlowDown', message);
/** Another request is writing to the same resumable upload. */
export const resourceLocked = () =>
  new StorageError(423, 'ResourceLocked', 'ResourceLocked', 'The resource is locked');
/** The official service's answer where no CDN stands before it. */
export const missingPurge = () =>
  new StorageError(
    400,
    'MissingParameter',
    'MissingParameter',
    'Missing Required Parameter CDN_PURGE_ENDPOINT_URL is not set',
  );
/** No route of this service has the address. */
export const notServed = (route: string) =>
  new StorageError(404, 'NotFound', 'Not Found', `Route ${route} not found`);
/** The store of the files, which is another machine's, does not answer as it should. */
const filesUnavailable = (cause: unknown) =>
  new StorageError(
    503,
    'ServiceUnavailable',
    'Service Unavailable',
    'The files of this site cannot be reached at the moment. Please try again later.',
    { cause },
  );
const forbidden = (message: string, cause: unknown) =>
  new StorageError(403, 'AccessDenied', 'Unauthorized', message, { cause });

/** The meaning of a thrown error for the client; undefined for a fault of this service. */
export function refusalOf(error: unknown): StorageError | undefined {
  if (error instanceof StorageError) return error;
  if (error instanceof InvalidToken) return forbidden(error.message, error);
  if (error instanceof QueueFull) return slowDown(error.message);
  if (error instanceof FilesUnavailable)
    return error.isFull ? diskFull(undefined, error) : filesUnavailable(error);
  const outage = outageOf(error);
  if (outage)
    return diskProblem(error)
      ? diskFull(outage, error)
      : new StorageError(544, 'DatabaseTimeout', 'DatabaseTimeout', outage, { cause: error });
  if (error instanceof DatabaseError) {
    if (error.code === '42501') {
      const message = error.message.startsWith('new row violates')
        ? 'new row violates row-level security policy'
        : 'permission denied';
      return forbidden(message, error);
    }
    if (error.code === '23505') return alreadyExists();
    if (error.code === '23503') return bucketNotFound();
    if (error.code === '57014')
      return new StorageError(
        544,
        'DatabaseTimeout',
        'DatabaseTimeout',
        'The database took too long to answer',
        {
          cause: error,
        },
      );
    if (['22021', '22P02', '22007', '22008'].includes(error.code ?? ''))
      return invalidBody('The request holds a value that cannot be stored');
  }
  return undefined;
}

/** The one place that turns a handler's error into the protocol's error body. */
export function renderError(error: unknown, context: Context<Env>): Response {
  const refusal = refusalOf(error);
  if (!refusal) {
    logFault(context, error, 'storage request failed');
    return context.json(
      { statusCode: '500', code: 'InternalError', error: 'Internal', message: 'Internal Server Error' },
      500,
    );
  }
  const { status, code, error: name, message } = refusal;
  // One fault, however many requests meet it.
  if (outageOf(error) || status === 507 || status === 503)
    logOf(context).warn({ err: error, path: context.req.path }, 'storage request failed');
  if (error instanceof QueueFull) context.header('retry-after', '1');
  if (status === 503) context.header('retry-after', '5');
  return context.json(
    { statusCode: String(status), code, error: name, message },
    httpStatusOf(refusal, error),
  );
}

function httpStatusOf({ status, code }: StorageError, error: unknown) {
  if (error instanceof QueueFull) return 429;
  if (status === 507) return 507;
  if (status === 503 || outageOf(error)) return 503;
  return code === 'NotFound' ? 404 : 400;
}
