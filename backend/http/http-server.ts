import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Logger } from '../log.ts';
import { addressParts } from './address-parts.ts';
import { drainRequestBodies } from './drain-request-bodies.ts';
import { type countRequests, TooMuchHeld, UNREAD_MS } from './held.ts';
import { limitChunks } from './request-body.ts';

/** Answers a request. The bindings carry the socket, by which the services know a client's address. */
export type Handler = (
  request: Request,
  bindings: HttpBindings | Http2Bindings,
) => Response | Promise<Response>;

/**
 * Answers a request that needs no work, before it becomes a `Request`; false leaves it to the handler.
 *
 * @param common names and values in turn of the headers of every answer, none of which is set yet
 */
export type AnswerReady = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  common: readonly string[],
) => boolean;

/** Counts a request until its answer is read; see `countRequests`. */
export type Count = ReturnType<typeof countRequests>;

/** Takes over a connection for the websocket protocol; false when the path has no websocket. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** A film over a slow line takes longer than the five minutes Node would give it. */
const REQUEST_MS = 30 * 60_000;
/** An address as long as the table API takes one, and 16 KiB of other headers. */
const MAX_HEADER_BYTES = 48 * 1024;
/** The time for a refusal to reach a client that is still sending. */
const HALF_CLOSED_MS = 1_000;
/** The parser's errors for requests it cannot read, with their statuses; 400 for the rest. */
const BY_PARSER_ERROR: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The headers of every answer, a refusal by the parser included; a service may set stricter ones. */
function commonHeaders(siteUrl: string): Record<string, string> {
  return {
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    ...(siteUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}

/**
 * The only entry from the network to the process, without listening yet. An error behind it ends only the one
 * request or connection in which it occurred. Requests that HTTP itself does not allow are refused here,
 * before any service sees them.
 *
 * @param siteUrl the address at which visitors reach the site
 */
export function createHttpServer(
  siteUrl: string,
  log: Logger,
  handle: Handler,
  upgrade: Upgrade,
  answerReady: AnswerReady = () => false,
  count: Count = () => () => undefined,
): Server {
  const headers = Object.entries(commonHeaders(siteUrl));
  const flatHeaders = headers.flat();
  const server = createServer({
    requestTimeout: REQUEST_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Refused below instead, with the headers that every answer has.
    requireHostHeader: false,
    // Any other protocol a client offers may be ignored (RFC 9110, 7.8), for example the h2c of a
    // command-line client.
    shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
  });
  const answers = getRequestListener(
    async (request, bindings) => {
      // A host that a URL cannot have, for example 1.2.3.4.5, or a name and password before it (RFC 9110,
      // 4.2.4).
      const { url = '', headers: sent } = bindings.incoming;
      const outgoing = bindings.outgoing as ServerResponse;
      if (!(url.startsWith('/') && isUsualHost(sent.host)) && !isPlain(URL.parse(request.url)))
        return plainResponse(400);
      try {
        const answer = await handle(request, bindings);
        if (isImmediate(answer) || !answer.body) return answer;
        // The adapter would end an answer whose source fails with the error's message, which looks whole.
        outgoing.setHeaders(answer.headers).writeHead(answer.status);
        outgoing.setTimeout(UNREAD_MS);
        await pipeline(answer.body, outgoing);
        return RESPONSE_ALREADY_SENT;
      } catch (error) {
        const details = { err: error, method: request.method, path: addressParts(request.url).path };
        if (request.signal.aborted) log.debug(details, 'request broken off');
        else log.error(details, 'request failed');
        if (!outgoing.headersSent) return plainResponse(500);
        outgoing.destroy();
        return RESPONSE_ALREADY_SENT;
      }
    },
    // A message that the adapter cannot turn into a request.
    { errorHandler: () => plainResponse(400) },
  );

  // The adapter keeps the parts of an answer made here, of which the second is the body, in one property, until
  // another one is read. Where it no longer does, every answer is sent as a stream.
  const partsOf = (answer: Response, property: symbol): unknown[] =>
    (answer as unknown as Record<symbol, unknown[] | undefined>)[property] ?? [];
  const example = new Response('example');
  const parts = Object.getOwnPropertySymbols(example).find((one) => partsOf(example, one)[1] === 'example');
  const isImmediate = (answer: Response): boolean => {
    const [, body] = parts ? partsOf(answer, parts) : [];
    return body === null || typeof body === 'string' || body instanceof Uint8Array;
  };

  // Most requests name the same host, which then needs no parsing.
  let usualHost: string | undefined;
  const isUsualHost = (host = ''): boolean => {
    if (host === usualHost) return true;
    if (!isPlain(URL.parse(`http://${host}/`))) return false;
    usualHost = host;
    return true;
  };

  const answering = new WeakMap<Duplex, ServerResponse>();
  const prepare = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    answering.set(incoming.socket, outgoing);
    // A client that hangs up fails both streams, possibly after their user has released them.
    incoming.on('error', (error) => log.debug({ err: error }, 'a request was broken off'));
    limitChunks(incoming);
    outgoing.on('error', (error) => log.debug({ err: error }, 'an answer was broken off'));
  };
  const setHeaders = (outgoing: ServerResponse) => {
    for (const [name, value] of headers) outgoing.setHeader(name, value);
  };
  const refuse = (outgoing: ServerResponse, status: number) => {
    setHeaders(outgoing);
    if (status === 405) outgoing.setHeader('Allow', METHODS.join(', '));
    // The end of an untrustworthy request must not be guessed.
    else outgoing.setHeader('Connection', 'close');
    outgoing.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(textOf(status));
  };
  server.on('request', (incoming, outgoing) => {
    prepare(incoming, outgoing);
    const status = refusalOf(incoming);
    if (status) return refuse(outgoing, status);
    let answered: () => void;
    try {
      answered = count(incoming, outgoing);
    } catch (error) {
      if (error instanceof TooMuchHeld) outgoing.setHeader('Retry-After', '1');
      else log.error({ err: error }, 'request failed');
      return refuse(outgoing, error instanceof TooMuchHeld ? 429 : 500);
    }
    if (isUsualHost(incoming.headers.host) && answerReady(incoming, outgoing, flatHeaders)) return answered();
    setHeaders(outgoing);
    answers(incoming, outgoing)
      .catch((error: unknown) => {
        log.error({ err: error }, 'request failed');
        outgoing.destroy();
      })
      .finally(answered);
  });
  drainRequestBodies(server);
  server.on('checkExpectation', (incoming, outgoing) => {
    prepare(incoming, outgoing);
    refuse(outgoing, 417);
  });
  server.on('connect', (_incoming, socket) => refuseConnection(socket, 405, siteUrl));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const outgoing = answering.get(socket);
    const isAnswering = outgoing?.headersSent && !outgoing.writableFinished;
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') socket.destroy();
    else refuseConnection(socket, BY_PARSER_ERROR[error.code ?? ''] ?? 400, siteUrl);
  });
  server.on('upgrade', (incoming, socket, head) => {
    // Node has removed its own listeners; without one a connection error would end the process.
    socket.on('error', () => socket.destroy());
    try {
      const status = refusalOf(incoming) ?? (upgrade(incoming, socket, head) ? undefined : 404);
      if (status) refuseConnection(socket, status, siteUrl);
    } catch (error) {
      log.error({ err: error }, 'a connection could not be taken over');
      refuseConnection(socket, 500, siteUrl);
    }
  });
  return server;
}

/** Answers a connection that has no request any more, or never had one, and closes it. */
export function refuseConnection(socket: Duplex, status: number, siteUrl: string): void {
  // As the client libraries read it, whichever service was meant: what could not be read may have named it.
  const message =
    status === 431 ? 'The address and headers of the request are too long' : STATUS_CODES[status];
  const body = JSON.stringify({ message });
  const headers = {
    ...commonHeaders(siteUrl),
    Date: new Date().toUTCString(),
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.on('error', () => socket.destroy());
  // Data that is still arriving is discarded, since a connection with unread data is reset and the answer
  // lost.
  socket.resume();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  const linger = setTimeout(() => socket.destroy(), HALF_CLOSED_MS).unref();
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(linger));
}

const isPlain = (url: URL | null) => url !== null && !url.username && !url.password;

/** A status without a further explanation. */
export const plainResponse = (status: number): Response =>
  new Response(textOf(status), { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

const textOf = (status: number) => `${STATUS_CODES[status]}\n`;

/** The reason why HTTP itself does not allow a request: RFC 9112, 3.2 and RFC 9110, 9.1. */
function refusalOf({ method = '', httpVersion, rawHeaders }: IncomingMessage): number | undefined {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return 400;
  return METHODS.includes(method) ? undefined : 405;
}
