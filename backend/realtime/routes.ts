import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { WebSocketServer } from 'ws';
import type { Dependencies, Env } from '../context.ts';
import { InvalidToken } from '../crypto/tokens.ts';
import { clientNetworkOf } from '../http/client-address.ts';
import { TooMuchHeld } from '../http/held.ts';
import { refuseConnection, type Upgrade } from '../http/http-server.ts';
import type { RevokedSessions } from '../revoked-sessions.ts';
import { createChanges } from './changes.ts';
import { Channel } from './channel.ts';
import { Connection } from './connection.ts';
import type { Version } from './frames.ts';

/** Clients only subscribe and send no data: their longest message is a join with many bindings. */
const MAX_MESSAGE_BYTES = 256 * 1024;
/** The parts of a message that is not whole yet, as sent and as the network delivers them: each costs more than its bytes. */
const MAX_FRAGMENTS = 16;
const MAX_CHUNKS = 1024;
const SWEEP_MS = 10_000;
const PATH = '/realtime/v1/websocket';

export interface Realtime {
  app: Hono<Env>;
  upgrade: Upgrade;
  /** Tells every client to reconnect later, and ends. */
  close(): Promise<void>;
}

/** /realtime/v1: changes of the database over websockets, in Phoenix's protocol as the client speaks it. */
export function createRealtime(dependencies: Dependencies, endedSessions: RevokedSessions): Realtime {
  const { config, keys, log, held, replicationUrl } = dependencies;
  const { realtimeDatabase: database, realtimeReader: reader } = dependencies;
  const changes = createChanges({ database, reader }, replicationUrl, held, log);
  // The number of the pool's five connections that subscriptions may use, so that some are left for delivery.
  const turns = held.turns({ maxRunning: 2, maxRunningOfOne: 1, maxWaitingOfOne: 1000 });
  const connections = new Set<Connection>();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
    perMessageDeflate: false,
  });
  const origins = new Set(
    [config.siteUrl, config.auth.site_url, ...config.auth.additional_redirect_urls].flatMap((url) =>
      URL.canParse(url) ? [new URL(url).origin] : [],
    ),
  );

  endedSessions.watch((session) => {
    for (const connection of connections)
      for (const channel of connection.channels)
        if (channel.claims.session_id === session) channel.closeWithError('The session has ended');
  });

  // Invalid handshakes; without a listener the library would answer them, without the site's headers.
  server.on('wsClientError', (_error, socket) => refuseConnection(socket, 400, config.siteUrl));

  const sweep = setInterval(() => {
    for (const connection of connections) if (connection.isSilent()) connection.close(1002, 'No heartbeat');
  }, SWEEP_MS).unref();

  async function refusal(request: Parameters<Upgrade>[0], url: URL): Promise<number | undefined> {
    const { origin } = request.headers;
    if (origin !== undefined && !origins.has(origin)) return 403;
    if (!isVersion(url.searchParams.get('vsn') ?? '1.0.0')) return 400;
    try {
      await keys.verify(url.searchParams.get('apikey') ?? '');
      return undefined;
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      return 403;
    }
  }

  const app = new Hono<Env>();
  app.get('/websocket', (context) =>
    context.json({ message: 'This address speaks the websocket protocol' }, 426, { upgrade: 'websocket' }),
  );
  app.all('*', (context) =>
    context.json({ message: 'Not served here: only postgres_changes over the websocket are' }, 404),
  );

  return {
    app,
    upgrade(request, socket, head) {
      const url = addressOf(request.url ?? '/');
      if (url?.pathname !== PATH) return false;
      const network = clientNetworkOf(request, config.trustProxy);
      refusal(request, url)
        .then((status) => {
          if (status) return refuseConnection(socket, status, config.siteUrl);
          let release: () => void;
          try {
            release = held.take([['sockets of a network', network, 1]]);
          } catch (error) {
            if (!(error instanceof TooMuchHeld)) throw error;
            return refuseConnection(socket, 429, config.siteUrl);
          }
          let isOpen = false;
          // A handshake that is no good calls nothing back.
          server.handleUpgrade(request, socket, head, (client) => {
            isOpen = true;
            const version = url.searchParams.get('vsn') ?? '1.0.0';
            const id = randomUUID();
            const line = {
              socket: client,
              transport: socket,
              version: isVersion(version) ? version : '1.0.0',
              token: url.searchParams.get('apikey') ?? '',
              network,
              held,
              log,
            } as const;
            const services = { log, database, keys, changes, held, turns };
            const connection = new Connection(
              line,
              (topic, wire) => new Channel(topic, wire, { socket: id, network }, services),
            );
            connections.add(connection);
            client.on('close', () => {
              connections.delete(connection);
              release();
            });
          });
          if (!isOpen) release();
        })
        .catch((error: unknown) => {
          log.error({ err: error }, 'a socket could not be opened');
          refuseConnection(socket, 500, config.siteUrl);
        });
      return true;
    },
    async close() {
      clearInterval(sweep);
      for (const connection of connections) connection.close(1012, 'The server is restarting');
      for (const client of server.clients) setTimeout(() => client.terminate(), 1_000).unref();
      server.close();
      await changes.close();
    },
  };
}

/** The URL of a request's target, in any form; undefined when the target is not an address. */
function addressOf(target: string): URL | undefined {
  // A URL parser would take two leading slashes as the start of a host.
  return URL.parse(target.startsWith('/') ? `http://localhost${target}` : target) ?? undefined;
}

const isVersion = (version: string): version is Version => version === '1.0.0' || version === '2.0.0';
