import { randomUUID } from 'node:crypto';
import { Server } from '@tus/server';
import { type Context, Hono } from 'hono';
import { callerOf, serviceFor } from '../../caller.ts';
import { type Dependencies, type Env, logFault, logOf } from '../../context.ts';
import { invalidSignature, refusalOf } from '../errors.ts';
import { readGrant } from '../signing.ts';
import { UploadLock } from './upload-lock.ts';
import { type Stores, type Uploader, UploadStore } from './upload-store.ts';

const ROUTE = '/upload/resumable';
/** The time in which a request that must release an upload stores the data it has received. */
const DRAIN = 500;

/**
 * TUS 1.0.0, with the extensions creation, creation-with-upload, creation-defer-length, termination and
 * expiration. `/sign` takes the token of a signed upload URL in the place of a person's.
 */
export function createResumable({ config, database, keys }: Dependencies, stores: Stores): Hono<Env> {
  const app = new Hono<Env>();
  app.all(`${ROUTE}/*`, async (context) => {
    const signed = new RegExp(`${ROUTE}/sign(/|$)`).test(new URL(context.req.url).pathname);
    const route = signed ? `${ROUTE}/sign` : ROUTE;
    const uploader = signed ? await signedUploader(context) : await ownUploader(context);
    return serve(context, uploader, `${config.siteUrl}/storage/v1${route}`);
  });

  /** A server for each request, since its access depends on the caller. */
  async function serve(context: Context<Env>, uploader: Uploader, address: string): Promise<Response> {
    const store = new UploadStore(stores, uploader);
    let begun: Record<string, string | null> | undefined;
    const server = new Server({
      path: ROUTE,
      datastore: store,
      // No other request can know of an upload that is only being created.
      locker: {
        newLock: (id) =>
          begun
            ? { lock: async () => undefined, unlock: async () => undefined }
            : new UploadLock(database, id),
      },
      lockDrainTimeout: DRAIN,
      disableTerminationForFinishedUploads: true,
      namingFunction: (_request, metadata) => {
        begun = metadata ?? {};
        return randomUUID();
      },
      // Checked first: a request may not even try to lock a stranger's upload.
      onIncomingRequest: async (_request, id) => {
        if (!begun) await store.checkOwn(id);
      },
      maxSize: (_request, id) => (id === null ? config.storage.file_size_limit : store.limitOf(begun ?? id)),
      generateUrl: (_request, { id }) => `${address}/${id}`,
      onResponseError: (_request, error) => {
        if (!(error instanceof Error)) return undefined;
        const refusal = refusalOf(error);
        if (refusal && refusal.status >= 500) logOf(context).warn({ err: error }, 'resumable upload failed');
        if (refusal) return { status_code: refusal.status, body: refusal.message };
        if ('status_code' in error) return undefined;
        logFault(context, error, 'resumable upload failed');
        return { status_code: 500, body: 'Internal Server Error' };
      },
    });
    const response = await server.handleWeb(context.req.raw);
    // Every answer of the services exposes the same headers.
    response.headers.delete('access-control-expose-headers');
    return response;
  }

  async function ownUploader(context: Context<Env>): Promise<Uploader> {
    const caller =
      context.req.method === 'OPTIONS' ? { role: 'anon', claims: {} } : await callerOf(context.req.raw, keys);
    return {
      caller,
      owner: `${caller.role} ${typeof caller.claims.sub === 'string' ? caller.claims.sub : ''}`,
      upsert: context.req.header('x-upsert') === 'true',
    };
  }

  async function signedUploader(context: Context<Env>): Promise<Uploader> {
    if (context.req.method === 'OPTIONS') return ownUploader(context);
    const token = context.req.header('x-signature');
    if (!token) throw invalidSignature('Missing x-signature header');
    const { url, upsert, owner } = await readGrant(keys, token, 'upload');
    return {
      caller: serviceFor(owner),
      owner: `signed ${keys.digest(token)}`,
      upsert,
      only: url,
    };
  }

  return app;
}
