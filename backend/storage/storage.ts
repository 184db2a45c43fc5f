import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { callerOf } from '../caller.ts';
import type { Dependencies, Env } from '../context.ts';
import { readBody } from '../request-body.ts';
import { Buckets, createBody, listQuery, updateBody } from './buckets.ts';
import { invalidBody, notServed, objectNotFound, renderError } from './errors.ts';
import { FileStore } from './files.ts';
import { list, listBody, listV2, listV2Body } from './listing.ts';
import { checkedName, nameFromPath } from './names.ts';
import { Objects, service } from './objects.ts';
import { receive } from './receive.ts';
import { serveFile } from './serve.ts';
import { checkGrant, encodePath, signGrant } from './signing.ts';

const SWEEP_INTERVAL = 1_200_000;
const MAX_BODY = 1024 * 1024;
const UPLOAD_GRANT_SECONDS = 7200;

const place = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().optional(),
  copyMetadata: z.boolean().default(true),
});
const names = z.array(z.string()).min(1).max(1000);

/** The storage protocol over rows in `storage.objects` and files in the data folder. */
export function createStorage({ config, database, keys, log }: Dependencies): Hono<Env> {
  const app = new Hono<Env>();
  const files = new FileStore(join(config.dataDir, 'files'));
  const objects = new Objects(database, files, config.storage.file_size_limit);
  const buckets = new Buckets(database, objects);

  const caller = (context: Context<Env>) => callerOf(context.req.raw, keys);
  const bucketOf = (context: Context<Env>) => context.req.param('bucket') ?? '';
  /** The object a path names behind its bucket; `route` is what stands before the bucket. */
  const nameOf = (context: Context<Env>, route: string) =>
    nameFromPath(new URL(context.req.url).pathname, `${route}/${encodeURIComponent(bucketOf(context))}/`);
  const announced = (context: Context<Env>) => Number(context.req.header('content-length') ?? 0);

  app.onError(renderError);
  app.get('/status', (context) => context.body(null, 200));

  app.get('/bucket', async (context) =>
    context.json(
      await buckets.all(await caller(context), accepted(listQuery, context.req.query(), 'querystring')),
    ),
  );
  app.post('/bucket', async (context) =>
    context.json(await buckets.create(await caller(context), await body(context, createBody))),
  );
  app.get('/bucket/:id', async (context) =>
    context.json(await buckets.one(await caller(context), context.req.param('id'))),
  );
  app.put('/bucket/:id', async (context) =>
    context.json(
      await buckets.update(await caller(context), context.req.param('id'), await body(context, updateBody)),
    ),
  );
  app.post('/bucket/:id/empty', async (context) =>
    context.json(await buckets.empty(await caller(context), context.req.param('id'))),
  );
  app.delete('/bucket/:id', async (context) =>
    context.json(await buckets.remove(await caller(context), context.req.param('id'))),
  );

  app.post('/object/list/:bucket', async (context) =>
    context.json(
      await list(database, await caller(context), bucketOf(context), await body(context, listBody)),
    ),
  );
  app.post('/object/list-v2/:bucket', async (context) =>
    context.json(
      await listV2(database, await caller(context), bucketOf(context), await body(context, listV2Body)),
    ),
  );

  app.post('/object/move', async (context) => {
    const { bucketId, sourceKey, destinationKey, destinationBucket } = await body(context, place);
    await objects.move(
      await caller(context),
      { bucket: bucketId, name: checkedName(sourceKey) },
      { bucket: destinationBucket ?? bucketId, name: checkedName(destinationKey) },
    );
    return context.json({ message: 'Successfully moved' });
  });
  app.post('/object/copy', async (context) => {
    const { bucketId, sourceKey, destinationKey, destinationBucket, copyMetadata } = await body(
      context,
      place,
    );
    const to = { bucket: destinationBucket ?? bucketId, name: checkedName(destinationKey) };
    const upsert = context.req.header('x-upsert') === 'true';
    const { id } = await objects.copy(
      await caller(context),
      { bucket: bucketId, name: checkedName(sourceKey) },
      to,
      { upsert, copyMetadata },
    );
    return context.json({ Id: id, Key: `${to.bucket}/${to.name}` });
  });

  app.post('/object/sign/:bucket', async (context) => {
    const { expiresIn, paths } = await body(context, z.object({ expiresIn: z.unknown(), paths: names }));
    const bucket = bucketOf(context);
    const readable = await objects.readable(await caller(context), bucket, paths);
    return context.json(
      await Promise.all(
        paths.map(async (path) =>
          readable.has(path)
            ? { path, error: null, signedURL: await signedUrl(bucket, path, expiresIn) }
            : {
                path,
                error: 'Either the object does not exist or you do not have access to it',
                signedURL: null,
              },
        ),
      ),
    );
  });
  app.post('/object/sign/:bucket/*', async (context) => {
    const { expiresIn } = await body(context, z.object({ expiresIn: z.unknown() }));
    const name = nameOf(context, '/object/sign');
    await objects.find(await caller(context), bucketOf(context), name);
    return context.json({ signedURL: await signedUrl(bucketOf(context), name, expiresIn) });
  });
  const signedUrl = async (bucket: string, name: string, seconds: unknown) =>
    // The client encodes what it is given.
    `/object/sign/${bucket}/${name}?token=${await signGrant(keys, { url: `${bucket}/${name}`, use: 'read' }, seconds)}`;

  app.get('/object/sign/:bucket/*', async (context) => {
    const name = nameOf(context, '/object/sign');
    await checkGrant(keys, context.req.query('token') ?? null, `${bucketOf(context)}/${name}`, 'read');
    return serveFile(files, context.req.raw, await objects.find(service, bucketOf(context), name), false);
  });

  app.post('/object/upload/sign/:bucket/*', async (context) => {
    const name = nameOf(context, '/object/upload/sign');
    const who = await caller(context);
    const upsert = context.req.header('x-upsert') === 'true';
    await objects.bucket(bucketOf(context));
    await objects.checkUpload(who, bucketOf(context), name, upsert ? 'upsert' : 'create');
    const sub = typeof who.claims.sub === 'string' ? who.claims.sub : undefined;
    const token = await signGrant(
      keys,
      { url: `${bucketOf(context)}/${name}`, use: 'upload', upsert, sub },
      UPLOAD_GRANT_SECONDS,
    );
    return context.json({
      url: `/object/upload/sign/${encodePath(bucketOf(context), name)}?token=${token}`,
      token,
    });
  });
  app.put('/object/upload/sign/:bucket/*', async (context) => {
    const name = nameOf(context, '/object/upload/sign');
    const { upsert, sub } = await checkGrant(
      keys,
      context.req.query('token') ?? null,
      `${bucketOf(context)}/${name}`,
      'upload',
    );
    const owner = { ...service, claims: { ...service.claims, ...(sub ? { sub } : {}) } };
    await objects.store(
      owner,
      bucketOf(context),
      name,
      upsert ? 'upsert' : 'create',
      () => receive(context.req.raw),
      announced(context),
    );
    return context.json({ Key: `${bucketOf(context)}/${name}` });
  });

  for (const [route, access] of [
    ['/object/info/public', 'public'],
    ['/object/info/authenticated', 'caller'],
    ['/object/info', 'caller'],
  ] as const) {
    app.get(`${route}/:bucket/*`, async (context) => {
      const object = await readable(context, nameOf(context, route), access);
      const { size, mimetype, cacheControl, eTag, lastModified } = object.metadata;
      const { id, name, version, bucket_id, user_metadata, created_at } = object;
      return context.json({
        id,
        name,
        version,
        bucket_id,
        size,
        content_type: mimetype,
        cache_control: cacheControl,
        etag: eTag,
        metadata: user_metadata ?? {},
        last_modified: lastModified,
        created_at,
      });
    });
  }
  for (const [route, access] of [
    ['/object/public', 'public'],
    ['/object/authenticated', 'caller'],
    ['/object', 'caller'],
  ] as const) {
    app.get(`${route}/:bucket/*`, async (context) =>
      serveFile(
        files,
        context.req.raw,
        await readable(context, nameOf(context, route), access),
        access === 'public',
      ),
    );
  }
  async function readable(context: Context<Env>, name: string, access: 'public' | 'caller') {
    if (access === 'caller') return objects.find(await caller(context), bucketOf(context), name);
    return objects.findPublic(bucketOf(context), name);
  }

  app.post('/object/:bucket/*', async (context) => {
    const name = nameOf(context, '/object');
    const mode = context.req.header('x-upsert') === 'true' ? 'upsert' : 'create';
    const { id } = await objects.store(
      await caller(context),
      bucketOf(context),
      name,
      mode,
      () => receive(context.req.raw),
      announced(context),
    );
    return context.json({ Id: id, Key: `${bucketOf(context)}/${name}` });
  });
  app.put('/object/:bucket/*', async (context) => {
    const name = nameOf(context, '/object');
    const { id } = await objects.store(
      await caller(context),
      bucketOf(context),
      name,
      'update',
      () => receive(context.req.raw),
      announced(context),
    );
    return context.json({ Id: id, Key: `${bucketOf(context)}/${name}` });
  });
  app.delete('/object/:bucket', async (context) => {
    const { prefixes } = await body(context, z.object({ prefixes: names }));
    return context.json(await objects.remove(await caller(context), bucketOf(context), prefixes));
  });
  app.delete('/object/:bucket/*', async (context) => {
    const removed = await objects.remove(await caller(context), bucketOf(context), [
      nameOf(context, '/object'),
    ]);
    if (removed.length === 0) throw objectNotFound();
    return context.json({ message: 'Successfully deleted' });
  });

  const sweep = async () => {
    try {
      const { rows } = await database.as(service, 'select from storage.objects limit 1');
      // A database without a single object is more likely the wrong one than one whose files may all go.
      if (rows.length > 0) await files.sweep((versions) => objects.versionsInUse(versions));
    } catch (error) {
      log.warn({ err: error }, 'stray files could not be swept');
    }
  };
  setTimeout(sweep, 1_000).unref();
  setInterval(sweep, SWEEP_INTERVAL).unref();

  app.all('*', (context) => {
    throw notServed(`${context.req.method}:${context.req.path}`);
  });

  return app;
}

async function body<T extends z.ZodType>(context: Context<Env>, schema: T): Promise<z.output<T>> {
  const bytes = await readBody(context.req.raw, MAX_BODY);
  if (!bytes) throw invalidBody('The body is too large');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString() || '{}');
  } catch {
    throw invalidBody('The body is not JSON');
  }
  return accepted(schema, value, 'body');
}

function accepted<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidBody(
    `${where}${issue?.path.length ? `/${issue.path.join('/')}` : ''} ${issue?.message ?? 'cannot be read'}`,
  );
}
