import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { createAuth } from './auth/auth.ts';
import type { Config } from './config.ts';
import type { Database } from './database.ts';
import { createFunctions } from './functions/functions.ts';
import type { Keys } from './jwt.ts';
import type { Logger } from './log.ts';
import type { Mailer } from './mail.ts';
import { createRest } from './rest/rest.ts';
import { createStorage } from './storage/storage.ts';

/** Everything a service may need, built once at start and handed over whole. */
export interface Dependencies {
  config: Config;
  log: Logger;
  keys: Keys;
  /** Signed in as `authenticator`: table API, storage and functions, always as the caller's role. */
  database: Database;
  /** Signed in as `supabase_auth_admin`, which owns the `auth` schema. */
  authDatabase: Database;
  mailer: Mailer;
}

/** What every handler finds on its context. */
export interface Env {
  Variables: { requestId: string; log: Logger };
}

/** The five services under the prefixes the client library expects; no logic of their own here. */
export async function createApp(dependencies: Dependencies): Promise<Hono<Env>> {
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    const requestId = randomUUID();
    context.set('requestId', requestId);
    context.set('log', dependencies.log.child({ requestId }));
    await next();
    context.header('x-request-id', requestId);
  });
  app.use(
    '/*',
    cors({
      origin: '*',
      allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      exposeHeaders: [
        'content-range',
        'content-location',
        'content-profile',
        'location',
        'link',
        'preference-applied',
        'x-total-count',
        'x-relay-error',
        'x-request-id',
        'x-sb-error-code',
        'x-supabase-api-version',
      ],
      maxAge: 86_400,
    }),
  );
  app.route('/auth/v1', createAuth(dependencies));
  app.route('/rest/v1', await createRest(dependencies));
  app.route('/storage/v1', createStorage(dependencies));
  app.route('/functions/v1', createFunctions(dependencies));
  app.onError((error, context) => {
    context.get('log').error({ err: error, method: context.req.method, path: context.req.path }, 'request failed');
    return context.json({ code: 'unexpected_failure', message: 'Internal Server Error', request_id: context.get('requestId') }, 500);
  });
  return app;
}
