import { type Context, Hono } from 'hono';
import { type Dependencies, type Env, logFault, logOf } from '../context.ts';
import type { Caller } from '../database/database.ts';
import { addressParts } from '../http/address-parts.ts';
import { QueueFull } from '../http/fair-queue.ts';
import { readBytes } from './body.ts';
import { call } from './call.ts';
import { fromDatabase, RestError } from './errors.ts';
import { PlannedReads } from './planned-reads.ts';
import { read } from './read.ts';
import { type IncomingRequest, profileOf, understand } from './request.ts';
import { allowResponse, errorResponse, methodsOf } from './respond.ts';
import { findRelation } from './schema/find-relation.ts';
import { SchemaCache } from './schema/schema-cache.ts';
import { identifier } from './sql/sql.ts';
import { authenticate } from './token.ts';
import { write } from './write.ts';

const MAX_URL = 32_768;

/**
 * The table API: every table, view and function of the exposed schemas, under the caller's own rights.
 *
 * @param notifyWrite called with the path below the prefix (`/countries`, `/rpc/add`) of each write that was
 * committed
 */
export async function createRest(
  dependencies: Dependencies,
  notifyWrite: (path: string) => void,
): Promise<Hono<Env>> {
  const { config, database, log } = dependencies;
  const cache = new SchemaCache(database, config.api.schemas, log);
  const plans = new PlannedReads();
  const searchPaths = new Map(
    config.api.schemas.map((name) => [
      name,
      [...new Set([name, ...config.api.extra_search_path])].map(identifier).join(', '),
    ]),
  );
  await database.listen('pgrst', (payload) => {
    if (!['', 'reload schema', 'reload config'].includes(payload)) return;
    if (payload !== 'reload schema')
      database
        .reloadTimeouts()
        .catch((error: unknown) => log.warn({ err: error }, 'the limits of roles could not be read'));
    database.forgetStatements();
    cache.reload();
  });

  const serve = async (
    context: Context<Env>,
    methods: string[],
    handle: (incoming: IncomingRequest) => Promise<Response>,
    isCall: boolean,
  ) => {
    let caller: Caller | undefined;
    try {
      const request = context.req.raw;
      if (!methods.includes(request.method)) throw wrongMethod(request.method, isCall);
      if (request.url.length > MAX_URL) throw new RestError(414, 'PGRST100', 'The URL is too long');
      caller = await authenticate(request, dependencies.keys, context.env?.incoming?.headers);
      caller.signal = request.signal;
      // Forwarding headers that a client sends itself are ignored.
      caller.headers = { ...caller.headers, 'x-forwarded-for': context.get('address') ?? '' };
      const schemaName = profileOf(request, config.api.schemas);
      caller.searchPath = searchPaths.get(schemaName) ?? '';
      const incoming = {
        request,
        method: request.method,
        database,
        config,
        schema: await cache.get(),
        schemaName,
        caller,
        search: addressParts(request.url).query,
        // A body that is still coming holds no turn.
        body: ['POST', 'PATCH', 'PUT'].includes(request.method) ? await readBytes(request) : Buffer.alloc(0),
        notifyWrite: () => notifyWrite(caller?.path ?? ''),
      };
      // It is parsed in its client's turn, as everything is that takes this thread's time.
      return await database.inTurn(async () => {
        request.signal.throwIfAborted();
        return handle(incoming);
      });
    } catch (error) {
      // The client's connection, not the database's.
      if (context.req.raw.signal.aborted) throw error;
      const refusal =
        error instanceof QueueFull ? tooManyAtOnce(error) : fromDatabase(error, caller?.role === 'anon');
      if (!refusal) throw error;
      // 503: the database is unreachable, which is one fault, however many requests meet it. 57014: a query
      // that takes too long, which a client can repeat without limit.
      if (refusal.status === 503 || refusal.code === '57014')
        logOf(context).warn({ err: error, path: context.req.path }, 'table request failed');
      else if (refusal.status >= 500) logFault(context, error, 'table request failed');
      return errorResponse(refusal);
    }
  };

  const app = new Hono<Env>();
  app.all('/rpc/:name', (context) =>
    serve(
      context,
      ['GET', 'HEAD', 'POST', 'OPTIONS'],
      (incoming) => call(understand(incoming, true), context.req.param('name')),
      true,
    ),
  );
  app.all('/:relation', (context) =>
    serve(
      context,
      ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'],
      async (incoming) => {
        const { method, schema, schemaName } = incoming;
        const name = context.req.param('relation');
        if (method === 'GET' || method === 'HEAD') return read(incoming, name, plans);
        const input = understand(incoming, false);
        const relation = findRelation(schema, schemaName, name);
        return method === 'OPTIONS' ? allowResponse(methodsOf(relation)) : write(input, relation);
      },
      false,
    ),
  );
  app.all('*', (context) => {
    const isRoot = /^\/rest\/v1\/?$/.test(context.req.path);
    if (isRoot && context.req.method === 'OPTIONS') return allowResponse(['GET', 'HEAD']);
    return errorResponse(
      isRoot
        ? new RestError(404, 'PGRST126', 'Root endpoint metadata is disabled')
        : new RestError(404, 'PGRST125', 'Invalid path specified in request URL'),
    );
  });
  return app;
}

const tooManyAtOnce = (cause: QueueFull) =>
  new RestError(429, 'PT429', cause.message, { headers: { 'retry-after': '1' }, cause });

function wrongMethod(method: string, isCall: boolean): RestError {
  return isCall
    ? new RestError(405, 'PGRST101', `Cannot use the ${method} method on RPC`)
    : new RestError(405, 'PGRST117', `Unsupported HTTP method: ${method}`);
}
