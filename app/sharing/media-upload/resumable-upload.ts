import { browserConfig } from '#app/supabase.ts';

/** The size of the pieces, which Supabase prescribes. A file of one piece gains nothing from a resumable upload. */
export const PIECE_BYTES = 6 * 1024 * 1024;
/** The wait before each try after a lost connection; a piece that arrives resets the count. */
const RETRY_DELAYS_MS = [0, 1000, 3000, 5000, 10_000, 20_000];

/** An upload that the server has signed for one file, and its progress. */
export interface IncomingUpload {
  bucket: string;
  path: string;
  token: string;
  /** The URL of the upload in progress, which returns how many bytes have arrived. */
  url?: string;
  isComplete?: boolean;
}

export class UploadRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The storage service answered ${status}`);
    this.status = status;
  }
}

/**
 * Sends a file piece by piece (TUS), from the offset where an earlier try has stopped. The library is loaded
 * at the first file.
 *
 * @throws UploadRefused; any other error is a lost connection or a stop
 */
export async function uploadResumably(
  file: File,
  incoming: IncomingUpload,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  if (incoming.isComplete) return;
  const { DetailedError, Upload } = await import('tus-js-client');
  signal.throwIfAborted();
  const { url, anonKey } = browserConfig();
  const { bucket, path, token } = incoming;
  await new Promise<void>((resolve, reject) => {
    const statusOf = (error: Error) =>
      error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0;
    const upload = new Upload(file, {
      endpoint: `${url || location.origin}/storage/v1/upload/resumable/sign`,
      uploadUrl: incoming.url ?? null,
      headers: { 'x-signature': token, apikey: anonKey },
      metadata: { bucketName: bucket, objectName: path, contentType: file.type },
      chunkSize: PIECE_BYTES,
      // No trace of a file stays on a shared computer.
      storeFingerprintForResuming: false,
      retryDelays: RETRY_DELAYS_MS,
      // The library's own rule gives up at once while the device is offline.
      onShouldRetry: (error) => {
        const status = statusOf(error);
        return status === 0 || status === 409 || status === 423 || status >= 500;
      },
      onUploadUrlAvailable: () => {
        if (upload.url) incoming.url = upload.url;
      },
      onProgress: onSent,
      onSuccess: () => {
        incoming.isComplete = true;
        resolve();
      },
      onError: (error) => {
        const status = statusOf(error);
        reject(status > 0 ? new UploadRefused(status) : error);
      },
    });
    signal.addEventListener('abort', () => {
      reject(signal.reason);
      // The bytes that arrived are removed; where that fails, the server sweeps them.
      upload.abort(true).catch(() => undefined);
    });
    upload.start();
  });
}
