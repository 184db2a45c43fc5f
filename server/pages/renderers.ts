import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { PageSettings } from '#app/entry.server.tsx';
import type { Logger } from '#backend/log.ts';
import { type ApiRequest, type RecordedCall, type TextAnswer, textAnswer } from './recorded-calls.ts';

/** All threads call the API of one process, which more of them would find busy. */
const MAX_THREADS = Math.min(availableParallelism(), 8);
/** The time for which a thread beyond the first may wait for its next page. */
const IDLE_MS = 5_000;
/** A page that takes longer ends its thread, and nothing else. */
const MAX_RENDER_MS = 30_000;
/**
 * The memory of a thread; one that needs more ends, and nothing else. V8 collects garbage the more often the
 * lower this is, a multiple of what pages need.
 */
const MAX_MEGABYTES = 1024;

/** What a rendering thread is given when it starts. */
export interface ThreadSettings {
  /** The folder of the project. */
  root: string;
  logLevel: string;
}

/** A page of the site, by the path that leads to it; `:name` stands for one segment. */
export interface PageRoute {
  path: string;
  /** Whether it accepts forms. */
  hasAction: boolean;
}

/** A request for a page; like the next three, in a form that another thread can be sent. */
export interface RenderRequest {
  url: string;
  method: string;
  headers: [string, string][];
  /** Null for a request that has none. */
  body: ArrayBuffer | null;
  settings: PageSettings;
}

export interface RenderedPage {
  status: number;
  headers: [string, string][];
  body: Uint8Array<ArrayBuffer>;
  /** The calls of the API that the page was made from; undefined where it depends on others as well. */
  calls: RecordedCall[] | undefined;
  /** The names of the parameters that it looked for in its address, whether they were there or not. */
  parameters: string[];
}

/** A call of the API by a page that is being made. */
export interface ApiCall extends ApiRequest {
  /** Receives the answer. */
  reply: MessagePort;
}

/** Or why the API could not be reached. */
export type ApiAnswer = TextAnswer | { error: string };

/** Starts the first thread, which loads the built site; ends with `destroy`. */
export function startRenderThreads(settings: ThreadSettings, log: Logger): Piscina {
  const threads = new Piscina({
    filename: join(import.meta.dirname, 'renderer.ts'),
    workerData: settings,
    // React chooses its build when it is first loaded, and its development build takes twice as long.
    // biome-ignore lint/style/noProcessEnv: the threads that it starts render with React’s production build
    env: { ...process.env, NODE_ENV: 'production' },
    // A thread that waits for its next page must hear what it is answered in the meantime.
    atomics: 'disabled',
    minThreads: 1,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
  });
  threads.on('error', (error) => log.error({ err: error }, 'a thread that renders pages ended'));
  return threads;
}

/**
 * Renders pages in threads, so that neither a slow page nor many at once delay the services; on each core one,
 * when there is as much to do. Their calls of the API are answered by this thread.
 *
 * @param threads of which this is the only user
 */
export function createRenderer(
  threads: Piscina,
  settings: PageSettings,
  fetchApi: typeof fetch,
  maxRenderMs = MAX_RENDER_MS,
) {
  threads.on('message', (call: ApiCall) => void answerCall(call, fetchApi));
  return {
    /** @throws when the built site cannot be loaded */
    routes: (): Promise<PageRoute[]> =>
      Promise.race([
        threads.run(undefined, { name: 'routes' }),
        // A thread that ends while it starts leaves its work to others, which would end as well.
        once(threads, 'error').then(([error]) => Promise.reject(error)),
      ]),
    /** @throws when the page cannot be made, with its thread's error */
    async render(request: Request): Promise<RenderedPage> {
      const page: RenderRequest = {
        url: request.url,
        method: request.method,
        headers: [...request.headers],
        body: request.body ? await request.arrayBuffer() : null,
        settings,
      };
      return threads.run(page, { signal: AbortSignal.timeout(maxRenderMs) });
    },
    /** The threads there are, and the pages that wait for one. */
    load: () => ({ threads: threads.threads.length, waiting: threads.queueSize }),
  };
}

async function answerCall({ url, reply, ...init }: ApiCall, fetchApi: typeof fetch): Promise<void> {
  let answer: ApiAnswer;
  try {
    answer = await textAnswer(await fetchApi(url, init));
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) };
  }
  reply.postMessage(answer);
}
