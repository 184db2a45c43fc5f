import { createServer, type ListenOptions, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '#backend/config.ts';
import { addressParts } from '#backend/http/address-parts.ts';
import { countConnections, countRequests, type Held } from '#backend/http/held.ts';
import {
  type AnswerReady,
  type Count,
  createHttpServer,
  type Handler,
  type Upgrade,
} from '#backend/http/http-server.ts';
import type { Logger } from '#backend/log.ts';
import { isMailboxPath } from './dev-mailbox.ts';
import { isHealthPath } from './health/routes.ts';
import { VERSION } from './version.mjs';

/** The handlers, by the addresses they answer. */
export interface Routes {
  /** /auth/v1, /rest/v1, /storage/v1, /realtime/v1 and /functions/v1. */
  services: Handler;
  /** /healthz, /readyz, /metrics and /doctor. */
  health: Handler;
  /** /mail; undefined where emails are really sent. */
  mailbox: Handler | undefined;
  /** Every other address. */
  pages: Handler;
  /** Pages that need no work; undefined where every page is made for its request. */
  readyPages: AnswerReady | undefined;
  /** Websockets. */
  upgrade: Upgrade;
  /** What is held of all requests. */
  held: Held;
}

/** Whether two processes can listen on one port, of which the first then leaves. */
export const CAN_HAND_OVER = process.platform === 'linux';
/** The time that requests to the services get when the site hands over to another process. */
const MAX_LEAVE_MS = 3_000;
const STEP_MS = 20;

const isServicePath = (path: string) => /^\/(?:auth|rest|storage|realtime|functions)\/v1(?:\/|$)/.test(path);

/**
 * Takes the port before any other part is started, so that a taken one costs nothing. Until `open` is called,
 * every request is answered by 503, except /healthz.
 *
 * @param takesOver whether another process listens there, which goes on answering until `open` is called
 * @throws in a sentence for the operator when the address cannot be used
 */
export async function listen(config: Config, log: Logger, takesOver: boolean) {
  let handle: Handler = starting;
  let upgrade: Upgrade = () => false;
  let answerReady: AnswerReady = () => false;
  let count: Count = () => () => undefined;
  const server = createHttpServer(
    config.siteUrl,
    log,
    (request, bindings) => handle(request, bindings),
    (request, socket, head) => upgrade(request, socket, head),
    (incoming, outgoing, common) => answerReady(incoming, outgoing, common),
    (incoming, outgoing) => count(incoming, outgoing),
  );
  if (!takesOver) await takePort(server, config);
  let running = 0;
  let isLeaving = false;
  return {
    server,
    /** From now on every request goes to the handler of its address. */
    async open(routes: Routes, measured: (handler: Handler) => Handler) {
      const serve: Handler = async (request, bindings) => {
        if (isLeaving) return unavailable('The site is being upgraded; try again in a moment.');
        running += 1;
        try {
          return await routes.services(request, bindings);
        } finally {
          running -= 1;
        }
      };
      handle = measured((request, bindings) => {
        const { path } = addressParts(request.url);
        if (isServicePath(path)) return serve(request, bindings);
        if (isHealthPath(path)) return routes.health(request, bindings);
        if (routes.mailbox && isMailboxPath(path)) return routes.mailbox(request, bindings);
        return routes.pages(request, bindings);
      });
      upgrade = routes.upgrade;
      count = countRequests(routes.held, config.trustProxy);
      if (!config.trustProxy) countConnections(routes.held, server);
      if (routes.readyPages) answerReady = routes.readyPages;
      if (takesOver) await listening(server, { port: config.port, host: config.host, reusePort: true });
    },
    /** Answers pages that are kept and nothing else, and waits a while for what the services have begun. */
    async leave() {
      isLeaving = true;
      // Each answer ends its connection: the next request of that client finds the process that takes over, and is not cut off when
      // this one ends.
      server.maxRequestsPerSocket = 1;
      for (let waited = 0; running > 0 && waited < MAX_LEAVE_MS; waited += STEP_MS) await wait(STEP_MS);
    },
  };
}

const starting: Handler = (request) =>
  new URL(request.url).pathname === '/healthz'
    ? new Response(`ok ${VERSION}\n`)
    : unavailable('The site is starting; try again in a moment.');

const unavailable = (text: string) => new Response(text, { status: 503, headers: { 'retry-after': '1' } });

const listening = (server: Server, options: ListenOptions) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });

async function takePort(server: Server, config: Config): Promise<void> {
  const { port, host } = config;
  const take = async () => {
    if (CAN_HAND_OVER && port !== 0) {
      // The system would let a second site of this account share the port.
      const probe = createServer();
      await listening(probe, { port, host });
      await new Promise((closed) => probe.close(closed));
    }
    await listening(server, { port, host, reusePort: CAN_HAND_OVER });
  };
  await take().catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new Error(
        `Port ${config.port} on ${config.host} is taken by another program; set PORT to a free one and start again.`,
      );
    if (error.code === 'EACCES')
      throw new Error(
        `Port ${config.port} on ${config.host} may not be used by this account; set PORT to one above 1023.`,
      );
    if (error.code === 'EADDRNOTAVAIL')
      throw new Error(`This machine has no address ${config.host}; set HOST to one it has.`);
    throw error;
  });
}
