import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Context, Hono } from 'hono';
import type { JWTPayload } from 'jose';
import { createMedia, MAX_PER_OWNER } from '../../media/workers.ts';
import { bearerOf } from '../caller.ts';
import { type Dependencies, type Env, logFault } from '../context.ts';
import { InvalidToken, type Verifier } from '../crypto/tokens.ts';
import { currentClient } from '../http/client-concurrency.ts';
import { QueueFull } from '../http/fair-queue.ts';
import { type Use, whileRead } from '../http/held.ts';
import type { FunctionModule } from './function-module.ts';
import { createSchedule } from './schedule.ts';

export interface Functions {
  app: Hono<Env>;
  /** Starts the scheduled calls that functions declare. */
  start(): void;
  close(): Promise<void>;
}

/**
 * /functions/v1: each folder of `supabase/functions` with an index.ts is served under its name.
 *
 * @param inProcess reaches the other services, inside one process without a trip through the network
 */
export function createFunctions(
  dependencies: Pick<Dependencies, 'config' | 'log' | 'mailer' | 'held'> & { keys: Verifier },
  inProcess: typeof globalThis.fetch,
): Functions {
  const { config, keys, log, mailer, held } = dependencies;
  const names = new Set(
    existsSync(config.functionsDir)
      ? readdirSync(config.functionsDir).filter(
          (name) =>
            existsSync(join(config.functionsDir, name, 'index.ts')) &&
            config.functions[name]?.enabled !== false,
        )
      : [],
  );
  const media = createMedia(join(config.dataDir, 'incoming'), {
    turns: () => held.oneAtATime(MAX_PER_OWNER),
    log: (problem, details) => log.warn(details, problem),
  });
  const load = (name: string): Promise<FunctionModule> =>
    import(pathToFileURL(join(config.functionsDir, name, 'index.ts')).href);

  async function call(
    name: string,
    request: Request,
    claims: JWTPayload | undefined,
    fetch = inProcess,
    hungUp = request.signal,
  ): Promise<Response> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), config.functionSeconds * 1000);
    const signal = AbortSignal.any([limit.signal, hungUp]);
    const places: (() => void)[] = [];
    const giveBack = () => {
      for (const release of places.splice(0)) release();
    };
    const env = {
      SUPABASE_URL: config.supabase?.url ?? config.siteUrl,
      SUPABASE_ANON_KEY: keys.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: keys.serviceRoleKey,
    };
    const { default: handle } = await load(name);
    const late = new Promise<Response>((resolve) => {
      limit.signal.addEventListener('abort', () =>
        resolve(
          Response.json(
            { code: 'IDLE_TIMEOUT', message: 'The function did not answer in time' },
            { status: 504 },
          ),
        ),
      );
    });
    // What is asked while an answer is read is asked for the same client.
    const ofClient = AsyncLocalStorage.snapshot();
    const handled = Promise.resolve().then(() =>
      handle(request, {
        env,
        fetch: (...args) => ofClient(() => fetch(...args)),
        claims,
        signal,
        admitArchive(member) {
          const network = currentClient();
          const uses: Use[] = [];
          if (network !== undefined) uses.push(['archives of a network', network, 1]);
          if (member !== undefined) uses.push(['archives of a member', member, 1]);
          places.push(held.take(uses));
        },
        media,
        mailer,
        siteUrl: config.siteUrl,
        production: config.production,
      }),
    );
    try {
      // An answer that is a stream takes as long as its reader does.
      const answer = await Promise.race([handled, late]).finally(() => clearTimeout(timer));
      if (!(answer instanceof Response))
        throw new Error(`the function ${name} answered something else than a Response`);
      // No one reads what comes after the refusal of what is late.
      if (limit.signal.aborted)
        handled
          .then(({ body }) => body?.cancel())
          .catch(() => undefined)
          .finally(giveBack);
      else if (places.length > 0 && answer.body)
        return new Response(whileRead(answer.body, giveBack), answer);
      else giveBack();
      return answer;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  const app = new Hono<Env>();
  app.onError((error, context) => {
    if (error instanceof Refused)
      return context.json({ code: error.code, message: error.message }, error.status, {
        'x-relay-error': 'true',
        ...(error.status === 429 && { 'retry-after': '1' }),
      });
    logFault(context, error, 'a function failed');
    return context.json(
      { code: 'WORKER_ERROR', message: 'Internal Server Error', request_id: context.get('requestId') },
      500,
    );
  });
  app.all('/:name{[A-Za-z0-9_-]+}/*', serve);
  app.all('/:name{[A-Za-z0-9_-]+}', serve);
  app.all('*', () => {
    throw new Refused(404, 'NOT_FOUND', 'Requested function was not found');
  });

  async function serve(context: Context<Env>): Promise<Response> {
    const name = context.req.param('name') ?? '';
    if (!names.has(name)) throw new Refused(404, 'NOT_FOUND', 'Requested function was not found');
    const claims = await verified(context.req.raw, keys, config.functions[name]?.verify_jwt ?? true);
    // Functions see their own name as the first part of the path.
    const url = new URL(context.req.url);
    url.pathname = url.pathname.slice(url.pathname.indexOf(`/${name}`));
    const request = new Request(url, context.req.raw);
    // Functions answer refusals they receive as a fault, which having to wait is not.
    let mustWait = false;
    const response = await call(
      name,
      request,
      claims,
      async (...args) => {
        const answer = await inProcess(...args);
        mustWait ||= answer.status === 429;
        return answer;
      },
      context.req.raw.signal,
    ).catch((error: unknown) => {
      if (mustWait || error instanceof QueueFull) throw tooManyRequests(error);
      throw error;
    });
    if (mustWait && response.status >= 500) throw tooManyRequests();
    return response;
  }

  const schedule = createSchedule(dependencies, [...names], load, (name) =>
    call(name, new Request(`${config.siteUrl}/${name}`, { method: 'POST' }), { role: 'service_role' }),
  );
  return {
    app,
    start: schedule.start,
    async close() {
      await schedule.close();
      await media.close();
    },
  };
}

/** A refusal by the host; the client library distinguishes it from the function's own answers. */
class Refused extends Error {
  readonly status: 401 | 404 | 429;
  readonly code: number | string;

  constructor(status: Refused['status'], code: number | string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
  }
}

const tooManyRequests = (cause?: unknown) => new Refused(429, 429, 'Too many requests at once', { cause });

/** Any token of the project is accepted; the function decides what it allows. */
async function verified(
  request: Request,
  keys: Verifier,
  required: boolean,
): Promise<JWTPayload | undefined> {
  const token = bearerOf(request.headers.get('authorization'));
  if (!token) {
    if (required) throw new Refused(401, 401, 'Missing authorization header');
    return undefined;
  }
  try {
    return await keys.verify(token);
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    if (required) throw new Refused(401, 401, 'Invalid JWT');
    return undefined;
  }
}
