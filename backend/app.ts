import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { AfterResponse } from './after-response.ts';
import { createCleanup } from './auth/cleanup.ts';
import { createAuth } from './auth/routes.ts';
import { bearerOf } from './caller.ts';
import { type Dependencies, type Env, logFault } from './context.ts';
import type { Verifier } from './crypto/tokens.ts';
import { createFunctions } from './functions/routes.ts';
import { clientAddress, clientNetwork } from './http/client-address.ts';
import { currentClient, limitByClient } from './http/client-concurrency.ts';
import { createRealtime, type Realtime } from './realtime/routes.ts';
import { createRest } from './rest/routes.ts';
import { followRevokedSessions } from './revoked-sessions.ts';
import { createStorage } from './storage/routes.ts';

export interface App {
  app: Hono<Env>;
  /** Starts the background work. */
  start(): void;
  close(): Promise<void>;
  /** Absent where another project serves the websockets. */
  sockets?: Sockets;
  /**
   * Reports each write through the table API before the answer is sent: by its path there, and the network of
   * the client whose request led to it.
   */
  onWrite(onWritten: (path: string, client: string | undefined) => void): void;
  /** Resolves when the work that earlier requests deferred until after their answers is done. */
  settled(): Promise<void>;
}

/** Connections that outlive a request; they are closed before the server waits for its requests to end. */
export type Sockets = Pick<Realtime, 'upgrade' | 'close'>;

/** The services under the prefixes the client library expects; this module contains no other logic. */
export async function createApp(dependencies: Dependencies): Promise<App> {
  const app = createBaseApp(dependencies);
  const endedSessions = await followRevokedSessions(dependencies);
  const open = { ...dependencies, keys: endedSessions.keys };
  const functions = createFunctions(open, async (input, init) => app.fetch(new Request(input, init)));
  const afterwards = new AfterResponse();
  app.route('/auth/v1', createAuth(dependencies, afterwards));
  const listeners = new Set<(path: string, client: string | undefined) => void>();
  const rest = await createRest(open, (path) => {
    for (const onWritten of listeners) onWritten(path, currentClient());
  });
  app.route('/rest/v1', rest);
  const storage = createStorage(open);
  app.route('/storage/v1', storage.app);
  app.route('/functions/v1', functions.app);
  const housekeeping = createCleanup(dependencies);
  const realtime = createRealtime(open, endedSessions);
  app.route('/realtime/v1', realtime.app);
  return {
    app,
    start() {
      functions.start();
      housekeeping.start();
    },
    sockets: realtime,
    onWrite: (onWritten) => void listeners.add(onWritten),
    settled: () => afterwards.settled(),
    async close() {
      await Promise.all([
        functions.close(),
        storage.close(),
        realtime.close(),
        housekeeping.close(),
        afterwards.settled(),
      ]);
    },
  };
}

/**
 * The functions alone, beside a Supabase project that serves all other requests: its host cannot run native
 * codecs.
 */
export function createFunctionsApp(
  dependencies: Pick<Dependencies, 'config' | 'log' | 'mailer' | 'held'> & { keys: Verifier },
): App {
  const app = createBaseApp(dependencies);
  const functions = createFunctions(dependencies, globalThis.fetch);
  app.route('/functions/v1', functions.app);
  // Writes are made in the other project, so none is reported here.
  return {
    app,
    start: functions.start,
    close: functions.close,
    onWrite: () => undefined,
    settled: async () => undefined,
  };
}

/** The headers of an answer that a page of another origin may read. */
const EXPOSED_HEADERS = [
  'content-range',
  'content-location',
  'content-profile',
  'location',
  'link',
  'preference-applied',
  'tus-extension',
  'tus-max-size',
  'tus-resumable',
  'tus-version',
  'upload-defer-length',
  'upload-expires',
  'upload-length',
  'upload-metadata',
  'upload-offset',
  'x-total-count',
  'x-relay-error',
  'x-request-id',
  'x-sb-error-code',
  'x-supabase-api-version',
].join(',');

/**
 * The middleware of every request: a request id, the client's turns, CORS for other origins, and an answer to
 * uncaught errors.
 */
function createBaseApp({
  config,
  log,
  keys,
}: Pick<Dependencies, 'config' | 'log'> & { keys: Pick<Verifier, 'anonKey'> }): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    const requestId = randomUUID();
    context.set('requestId', requestId);
    context.set('log', log);
    // Set at the connection: headers set at the context would have every answer copied.
    const outgoing = context.env?.outgoing;
    if (outgoing) {
      outgoing.setHeader('x-request-id', requestId);
      // What a person or the site itself may read is for no cache, unless a service says more exactly for whom it is.
      const token = bearerOf(context.req.header('authorization'));
      if (token && token !== keys.anonKey) outgoing.setHeader('cache-control', 'no-store');
      outgoing.setHeader('access-control-allow-origin', '*');
      outgoing.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
    }
    const address = clientAddress(context, config.trustProxy);
    context.set('address', address);
    // The site's own requests are limited where they are made; those of a function stay in its caller's
    // turns.
    await (address === undefined ? next() : limitByClient(clientNetwork(address), next));
  });
  const preflight = cors({
    origin: '*',
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    maxAge: 86_400,
  });
  app.options('*', (context, next) => (asksWhatIsAllowed(context) ? next() : preflight(context, next)));
  app.onError((error, context) => {
    logFault(context, error, 'request failed');
    return context.json(
      { code: 'unexpected_failure', message: 'Internal Server Error', request_id: context.get('requestId') },
      500,
    );
  });
  return app;
}

/**
 * OPTIONS as clients of resumable uploads and of the table API send it, which the service answers itself; a
 * browser's preflight request names the method it wants.
 */
const asksWhatIsAllowed = ({ req }: Context<Env>) =>
  req.method === 'OPTIONS' &&
  /^\/(?:storage\/v1\/upload\/resumable|rest\/v1)/.test(req.path) &&
  req.header('access-control-request-method') === undefined;
