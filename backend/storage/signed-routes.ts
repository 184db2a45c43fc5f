import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { callerOf, serviceFor } from '../caller.ts';
import type { Env } from '../context.ts';
import type { Caller } from '../database/database.ts';
import { LONGEST_GRANT_SECONDS } from '../revoked-sessions.ts';
import { contentOf, downloadResponse, until } from './download.ts';
import { retryFileMissing } from './errors.ts';
import {
  transform,
  transformedResponse,
  transformFromClaim,
  transformToClaim,
} from './images/image-transform.ts';
import {
  announcedSize,
  bucketOf,
  mayReplace,
  objectKeyOf,
  parseBody,
  type StorageContext,
  unversioned,
} from './request.ts';
import { checkGrant, encodePath, readerOf, secondsFor, signGrant } from './signing.ts';
import { readUpload } from './upload-body.ts';

const names = z.array(z.string()).min(1).max(1000);
const signOne = z.object({
  expiresIn: z.unknown(),
  transform: transform.optional(),
  versionId: unversioned,
});

/** Addresses that open one object, for a while, to any holder, as long as the caller who asked for them may read it. */
export function createSignedRoutes(parts: StorageContext): Hono<Env> {
  const { keys, files, objects, held } = parts;
  const app = new Hono<Env>();
  const caller = (context: Context<Env>) => callerOf(context.req.raw, keys);
  const token = (context: Context<Env>) => context.req.query('token');
  // The names stay as they are: the client encodes the name it receives.
  const fileAddress = async (who: Caller, bucket: string, name: string, seconds: unknown) => {
    const grant = { url: `${bucket}/${name}`, use: 'read', reader: readerOf(who) } as const;
    return `/object/sign/${bucket}/${name}?token=${await signGrant(keys, who, grant, seconds)}`;
  };

  app.post('/object/sign/:bucket', async (context) => {
    const { expiresIn, paths } = await parseBody(context, z.object({ expiresIn: z.unknown(), paths: names }));
    const bucket = bucketOf(context);
    const who = await caller(context);
    const seconds = secondsFor(who, expiresIn);
    const readable = await objects.readable(who, bucket, paths);
    const missing = 'Either the object does not exist or you do not have access to it';
    return context.json(
      await Promise.all(
        paths.map(async (path) =>
          readable.has(path)
            ? { path, error: null, signedURL: await fileAddress(who, bucket, path, seconds) }
            : { path, error: missing, signedURL: null },
        ),
      ),
    );
  });
  app.post('/object/sign/:bucket/*', async (context) => {
    const { expiresIn, transform: transformation } = await parseBody(context, signOne);
    const { bucket, name } = objectKeyOf(context, '/object/sign');
    const who = await caller(context);
    const seconds = secondsFor(who, expiresIn);
    await objects.find(who, bucket, name);
    if (!transformation) return context.json({ signedURL: await fileAddress(who, bucket, name, seconds) });
    const grant = {
      url: `${bucket}/${name}`,
      use: 'render',
      transformations: transformToClaim(transformation),
      reader: readerOf(who),
    } as const;
    const signed = await signGrant(keys, who, grant, seconds);
    return context.json({ signedURL: `/render/image/sign/${bucket}/${name}?token=${signed}` });
  });

  app.get('/object/sign/:bucket/*', async (context) => {
    const { bucket, name } = objectKeyOf(context, '/object/sign');
    const { expires, reader } = await checkGrant(keys, token(context), `${bucket}/${name}`, 'read');
    return retryFileMissing(async () => {
      const content = contentOf(files, await objects.find(reader, bucket, name));
      const response = await downloadResponse(context.req.raw, content, until(expires), held);
      response.headers.set('expires', expires.toUTCString());
      return response;
    });
  });
  app.get('/render/image/sign/:bucket/*', async (context) => {
    const { bucket, name } = objectKeyOf(context, '/render/image/sign');
    const { transformations, expires, reader } = await checkGrant(
      keys,
      token(context),
      `${bucket}/${name}`,
      'render',
    );
    const transformation = transformFromClaim(transformations);
    return retryFileMissing(async () => {
      const object = await objects.find(reader, bucket, name);
      const response = await transformedResponse(
        parts,
        context.req.raw,
        object,
        transformation,
        until(expires),
      );
      response.headers.set('expires', expires.toUTCString());
      return response;
    });
  });

  app.post('/object/upload/sign/:bucket/*', async (context) => {
    const objectKey = objectKeyOf(context, '/object/upload/sign');
    const who = await caller(context);
    const upsert = mayReplace(context);
    await objects.bucket(objectKey.bucket);
    await objects.checkUpload(who, objectKey, upsert ? 'upsert' : 'create');
    const owner = typeof who.claims.sub === 'string' ? who.claims.sub : undefined;
    const grant = { url: `${objectKey.bucket}/${objectKey.name}`, use: 'upload', upsert, owner } as const;
    const signed = await signGrant(keys, who, grant, LONGEST_GRANT_SECONDS);
    return context.json({
      url: `/object/upload/sign/${encodePath(objectKey.bucket, objectKey.name)}?token=${signed}`,
      token: signed,
    });
  });
  app.put('/object/upload/sign/:bucket/*', async (context) => {
    const objectKey = objectKeyOf(context, '/object/upload/sign');
    const key = `${objectKey.bucket}/${objectKey.name}`;
    const { upsert, owner } = await checkGrant(keys, token(context), key, 'upload');
    const mode = upsert ? 'upsert' : 'create';
    const openUpload = () => readUpload(context.req.raw);
    await objects.store(serviceFor(owner), objectKey, mode, openUpload, announcedSize(context));
    return context.json({ Key: key });
  });

  return app;
}
