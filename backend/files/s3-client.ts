import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { Config } from '../config.ts';
import { FilesUnavailable } from './file-driver.ts';

export type S3Settings = NonNullable<Config['s3']>;

/** The time for a connection, for the beginning of an answer, and between two pieces of it. */
const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 15_000;
/** Each slow reader of a file holds one. */
const MAX_CONNECTIONS = 512;
/** The codes of stores that have no room, as they differ. */
const FULL = new Set([
  'InsufficientStorage',
  'QuotaExceeded',
  'ServiceQuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
]);

/** Connects to a store by its settings; other stores than Amazon's have the bucket in the path. */
export function createS3Client(settings: S3Settings, changes: { anonymous?: boolean } = {}): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = settings;
  const agent = { maxSockets: MAX_CONNECTIONS };
  return new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 3,
    // Many stores know none of the newer checksums. Bodies are signed with their hash, and sizes compared.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Stores that do not ask for the body would be waited for.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: ANSWER_TIMEOUT_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
    ...(changes.anonymous && { signer: { sign: async (request) => request } }),
  });
}

/** The code of a store's refusal and its HTTP status; both undefined where no answer came. */
export function answerOf(error: unknown): { code: string | undefined; status: number | undefined } {
  if (!(error instanceof S3ServiceException)) return { code: undefined, status: undefined };
  return { code: error.name, status: error.$metadata.httpStatusCode };
}

/** Whether a store has no room for what was sent to it. */
export function isFull(error: unknown): boolean {
  const { code, status } = answerOf(error);
  return status === 507 || FULL.has(code ?? '');
}

/** The reason in a few words, for the log. */
export function reasonOf(error: unknown): string {
  const { code, status } = answerOf(error);
  if (status !== undefined) return `${code} (${status})`;
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && error.code ? String(error.code) : error.message || error.name;
}

/** What a failed request means to those who asked for a file. */
export const unavailable = (place: string, cause: unknown) =>
  new FilesUnavailable(`${place} does not do what it should: ${reasonOf(cause)}`, {
    cause,
    isFull: isFull(cause),
  });
