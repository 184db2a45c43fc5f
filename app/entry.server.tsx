import { randomBytes, randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createClient } from '@supabase/supabase-js';
import { renderToPipeableStream } from 'react-dom/server';
import {
  createRequestHandler,
  type EntryContext,
  isRouteErrorResponse,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router';
import { type DashboardSettings, dashboardContext } from '#app/admin/dashboard-settings.ts';
import { type CaptchaSettings, captchaContext } from '#app/captcha/settings.ts';
import { NonceProvider } from '#app/context/nonce.ts';
import { type Operator, operatorContext } from '#app/context/operator.ts';
import { RequestIdProvider, reportContext } from '#app/context/request-id.ts';
import { setSecurityHeaders } from '#app/context/security-headers.ts';
import type { Database } from './database.types.ts';
import { CLOSED_PAGES } from './site.ts';
import { type Client, clientContext, configContext, type SupabaseConfig } from './supabase.ts';

const clients = new WeakMap<typeof fetch, Client>();

/** Writes to the server's log. */
type WriteError = (fields: { err: unknown; requestId: string; path: string }, message: string) => void;

/**
 * Answers requests for pages. Made here and not by the server, so that router and pages are of one copy of the
 * library, also where Vite loads them from their sources.
 *
 * @param fetchApi reaches the API, such as an in-process call of the backend
 * @param write takes what went wrong while a page was made
 * @returns answers; one that lacks what could not be read says so to the page cache by the header x-incomplete
 */
export function createHandler(
  build: ServerBuild,
  mode: 'production' | 'development',
  config: SupabaseConfig,
  operator: Operator,
  captcha: CaptchaSettings | null,
  dashboard: DashboardSettings,
  fetchApi: typeof fetch,
  write: WriteError,
): (request: Request) => Promise<Response> {
  const handle = createRequestHandler(build, mode);
  return async (request) => {
    const context = createLoadContext(config, operator, captcha, dashboard, fetchApi);
    const requestId = randomUUID();
    const path = new URL(request.url).pathname;
    // The library tells of an error in a loader, and again when the page for it cannot be drawn either.
    const told = new Set<unknown>();
    const report = (err: unknown, what: string) => {
      if (!told.has(err)) write({ err, requestId, path }, what);
      told.add(err);
    };
    context.set(reportContext, { requestId, report });
    const response = await handle(request, context);
    response.headers.set('x-request-id', requestId);
    if (told.size > 0) response.headers.set('x-incomplete', 'true');
    return response;
  };
}

/** Finds what the site has at a path, or at the path of a page's data; undefined when it has nothing there. */
export function createRouteFinder({ routes }: ServerBuild): (path: string) => ServerBuild['routes'][string] {
  const places = Object.values(routes).flatMap((route): RouteObject[] =>
    route && (route.path || route.index) && route.path !== '*'
      ? [{ id: route.id, path: route.path ?? '/' }]
      : [],
  );
  return (path) => {
    // The router would take no notice of a second slash, and a browser takes it for the beginning of a host.
    if (path.startsWith('//')) return undefined;
    const [match] = matchRoutes(places, path.replace(/(?:\/_)?\.data$/, '') || '/') ?? [];
    return routes[match?.route.id ?? ''];
  };
}

/**
 * What loaders need of the server. The client speaks for the anonymous visitor and keeps no session, so one
 * serves all requests.
 */
function createLoadContext(
  config: SupabaseConfig,
  operator: Operator,
  captcha: CaptchaSettings | null,
  dashboard: DashboardSettings,
  fetchApi: typeof fetch,
): RouterContextProvider {
  let client = clients.get(fetchApi);
  if (!client) {
    client = createClient<Database>(config.url || 'http://localhost', config.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      // A reader waits for the page; the API is in reach, and what it cannot answer now it cannot in seven seconds.
      db: { retry: false },
      global: { fetch: fetchApi },
    });
    clients.set(fetchApi, client);
  }
  const context = new RouterContextProvider();
  context.set(configContext, config);
  context.set(operatorContext, operator);
  context.set(captchaContext, captcha);
  context.set(dashboardContext, dashboard);
  context.set(clientContext, client);
  return context;
}

/** Renders the page whole: nothing in it is streamed, and whole answers are cheaper and can be kept. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const nonce = randomBytes(16).toString('base64');
  setSecurityHeaders(headers, nonce, loadContext.get(configContext), loadContext.get(captchaContext));
  const { pathname } = new URL(request.url);
  headers.set(
    'Cache-Control',
    CLOSED_PAGES.some((page) => pathname === page || pathname.startsWith(`${page}/`))
      ? 'no-store'
      : 'no-cache',
  );
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const { requestId, report } = loadContext.get(reportContext);
  let outcome = status;
  const body = await new Promise<string>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <NonceProvider value={nonce}>
        <RequestIdProvider value={requestId}>
          <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
        </RequestIdProvider>
      </NonceProvider>,
      {
        nonce,
        // Each part stands in its place, however large: readers without scripts have nothing to put it there.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady() {
          resolve(text(pipe(new PassThrough())));
        },
        onShellError: reject,
        onError(error) {
          outcome = 500;
          report(error, 'page not drawn');
        },
      },
    );
  });
  return new Response(body.replaceAll(' rel="modulepreload"', ' rel="modulepreload" fetchpriority="low"'), {
    status: outcome,
    headers,
  });
}

/** Logs what went wrong in a loader; a visitor who left or a page that does not exist is not an error. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: RouterContextProvider },
) {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(reportContext).report(error, 'page failed');
}
