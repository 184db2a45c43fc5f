import { randomBytes, randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createClient } from '@supabase/supabase-js';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import {
  createRequestHandler,
  type EntryContext,
  isRouteErrorResponse,
  matchPath,
  RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from 'react-router';
import { type ProviderButton, providersContext } from '#app/account/credentials/providers.ts';
import { type CaptchaSettings, captchaContext } from '#app/frame/captcha/settings.ts';
import { NonceProvider } from '#app/frame/page/nonce.ts';
import { type Operator, operatorContext } from '#app/frame/page/operator.ts';
import { CacheProvider, cacheContext } from '#app/frame/page/page-data.tsx';
import { RequestIdProvider, reportContext } from '#app/frame/page/request-id.ts';
import { asksToSaveData } from '#app/frame/page/saves-data.ts';
import { allowInlineScripts, setSecurityHeaders } from '#app/frame/page/security-headers.ts';
import { type DashboardSettings, dashboardContext } from '#app/moderation/admin/dashboard-settings.ts';
import type { Database } from './database.types.ts';
import { inlineStyles, preloadModulesLate } from './frame/page/first-paint.ts';
import { createQueryClient } from './frame/page/query-client.ts';
import type { PageHandle } from './site.ts';
import { closedContext } from './site-pages/sitemap/robots.ts';
import { type Client, clientContext, configContext, fetchContext, type SupabaseConfig } from './supabase.ts';

const clients = new WeakMap<typeof fetch, Client>();

/** Writes to the server's log. */
type WriteError = (fields: { err: unknown; requestId: string; path: string }, message: string) => void;

/** What the operator configured, as far as pages show or use it. */
export interface PageSettings {
  api: SupabaseConfig;
  operator: Operator;
  captcha: CaptchaSettings | null;
  providers: ProviderButton[];
  dashboard: DashboardSettings;
}

/**
 * Answers requests for pages. Made here and not by the server, so that router and pages share one copy of the
 * library, also where Vite loads them from their sources.
 *
 * @param fetchApi reaches the API, for example by an in-process call of the backend
 * @param write logs errors that occur while a page is rendered
 * @returns responses; one that lacks unreadable data says so to the page cache by the header x-incomplete
 */
export function createHandler(
  build: ServerBuild,
  mode: 'production' | 'development',
  settings: PageSettings,
  fetchApi: typeof fetch,
  write: WriteError,
): (request: Request) => Promise<Response> {
  const handle = createRequestHandler(build, mode);
  const closed = pageRoutes(build).filter(({ cacheControl }) => cacheControl !== undefined);
  /** The rule for keeping the page at this path, or what the router fetches in its place. */
  const cacheControlOf = (path: string) =>
    closed.find((page) => matchPath(page.path, path.replace(/\.data$/, '')))?.cacheControl ?? 'no-cache';
  return async (request) => {
    const context = createLoadContext(settings, fetchApi);
    const requestId = randomUUID();
    const path = new URL(request.url).pathname;
    // The library reports an error in a loader, and again when the error page cannot be rendered either.
    const reported = new Set<unknown>();
    const report = (err: unknown, what: string) => {
      if (!reported.has(err)) write({ err, requestId, path }, what);
      reported.add(err);
    };
    context.set(reportContext, { requestId, report });
    context.set(
      closedContext,
      closed.map(({ path }) => path),
    );
    const response = await handle(request, context);
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', cacheControlOf(path));
    response.headers.set('x-request-id', requestId);
    if (reported.size > 0) response.headers.set('x-incomplete', 'true');
    return response;
  };
}

/** The paths of the site's pages, whether each accepts forms, and how one may be kept that is not for everyone. */
export const pageRoutes = ({
  routes,
}: ServerBuild): { path: string; hasAction: boolean; cacheControl: string | undefined }[] =>
  Object.values(routes).flatMap((route) => {
    if (!route || !(route.path || route.index) || route.path === '*') return [];
    // A page in a frame, which has an address of its own.
    const frame = routes[route.parentId ?? ''];
    const path = [frame?.path, route.path].filter(Boolean).join('/');
    const said = (route.module.handle ?? frame?.module.handle) as PageHandle | undefined;
    return [
      { path: `/${path}`, hasAction: route.module.action !== undefined, cacheControl: said?.cacheControl },
    ];
  });

/**
 * The server's part of the loaders' context. The client acts as the anonymous visitor and keeps no session,
 * so one serves all requests.
 */
function createLoadContext(
  { api, operator, captcha, providers, dashboard }: PageSettings,
  fetchApi: typeof fetch,
): RouterContextProvider {
  let client = clients.get(fetchApi);
  if (!client) {
    client = createClient<Database>(api.url || 'http://localhost', api.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      // A reader waits for the page; the API is close by, and a response it cannot give now will not come in
      // seven seconds.
      db: { retry: false },
      global: { fetch: fetchApi },
    });
    clients.set(fetchApi, client);
  }
  const context = new RouterContextProvider();
  context.set(configContext, api);
  context.set(operatorContext, operator);
  context.set(captchaContext, captcha);
  context.set(providersContext, providers);
  context.set(dashboardContext, dashboard);
  context.set(clientContext, client);
  context.set(fetchContext, fetchApi);
  context.set(cacheContext, createQueryClient());
  return context;
}

/**
 * Renders the page whole: nothing in it is streamed; complete responses are cheaper and can be cached. It is written as
 * text at once, which spares a fifth of the page's time: React's stream writes small pieces of bytes, which are read back.
 * A page of which a part must be waited for, or fails, is rendered again by the stream, which waits, and tells of errors.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const nonce = randomBytes(16).toString('base64');
  // Browsers tell how quick the connection is when they are asked.
  headers.set('Accept-CH', 'ECT');
  const { requestId, report } = loadContext.get(reportContext);
  const state = routerContext.serverHandoffStream && (await text(routerContext.serverHandoffStream));
  const page = () => (
    <NonceProvider value={nonce}>
      <RequestIdProvider value={requestId}>
        <CacheProvider value={loadContext.get(cacheContext)}>
          <ServerRouter context={withState(routerContext, state)} url={request.url} nonce={nonce} />
        </CacheProvider>
      </RequestIdProvider>
    </NonceProvider>
  );
  let outcome = status;
  let body = `<!DOCTYPE html>${renderToString(page())}`;
  if (body.includes(UNFINISHED))
    body = await renderFully(page(), nonce, (error) => {
      outcome = 500;
      report(error, 'page not drawn');
    });
  const { html, sources } = allowInlineScripts(preloadModulesLate(body, asksToSaveData(request)), nonce);
  setSecurityHeaders(headers, sources, loadContext.get(configContext), loadContext.get(captchaContext));
  return new Response(inlineStyles(html), { status: outcome, headers });
}

/** By what React marks a part that it leaves to the browser. */
const UNFINISHED = '<!--$!-->';

/** What the router is rendered with when the page's state has been read, for which it would wait otherwise. */
const withState = (context: EntryContext, state: string | undefined): EntryContext =>
  state === undefined
    ? context
    : {
        ...context,
        serverHandoffStream: new ReadableStream(),
        renderMeta: {
          streamCache: { 0: Object.assign(Promise.resolve(), { result: { done: true, value: state } }) },
        },
      };

const renderFully = (page: ReactNode, nonce: string, onError: (error: unknown) => void): Promise<string> =>
  new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      // Each part is rendered in its place, whatever its size: without scripts, nothing could move it there.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        resolve(text(pipe(new PassThrough())));
      },
      onShellError: reject,
      onError,
    });
  });

/** Logs an error in a loader; an aborted request or a page that does not exist is not an error. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: RouterContextProvider },
) {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(reportContext).report(error, 'page failed');
}
