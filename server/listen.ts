import type { Server } from 'node:http';
import type { Config } from '#backend/config.ts';
import { addressParts } from '#backend/http/address-parts.ts';
import { type AnswerReady, createHttpServer, type Handler, type Upgrade } from '#backend/http/http-server.ts';
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
}

const isServicePath = (path: string) => /^\/(?:auth|rest|storage|realtime|functions)\/v1(?:\/|$)/.test(path);

/**
 * Takes the port before any other part is started, so that a taken one costs nothing. Until `open` is called,
 * every request is answered by 503, except /healthz.
 *
 * @throws in a sentence for the operator when the address cannot be used
 */
export async function listen(config: Config, log: Logger) {
  let handle: Handler = starting;
  let upgrade: Upgrade = () => false;
  let answerReady: AnswerReady = () => false;
  const server = createHttpServer(
    config.siteUrl,
    log,
    (request, bindings) => handle(request, bindings),
    (request, socket, head) => upgrade(request, socket, head),
    (incoming, outgoing, common) => answerReady(incoming, outgoing, common),
  );
  await takePort(server, config);
  return {
    server,
    /** From now on every request goes to the handler of its address. */
    open(routes: Routes, measured: (handler: Handler) => Handler) {
      handle = measured((request, bindings) => {
        const { path } = addressParts(request.url);
        if (isServicePath(path)) return routes.services(request, bindings);
        if (isHealthPath(path)) return routes.health(request, bindings);
        if (routes.mailbox && isMailboxPath(path)) return routes.mailbox(request, bindings);
        return routes.pages(request, bindings);
      });
      upgrade = routes.upgrade;
      if (routes.readyPages) answerReady = routes.readyPages;
    },
  };
}

const starting: Handler = (request) =>
  new URL(request.url).pathname === '/healthz'
    ? new Response(`ok ${VERSION}\n`)
    : new Response('The site is starting; try again in a moment.', {
        status: 503,
        headers: { 'retry-after': '1' },
      });

async function takePort(server: Server, config: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
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
