import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';

/** A call of the API and what it was answered, in a form that another thread can be sent. */
export interface RecordedCall {
  url: string;
  init: { method: string; headers: [string, string][]; body: string | null };
  /** Of status, range and body. */
  digest: string;
}

/** A page that is made from more calls costs as much to compare as to make. */
const MAX_CALLS = 32;

interface Recording {
  calls: RecordedCall[];
  /** False once the page depends on a call that cannot be repeated. */
  isComplete: boolean;
}

const recordings = new AsyncLocalStorage<Recording>();

/** A fetch that records the calls of the page that is being made, if one is. */
export function recordingFetch(fetchApi: typeof fetch): typeof fetch {
  return async (input, init) => {
    const recording = recordings.getStore();
    if (!recording) return fetchApi(input, init);
    const response = await fetchApi(input, init);
    const { method = 'GET', headers, body = null } = init ?? {};
    const isReading = method === 'GET' || method === 'HEAD' || String(input).includes('/rest/v1/rpc/');
    const isText = body === null || typeof body === 'string';
    if (!isReading || !isText || input instanceof Request || recording.calls.length === MAX_CALLS) {
      recording.isComplete = false;
      return response;
    }
    const answer = await response.text();
    recording.calls.push({
      url: String(input),
      init: { method, body, headers: [...new Headers(headers)] },
      digest: digestOf(response, answer),
    });
    return new Response(answer || null, response);
  };
}

/** @returns with the result the calls it was made from; undefined where it depends on others as well */
export async function recordCalls<T>(
  work: () => Promise<T>,
): Promise<{ result: T; calls: RecordedCall[] | undefined }> {
  const recording: Recording = { calls: [], isComplete: true };
  const result = await recordings.run(recording, work);
  return { result, calls: recording.isComplete ? recording.calls : undefined };
}

/** Whether each call is answered as it was. One that fails is not. */
export async function isUnchanged(calls: readonly RecordedCall[], fetchApi: typeof fetch): Promise<boolean> {
  const same = await Promise.all(
    calls.map(async ({ url, init, digest }) => {
      try {
        const response = await fetchApi(url, init);
        return digestOf(response, await response.text()) === digest;
      } catch {
        return false;
      }
    }),
  );
  return same.every(Boolean);
}

const digestOf = ({ status, headers }: Response, body: string): string =>
  createHash('sha256')
    .update(`${status} ${headers.get('content-range')}\n`)
    .update(body)
    .digest('base64');
