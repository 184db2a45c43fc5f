import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { z } from 'zod';
import type { PoolLoad } from '#backend/database/database.ts';
import { VERSION } from '../version.mjs';

/** The values that are read at each request. */
export interface MetricSources {
  /** The connections, by the services that use them. */
  pools(): Record<string, PoolLoad>;
  /** What clients hold of the process, by its kinds; see `MAX_HELD`. */
  held(): Record<string, number>;
  /** The result of `queue_metrics`. */
  queues(): Promise<unknown>;
  lastBackup(): Promise<{ madeAt: string; bytes: number; missing: number } | undefined>;
  /** The time up to which all data can be restored from the continuous archive. */
  archivedUntil(): string | undefined;
  isReady(): Promise<boolean>;
  /** The free space on the data folder's disk. */
  freeBytes(): number;
  /** The memory of the pages that are kept, and how busy the threads are that render; see `Site`. */
  pages(): { keptBytes: number; threads: number; waiting: number } | undefined;
}

const queues = z.record(z.string(), z.object({ waiting: z.number(), oldest_seconds: z.number() }));
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface Metrics {
  /** Records an answered request; `began` is of `performance.now()`. */
  recordResponse(service: string, method: string, status: number, startedAt: number): void;
  /** In Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
}

/** Figures about this process, its requests and the queues in the database. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Each sample wakes the process, also when the site has no visitors.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const requests = new Histogram({
    name: 'limb_http_request_duration_seconds',
    help: 'Time until the answer to a request began',
    labelNames: ['service', 'method', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  const connections = gauge('limb_database_connections', 'Connections to the database', 'pool', 'state');
  const waiting = gauge('limb_database_waiting', 'Requests that wait for a connection', 'pool');
  const sockets = gauge('limb_realtime_connections', 'Open connections of the realtime service');
  const held = gauge('limb_held', 'What clients hold of the process', 'kind');
  const queued = gauge('limb_queue_waiting', 'What waits to be done, for a machine or a moderator', 'queue');
  const oldest = gauge('limb_queue_oldest_seconds', 'How long the oldest of it has waited', 'queue');
  const backupAge = gauge('limb_backup_age_seconds', 'How old the last backup is; +Inf without one');
  const backupBytes = gauge('limb_backup_bytes', 'Size of the last backup');
  const backupMissing = gauge('limb_backup_missing_files', 'Files that the last backup could not find');
  const archiveAge = gauge(
    'limb_archive_age_seconds',
    'How much of the time until now would be lost with the disk; +Inf without a continuous archive',
  );
  gauge('limb_version', 'Always 1; the version of this software is its label', 'version').set(
    { version: VERSION },
    1,
  );
  const free = gauge('limb_disk_free_bytes', 'Free on the disk of the data folder; +Inf when unknown');
  const pageCache = gauge('limb_page_cache_bytes', 'Memory of the pages that are kept ready');
  const renderThreads = gauge('limb_render_threads', 'Threads that render pages');
  const renderWaiting = gauge('limb_render_waiting', 'Pages that wait for a thread to render them');
  const ready = gauge('limb_ready', '1 while the site can serve, as /readyz says');
  const readable = gauge('limb_queues_readable', '1 when the database said what waits');

  async function collect(): Promise<void> {
    for (const [pool, load] of Object.entries(sources.pools())) {
      connections.set({ pool, state: 'busy' }, load.total - load.idle);
      connections.set({ pool, state: 'idle' }, load.idle);
      waiting.set({ pool }, load.waiting);
    }
    const counts = sources.held();
    sockets.set(counts['sockets of a network'] ?? 0);
    for (const [kind, count] of Object.entries(counts)) held.set({ kind }, count);
    const backup = await sources.lastBackup();
    backupAge.set(secondsSince(backup?.madeAt));
    backupBytes.set(backup?.bytes ?? 0);
    backupMissing.set(backup?.missing ?? 0);
    archiveAge.set(secondsSince(sources.archivedUntil()));
    free.set(sources.freeBytes());
    const pages = sources.pages();
    pageCache.set(pages?.keptBytes ?? 0);
    renderThreads.set(pages?.threads ?? 0);
    renderWaiting.set(pages?.waiting ?? 0);
    ready.set((await sources.isReady()) ? 1 : 0);
    // The other figures are needed most when the database is unreachable.
    const figures = queues.safeParse(await sources.queues().catch(() => undefined));
    readable.set(figures.success ? 1 : 0);
    queued.reset();
    oldest.reset();
    for (const [queue, { waiting: count, oldest_seconds: seconds }] of Object.entries(figures.data ?? {})) {
      queued.set({ queue }, count);
      oldest.set({ queue }, seconds);
    }
  }

  return {
    recordResponse(service, method, status, startedAt) {
      requests.observe(
        {
          service,
          method: METHODS.has(method) ? method : 'other',
          status: `${Math.floor(status / 100)}xx`,
        },
        (performance.now() - startedAt) / 1000,
      );
    },
    async text() {
      await collect();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

const secondsSince = (moment: string | undefined) =>
  moment === undefined ? Number.POSITIVE_INFINITY : (Date.now() - Date.parse(moment)) / 1000;
