import type { Context } from 'hono';
import { z } from 'zod';
import type { Dependencies, Env } from '../context.ts';
import { parseJson } from '../http/json.ts';
import { readBody } from '../http/request-body.ts';
import { featureNotEnabled, invalidBody } from './errors.ts';
import type { FileStore } from './files.ts';
import type { TransformCache } from './images/transform-cache.ts';
import { objectNameFromPath } from './object-key.ts';
import type { Objects } from './objects.ts';

/** The dependencies of the routes. */
export interface StorageContext extends Dependencies {
  files: FileStore;
  objects: Objects;
  renditions: TransformCache;
}

const MAX_BODY = 1024 * 1024;

/** The bucket that the path names. */
export const bucketOf = (context: Context<Env>) => context.req.param('bucket') ?? '';

/** The object a path names behind its bucket; `route` is the part before the bucket. */
export const objectKeyOf = (context: Context<Env>, route: string) => ({
  bucket: bucketOf(context),
  name: objectNameFromPath(
    new URL(context.req.url).pathname,
    `${route}/${encodeURIComponent(bucketOf(context))}/`,
  ),
});

/** The bytes that a client announces. */
export const announcedSize = (context: Context<Env>) => Number(context.req.header('content-length') ?? 0);

/** Whether the client says that an object of the same name may be overwritten. */
export const mayReplace = (context: Context<Env>) => context.req.header('x-upsert') === 'true';

/** There is one version of each object, and a request for another must not silently get this one. */
export const unversioned = z
  .unknown()
  .optional()
  .transform((value): undefined => {
    if (value !== undefined && value !== null) throw featureNotEnabled('object versioning');
    return undefined;
  });

/** @throws StorageError when the query names a particular version */
export const refuseVersions = (context: Context<Env>) => unversioned.parse(context.req.query('versionId'));

/** The JSON body of a request. */
export async function parseBody<T extends z.ZodType>(context: Context<Env>, schema: T): Promise<z.output<T>> {
  const bytes = await readBody(context.req.raw, MAX_BODY);
  if (!bytes) throw invalidBody('The body is too large');
  let value: unknown;
  try {
    value = parseJson(bytes.toString() || '{}');
  } catch {
    throw invalidBody('The body is not JSON');
  }
  return parseOrRefuse(schema, value, 'body');
}

/** @param where named in the refusal */
export function parseOrRefuse<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidBody(
    `${where}${issue?.path.length ? `/${issue.path.join('/')}` : ''} ${issue?.message ?? 'cannot be read'}`,
  );
}
