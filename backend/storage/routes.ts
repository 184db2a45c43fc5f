import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { callerOf, service } from '../caller.ts';
import type { Dependencies, Env } from '../context.ts';
import { tryEach } from '../try-each.ts';
import { Buckets, createBody, listQuery, updateBody } from './buckets.ts';
import { featureNotEnabled, missingPurge, notServed, renderError } from './errors.ts';
import { FileStore } from './files.ts';
import { TransformCache } from './images/transform-cache.ts';
import { list, listBody, listV2, listV2Body } from './listing.ts';
import { createObjectRoutes } from './object-routes.ts';
import { Objects } from './objects.ts';
import { bucketOf, parseBody, parseOrRefuse } from './request.ts';
import { createSignedRoutes } from './signed-routes.ts';
import { TotalLimit } from './total-limit.ts';
import { createResumable } from './uploads/resumable.ts';
import { removeExpired } from './uploads/upload-store.ts';

const SWEEP_INTERVAL_MS = 1_200_000;
const MAX_TRANSFORM_CACHE_BYTES = 256 * 1024 ** 2;

export interface Storage {
  app: Hono<Env>;
  close(): Promise<void>;
}

/** The storage protocol over rows in `storage.objects` and the files that they name. */
export function createStorage(dependencies: Dependencies): Storage {
  const { config, database, driver, keys, log } = dependencies;
  const app = new Hono<Env>();
  const files = new FileStore(join(config.dataDir, 'files'), driver);
  const total = new TotalLimit(database, config.storageTotalLimit);
  const objects = new Objects(database, files, config.storage.file_size_limit, total);
  const buckets = new Buckets(database, objects);
  const renditions = new TransformCache(files, MAX_TRANSFORM_CACHE_BYTES, dependencies.held);
  const parts = { ...dependencies, files, objects, renditions };
  const caller = (context: Context<Env>) => callerOf(context.req.raw, keys);
  const bucketId = (context: Context<Env>) => context.req.param('id') ?? '';

  app.onError(renderError);
  app.get('/status', (context) => context.body(null, 200));
  app.get('/version', (context) => context.text('embedded'));

  app.get('/bucket', async (context) =>
    context.json(
      await buckets.all(await caller(context), parseOrRefuse(listQuery, context.req.query(), 'querystring')),
    ),
  );
  app.post('/bucket', async (context) =>
    context.json(await buckets.create(await caller(context), await parseBody(context, createBody))),
  );
  app.get('/bucket/:id', async (context) =>
    context.json(await buckets.one(await caller(context), bucketId(context))),
  );
  app.put('/bucket/:id', async (context) =>
    context.json(
      await buckets.update(await caller(context), bucketId(context), await parseBody(context, updateBody)),
    ),
  );
  app.post('/bucket/:id/empty', async (context) =>
    context.json(await buckets.empty(await caller(context), bucketId(context))),
  );
  app.delete('/bucket/:id', async (context) =>
    context.json(await buckets.remove(await caller(context), bucketId(context))),
  );
  app.on(['GET', 'PUT', 'DELETE'], '/bucket/:id/lifecycle', () => {
    throw featureNotEnabled('bucket lifecycle');
  });
  app.on('DELETE', ['/cdn', '/cdn/*'], () => {
    throw missingPurge();
  });

  app.post('/object/list/:bucket', async (context) =>
    context.json(
      await list(database, await caller(context), bucketOf(context), await parseBody(context, listBody)),
    ),
  );
  app.post('/object/list-v2/:bucket', async (context) =>
    context.json(
      await listV2(database, await caller(context), bucketOf(context), await parseBody(context, listV2Body)),
    ),
  );
  app.route('/', createResumable(dependencies, { database, files, objects, total }));
  app.route('/', createSignedRoutes(parts));
  app.route('/', createObjectRoutes(parts));

  const sweep = async () => {
    const hasRows = async () =>
      (await database.as(service, 'select from storage.objects limit 1')).rows.length > 0;
    const parts = [
      () => removeExpired({ database, files }),
      () => files.sweep((versions) => objects.versionsInUse(versions), hasRows),
      () => renditions.refresh(),
      () => database.as(service, 'select storage.sum_bytes(of_objects => false)'),
    ];
    await tryEach(parts, (part) => part()).catch((error) =>
      log.warn({ err: error }, 'stray files could not be swept'),
    );
  };
  let sweeping: Promise<void> | undefined;
  const startSweep = () => {
    sweeping ??= sweep().finally(() => {
      sweeping = undefined;
    });
  };
  const timers = [setTimeout(startSweep, 1_000).unref(), setInterval(startSweep, SWEEP_INTERVAL_MS).unref()];

  app.all('*', (context) => {
    throw notServed(`${context.req.method}:${context.req.path}`);
  });

  return {
    app,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await sweeping;
      await renditions.close();
    },
  };
}
