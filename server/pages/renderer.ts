import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, parentPort, workerData } from 'node:worker_threads';
import type { ServerBuild } from 'react-router';
import type * as Entry from '#app/entry.server.tsx';
import { createLog } from '#backend/log.ts';
import {
  type ApiRequest,
  recordCalls,
  recordingFetch,
  recordParameters,
  type TextAnswer,
} from './recorded-calls.ts';
import type {
  ApiAnswer,
  ApiCall,
  PageRoute,
  RenderedPage,
  RenderRequest,
  ThreadSettings,
} from './renderers.ts';

// A thread that renders pages; see renderers.ts.
recordParameters();
const { root, logLevel } = workerData as ThreadSettings;
const build: ServerBuild = await import(pathToFileURL(join(root, 'build/server/index.js')).href);
const entry = build.entry.module as unknown as typeof Entry;
const log = createLog(logLevel);
let handle: ReturnType<typeof entry.createHandler> | undefined;

/** Calls the API by the thread that answers it. */
async function callApi(request: ApiRequest): Promise<TextAnswer> {
  const { port1: own, port2: reply } = new MessageChannel();
  const call: ApiCall = { ...request, reply };
  const answered = once(own, 'message');
  parentPort?.postMessage(call, [reply]);
  const [answer] = (await answered) as [ApiAnswer];
  own.close();
  if ('error' in answer) throw new TypeError(answer.error);
  return answer;
}

/** The pages of the built site, which the thread that receives requests asks for once. */
export const routes = (): PageRoute[] => entry.pageRoutes(build);

export default async function render({ url, settings, ...init }: RenderRequest): Promise<RenderedPage> {
  handle ??= entry.createHandler(build, 'production', settings, recordingFetch(callApi), (fields, message) =>
    log.error(fields, message),
  );
  const answer = handle;
  const { result: response, ...madeFrom } = await recordCalls(() => answer(new Request(url, init)));
  const { status, headers } = response;
  return { status, headers: [...headers], body: new Uint8Array(await response.arrayBuffer()), ...madeFrom };
}
