import { timingSafeEqual } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import { Hono } from 'hono';
import type { Config } from '#backend/config.ts';
import type { Env } from '#backend/context.ts';
import type { PoolLoad } from '#backend/database/database.ts';
import { addressParts } from '#backend/http/address-parts.ts';
import { clientAddress, fromThisMachine } from '#backend/http/client-address.ts';
import type { Handler } from '#backend/http/http-server.ts';
import type { Logger } from '#backend/log.ts';
import type { Probe } from '#backend/start.ts';
import { freeBytes } from '../../media/disk.ts';
import { lastBackup } from '../backup/backup.ts';
import { lastArchived } from '../backup/continuous/archiving.ts';
import type { Seen } from '../doctor/address.ts';
import { VERSION } from '../version.mjs';
import { createMetrics, type MetricSources } from './metrics.ts';
import { canWrite, createReadiness } from './readiness.ts';
import { recordUptime } from './uptime.ts';

/** The monitored services, embedded or hosted. */
interface WatchedServices {
  keys: { serviceRoleKey: string };
  /** The address of the API; blank when it is the site's own address. */
  apiUrl: string;
  fetch: typeof globalThis.fetch;
  probes: Record<string, Probe>;
  pools(): Record<string, PoolLoad>;
  held: { counts(): Record<string, number> };
}

/** Whether a path is one of those for the site's operator, not for its visitors. */
export const isHealthPath = (path: string) => /^\/(?:healthz|readyz|metrics|doctor)$/.test(path);

/**
 * /healthz, /readyz, /metrics and /doctor, and the record of uptime.
 *
 * @param stopping whether the process has received the signal to end
 * @param pages see `Site`; undefined while there is none
 */
export function createHealth(
  config: Config,
  watched: WatchedServices,
  log: Logger,
  stopping: () => boolean,
  pages: MetricSources['pages'],
) {
  const ready = createReadiness({
    // First, because a full disk makes the database unreachable, and not the other way round.
    'The data folder': canWrite(config.dataDir),
    ...watched.probes,
  });
  const unready = async () => (stopping() ? 'The site is stopping' : ready());
  const service = createClient(watched.apiUrl || config.siteUrl, watched.keys.serviceRoleKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: watched.fetch },
  });
  const metrics = createMetrics({
    pools: watched.pools,
    held: () => watched.held.counts(),
    async queues() {
      const { data, error } = await service.rpc('queue_metrics', {}, { get: true });
      if (error) throw error;
      return data;
    },
    archivedUntil: () => lastArchived(config.dataDir)?.until,
    lastBackup: () => lastBackup(config.dataDir),
    isReady: async () => (await unready()) === undefined,
    freeBytes: () => freeBytes(config.dataDir),
    pages,
  });

  const app = new Hono<Env>();
  app.use(async (context, next) => {
    context.header('cache-control', 'no-store');
    return next();
  });
  app.get('/healthz', (context) => context.text(`ok ${VERSION}\n`));
  app.get('/readyz', async (context) => {
    const reason = await unready();
    return reason ? context.text(`${reason}.\n`, 503, { 'retry-after': '1' }) : context.text('ok\n');
  });
  app.get('/metrics', async (context) => {
    if (config.metricsToken) {
      if (!isToken(context.req.header('authorization'), config.metricsToken))
        return context.text('METRICS_TOKEN is wanted as bearer token.\n', 401, {
          'www-authenticate': 'Bearer',
        });
    } else if (!fromThisMachine(context)) return context.notFound();
    return context.text(await metrics.text(), 200, { 'content-type': metrics.contentType });
  });
  // The body is not read: whether a proxy waits for it shows in when this is answered.
  app.post('/doctor', (context) => {
    if (!isToken(context.req.header('authorization'), watched.keys.serviceRoleKey)) return context.notFound();
    return context.json({
      host: context.req.header('host') ?? '',
      client: clientAddress(context, config.trustProxy) ?? '',
      forwarded: context.req.header('x-forwarded-for') ?? '',
    } satisfies Seen);
  });
  app.onError((error, context) => {
    log.error({ err: error, path: context.req.path }, 'request failed');
    return context.text('Internal Server Error\n', 500);
  });

  return {
    app,
    /** The same handler, counted and timed. */
    measured:
      (handle: Handler): Handler =>
      async (request, bindings) => {
        const startedAt = performance.now();
        const response = await handle(request, bindings);
        // The client hung up and received no answer; nginx logs 499 for it, too.
        const status = response.status >= 500 && request.signal.aborted ? 499 : response.status;
        metrics.recordResponse(serviceOf(addressParts(request.url).path), request.method, status, startedAt);
        return response;
      },
    /** Counts and times the answer to a request for a page that was ready. */
    recordReadyPage: (method: string, status: number, startedAt: number) =>
      metrics.recordResponse('pages', method, status, startedAt),
    /** Begins the record of uptime; `page` requests a page of the site and returns whether it came. */
    start: (page: () => Promise<boolean>) =>
      recordUptime(
        async () => (await unready()) ?? ((await page()) ? undefined : 'The home page cannot be made'),
        async () => {
          const { error } = await service.rpc('record_uptime');
          if (error) throw error;
        },
        log,
      ),
  };
}

function serviceOf(path: string): string {
  const service = /^\/(auth|rest|storage|realtime|functions)\/v1(?:\/|$)/.exec(path)?.[1];
  if (service) return service;
  if (isHealthPath(path)) return 'operation';
  return /\.[a-z0-9]+$/.test(path) ? 'files' : 'pages';
}

function isToken(authorization: string | undefined, token: string): boolean {
  const given = Buffer.from(authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
