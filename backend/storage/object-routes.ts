import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { callerOf, service } from '../caller.ts';
import type { Env } from '../context.ts';
import { contentOf, downloadResponse, OWN, SHARED } from './download.ts';
import { objectNotFound, retryFileMissing } from './errors.ts';
import { transform, transformedResponse } from './images/image-transform.ts';
import { contentEncoding, mediaType, userMetadataHeader } from './media-types.ts';
import { checkedObjectName, type ObjectKey } from './object-key.ts';
import { type Mode, shown } from './objects.ts';
import {
  announcedSize,
  bucketOf,
  mayReplace,
  objectKeyOf,
  parseBody,
  parseOrRefuse,
  refuseVersions,
  type StorageContext,
  unversioned,
} from './request.ts';
import { readUpload } from './upload-body.ts';

const fromTo = {
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().optional(),
  sourceVersionId: unversioned,
};
const moveBody = z.object(fromTo);
const copyBody = z.object({
  ...fromTo,
  copyMetadata: z.boolean().default(true),
  metadata: z
    .object({
      cacheControl: z.string().max(200).optional(),
      contentEncoding: z.string().max(100).optional(),
      mimetype: z.string().max(200).optional(),
    })
    .default({}),
});
const removeBody = z.object({
  prefixes: z
    .array(z.union([z.string(), z.object({ path: z.string(), versionId: unversioned })]))
    .min(1)
    .max(1000),
});

const ends = ({ bucketId, sourceKey, destinationKey, destinationBucket }: z.output<typeof moveBody>) => ({
  from: { bucket: bucketId, name: checkedObjectName(sourceKey) },
  to: { bucket: destinationBucket ?? bucketId, name: checkedObjectName(destinationKey) },
});

/** Objects themselves: written, read, moved, copied, removed, and shown as pictures of another size. */
export function createObjectRoutes(parts: StorageContext): Hono<Env> {
  const { keys, files, objects, held } = parts;
  const app = new Hono<Env>();
  const caller = (context: Context<Env>) => callerOf(context.req.raw, keys);
  const readable = async (
    context: Context<Env>,
    { bucket, name }: ObjectKey,
    access: 'public' | 'caller',
  ) => {
    refuseVersions(context);
    if (access === 'caller') return objects.find(await caller(context), bucket, name);
    return objects.findPublic(bucket, name);
  };

  app.post('/object/move', async (context) => {
    const { from, to } = ends(await parseBody(context, moveBody));
    await objects.move(await caller(context), from, to);
    return context.json({ message: 'Successfully moved' });
  });
  app.post('/object/copy', async (context) => {
    const body = await parseBody(context, copyBody);
    const { from, to } = ends(body);
    const { cacheControl, contentEncoding: encoding, mimetype } = body.metadata;
    const changed = body.copyMetadata
      ? undefined
      : {
          ...(cacheControl !== undefined && { cacheControl }),
          ...(encoding !== undefined && { contentEncoding: contentEncoding(encoding) }),
          ...(mimetype !== undefined && { contentType: mediaType(mimetype) }),
          userMetadata: userMetadataHeader(context.req.raw),
        };
    const who = await caller(context);
    const { id } = await retryFileMissing(() =>
      objects.copy(who, from, to, { upsert: mayReplace(context), ...(changed && { changed }) }),
    );
    const copied = await objects.find(service, to.bucket, to.name);
    return context.json({ Id: id, Key: `${to.bucket}/${to.name}`, ...shown(copied) });
  });

  for (const [route, access] of [
    ['/object/info/public', 'public'],
    ['/object/info/authenticated', 'caller'],
    ['/object/info', 'caller'],
  ] as const) {
    app.get(`${route}/:bucket/*`, async (context) => {
      const object = await readable(context, objectKeyOf(context, route), access);
      const { size, mimetype, cacheControl, contentEncoding: encoding, eTag, lastModified } = object.metadata;
      const { id, name, version, bucket_id, user_metadata, created_at } = object;
      context.header('etag', eTag);
      context.header('last-modified', new Date(lastModified).toUTCString());
      context.header('cache-control', (access === 'public' ? SHARED : OWN)(cacheControl));
      return context.json({
        id,
        name,
        version,
        bucket_id,
        size,
        content_type: mimetype,
        content_encoding: encoding ?? null,
        cache_control: cacheControl,
        etag: eTag,
        metadata: user_metadata ?? {},
        last_modified: lastModified,
        created_at,
      });
    });
  }
  for (const [route, access] of [
    ['/render/image/public', 'public'],
    ['/render/image/authenticated', 'caller'],
  ] as const) {
    app.get(`${route}/:bucket/*`, (context) => {
      const transformation = parseOrRefuse(transform, context.req.query(), 'querystring');
      return retryFileMissing(async () => {
        const object = await readable(context, objectKeyOf(context, route), access);
        const sharing = access === 'public' ? SHARED : OWN;
        return transformedResponse(parts, context.req.raw, object, transformation, sharing);
      });
    });
  }
  for (const [route, access] of [
    ['/object/public', 'public'],
    ['/object/authenticated', 'caller'],
    ['/object', 'caller'],
  ] as const) {
    app.get(`${route}/:bucket/*`, (context) =>
      retryFileMissing(async () => {
        const object = await readable(context, objectKeyOf(context, route), access);
        return downloadResponse(
          context.req.raw,
          contentOf(files, object),
          access === 'public' ? SHARED : OWN,
          held,
        );
      }),
    );
  }

  const write = async (context: Context<Env>, mode: Mode) => {
    const objectKey = objectKeyOf(context, '/object');
    const openUpload = () => readUpload(context.req.raw);
    const { id } = await objects.store(
      await caller(context),
      objectKey,
      mode,
      openUpload,
      announcedSize(context),
    );
    return context.json({ Id: id, Key: `${objectKey.bucket}/${objectKey.name}` });
  };
  app.post('/object/:bucket/*', (context) => write(context, mayReplace(context) ? 'upsert' : 'create'));
  app.put('/object/:bucket/*', (context) => write(context, 'update'));

  app.delete('/object/:bucket', async (context) => {
    const { prefixes } = await parseBody(context, removeBody);
    const names = prefixes.map((entry) => (typeof entry === 'string' ? entry : entry.path));
    const removed = await objects.remove(await caller(context), bucketOf(context), names);
    return context.json(removed.map(shown));
  });
  app.delete('/object/:bucket/*', async (context) => {
    const { bucket, name } = objectKeyOf(context, '/object');
    const removed = await objects.remove(await caller(context), bucket, [name]);
    if (removed.length === 0) throw objectNotFound();
    return context.json({ message: 'Successfully deleted' });
  });

  return app;
}
