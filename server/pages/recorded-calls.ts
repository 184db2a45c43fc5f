import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';

/** A call of the API. */
export interface ApiRequest {
  url: string;
  method: string;
  headers: [string, string][];
  body: BodyInit | null;
}

/** A call of the API and what it was answered, in a form that another thread can be sent. */
export interface RecordedCall {
  url: string;
  init: { method: string; headers: [string, string][]; body: string | null };
  /** The digest of status, range and body. */
  digest: string;
}

/** A page that is made from more calls costs as much to compare as to make. */
const MAX_CALLS = 32;

interface Recording {
  calls: RecordedCall[];
  /** The names of the parameters that were looked for in addresses. */
  parameters: Set<string>;
  /** False once the page depends on a call that cannot be repeated. */
  isComplete: boolean;
}

const recordings = new AsyncLocalStorage<Recording>();

/** An answer of the API, which pages call for text and small images; in a form that another thread can be sent. */
export interface TextAnswer {
  status: number;
  headers: [string, string][];
  /** The text; the bytes of an image stand in it as one character each. */
  body: string;
}

const isImage = (headers: Headers) => headers.get('content-type')?.startsWith('image/') ?? false;

/** Reads a response to its end, for a thread that cannot be sent the response itself. */
export const textAnswer = async (response: Response): Promise<TextAnswer> => ({
  status: response.status,
  headers: [...response.headers],
  body: isImage(response.headers)
    ? Buffer.from(await response.arrayBuffer()).toString('latin1')
    : await response.text(),
});

/**
 * A fetch that records the calls of the page that is being made.
 *
 * @param callApi answers one call
 */
export function recordingFetch(
  callApi: (call: ApiRequest) => Promise<TextAnswer>,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, { method = 'GET', headers, body = null } = {}) => {
    const url = String(input);
    const recording = recordings.getStore();
    const sent = [...new Headers(headers)];
    const answer = await callApi({ url, method, headers: sent, body });
    const isReading = method === 'GET' || method === 'HEAD' || url.includes('/rest/v1/rpc/');
    const isText = body === null || typeof body === 'string';
    if (recording && isReading && isText && recording.calls.length < MAX_CALLS)
      recording.calls.push({ url, init: { method, headers: sent, body }, digest: digestOf(answer) });
    else if (recording) recording.isComplete = false;
    return asResponse(answer);
  };
}

/** A response whose text is at hand; it would else be made a stream of bytes, and read back from that. */
const asResponse = ({ body, ...answer }: TextAnswer): Response =>
  Object.defineProperties(new Response(null, answer), {
    text: { value: async () => body },
    json: { value: async () => JSON.parse(body) },
    blob: { value: async () => new Blob([Buffer.from(body, 'latin1')]) },
  });

/**
 * From now on the parameters are recorded that this thread's pages look for by name, in whatever way they came to
 * them: every reader of an address, the router and its hooks included, ends at these three methods. Parameters of
 * other addresses, such as a video's, are recorded with them.
 */
export function recordParameters(): void {
  for (const method of ['get', 'getAll', 'has'] as const) {
    const original = URLSearchParams.prototype[method];
    URLSearchParams.prototype[method] = function (
      this: URLSearchParams,
      ...[name, value]: [string, string?]
    ) {
      recordings.getStore()?.parameters.add(name);
      return Reflect.apply(original, this, value === undefined ? [name] : [name, value]);
    };
  }
}

/**
 * @returns with the result what it was made from: its calls, which are undefined where it depends on others as well,
 *   and the parameters it looked for, whether they were there or not
 */
export async function recordCalls<T>(
  work: () => Promise<T>,
): Promise<{ result: T; calls: RecordedCall[] | undefined; parameters: string[] }> {
  const recording: Recording = { calls: [], parameters: new Set(), isComplete: true };
  const result = await recordings.run(recording, work);
  return {
    result,
    calls: recording.isComplete ? recording.calls : undefined,
    parameters: [...recording.parameters],
  };
}

/** Whether each call is answered as it was. One that fails is not. */
export async function isUnchanged(calls: readonly RecordedCall[], fetchApi: typeof fetch): Promise<boolean> {
  const same = await Promise.all(
    calls.map(async ({ url, init, digest }) => {
      try {
        return digestOf(await textAnswer(await fetchApi(url, init))) === digest;
      } catch {
        return false;
      }
    }),
  );
  return same.every(Boolean);
}

const digestOf = ({ status, headers, body }: TextAnswer): string =>
  createHash('sha256')
    .update(`${status} ${headers.find(([name]) => name === 'content-range')?.[1]}\n`)
    .update(body)
    .digest('base64');
