import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { namesTag } from '#backend/http/entity-tags.ts';
import type { FairQueue } from '#backend/http/fair-queue.ts';
import { createPageKeys, kindFor, requestFor } from './page-keys.ts';
import { isUnchanged, type RecordedCall } from './recorded-calls.ts';
import type { RenderedPage } from './renderers.ts';

/** No visitor gets a page that is known to have been current only before this time. */
const MAX_AGE_MS = 1_000;
/** From this age on a page that is in demand is made current again while visitors still get it. */
const REFRESH_AGE_MS = 500;
/** The texts of a page contain times like "two hours ago". */
const MAX_RENDERING_AGE_MS = 60_000;
/** The time for which the last good version is shown before it is tried again to make the page current. */
const RETRY_MS = 1_000;
/**
 * While a page cannot be rendered, or takes this long, its last good version is shown, unless that is older
 * than an hour.
 */
const SLOW_MS = 2_000;
const MAX_STALE_MS = 3_600_000;
const MAX_PAGES = 1_000;
const MAX_PAGE_BYTES = 1024 * 1024;
/**
 * The memory of all kept pages together: a client that requests one page under ever new addresses gets no
 * more of it.
 */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_WRITERS = 10_000;
/** Below this size the headers are larger than what compression saves. */
const MIN_COMPRESSED_BYTES = 1024;
const COMPRESSED_TYPES = /^(?:text\/|application\/(?:json|xml|atom\+xml|manifest\+json)|image\/svg)/;

type Encoding = 'br' | 'gzip' | 'identity';
type Bytes = Buffer<ArrayBuffer>;

interface Page {
  key: string;
  status: number;
  /** Names and values in turn, without those that depend on the encoding. */
  headers: string[];
  etag: string;
  /** Once it was sent compressed, the text itself is no longer kept: few clients accept no compression. */
  bodies: Partial<Record<Encoding, Bytes>>;
  /** The compressions under way, which all who ask in the meantime wait for. */
  compressing: Partial<Record<Encoding, Promise<Bytes>>>;
  /** Whether its text is worth compressing. */
  compressible: boolean;
  /** The bytes of the text in all its encodings and of the address. */
  bytes: number;
  /** Whether the page was complete when it was made. */
  whole: boolean;
  /** The calls of the API that the page was made from; undefined where it cannot be known by them alone. */
  calls: RecordedCall[] | undefined;
  /** The number of writes that there had been when the page was last known to be current. */
  generation: number;
  /** When that was, in the time of the monotonic clock, as are the next. */
  currentAt: number;
  renderedAt: number;
  /** Until then a page that could not be made current again is shown as it is. */
  retryAt: number;
}

const compressors = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body),
};

/**
 * Keeps rendered pages, which are the same for every visitor, as the bytes that are sent. Pages are rendered
 * for no visitor in particular: only the path of a visitor's request reaches them, and of its query the parameters
 * that the page looks for. All addresses without a page are answered with one page.
 *
 * A page is current for as long as the calls of the API it was made from are answered as they were. That is
 * looked at again when there was a write, and at least once a second while the page is in demand, so that
 * writes by another server or by the database's own tools show as well. What a visitor gets is at most one
 * second old, and never older than the visitor's own last write. A page that cannot be made now is answered
 * with its last version, if there was no write since.
 *
 * @param origin of the site, whatever host a request names
 * @param routeAt see `createPageKeys`
 * @param turns in which visitors have pages made
 */
export function createPageCache(
  render: (request: Request) => Promise<RenderedPage>,
  fetchApi: typeof fetch,
  origin: string,
  routeAt: (url: URL) => string | undefined,
  turns: FairQueue,
) {
  /** Least recently made current first. */
  const pages = new Map<string, Page>();
  /** The latest refresh under way of each page. */
  const refreshing = new Map<string, { generation: number; page: Promise<Page> }>();
  const { keyOf, learn } = createPageKeys(routeAt);
  /** When each client last wrote; the longest ago first. */
  const writers = new Map<string, number>();
  let generation = 0;
  let bytes = 0;
  /** Stands for every page that is not kept, once none is made any more. */
  let resting: RenderedPage | undefined;
  const make = async (request: Request) => resting ?? render(request);

  function remove(key: string): void {
    bytes -= pages.get(key)?.bytes ?? 0;
    pages.delete(key);
  }

  function keep(page: Page): void {
    if (page.bytes > MAX_PAGE_BYTES) return;
    remove(page.key);
    pages.set(page.key, page);
    bytes += page.bytes;
    for (const [oldest] of pages) {
      if (pages.size <= MAX_PAGES && bytes <= MAX_BYTES) break;
      remove(oldest);
    }
  }

  async function makeCurrent(key: string): Promise<Page> {
    const startGeneration = generation;
    const startedAt = performance.now();
    const before = pages.get(key);
    if (
      before?.whole &&
      before.calls &&
      startedAt - before.renderedAt < MAX_RENDERING_AGE_MS &&
      (await isUnchanged(before.calls, fetchApi))
    ) {
      Object.assign(before, { generation: startGeneration, currentAt: startedAt, retryAt: 0 });
      if (pages.get(key) === before) keep(before);
      return before;
    }
    const request = requestFor(key, origin);
    const rendered = await make(request);
    const { status, calls } = rendered;
    learn(new URL(request.url), rendered.parameters);
    const headers = new Headers(rendered.headers);
    const whole = status < 500 && !headers.has('x-incomplete');
    const last = pages.get(key);
    if (!whole && isGood(last) && last.generation === generation) {
      last.retryAt = performance.now() + RETRY_MS;
      return last;
    }
    const body = Buffer.from(rendered.body.buffer);
    const page: Page = {
      key,
      status,
      headers: rendered.headers.filter(([name]) => name !== 'x-incomplete').flat(),
      etag: `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
      bodies: { identity: body },
      compressing: {},
      compressible:
        body.length >= MIN_COMPRESSED_BYTES && COMPRESSED_TYPES.test(headers.get('content-type') ?? ''),
      bytes: body.length + key.length,
      whole,
      calls,
      generation: startGeneration,
      currentAt: startedAt,
      renderedAt: startedAt,
      retryAt: 0,
    };
    // It takes the place of the last version in the forms that visitors ask for, so that none waits for them.
    // All at once, since the text is given up with the first of them.
    if (page.compressible)
      await Promise.all(
        Object.keys(last?.bodies ?? {}).map((encoding) => bodyOf(page, encoding as Encoding)),
      );
    // Another rendering, begun after a later write, may have been quicker.
    if ((pages.get(key)?.generation ?? 0) <= startGeneration) keep(page);
    return page;
  }

  /** A page with many simultaneous requests is made once, unless there was a write in the meantime. */
  function shared(key: string): Promise<Page> | undefined {
    const latest = refreshing.get(key);
    return latest?.generation === generation ? latest.page : undefined;
  }

  /** Other clients share the work that has begun, and wait for no turn but their own. */
  function startRefresh(key: string): Page | Promise<Page> {
    const existing = shared(key);
    if (existing) return existing;
    const ready = pages.get(key);
    if (ready && isCurrent(ready)) return ready;
    const started = { generation, page: makeCurrent(key) };
    refreshing.set(key, started);
    return started.page.finally(() => {
      if (refreshing.get(key) === started) refreshing.delete(key);
    });
  }

  /**
   * @param signal of a client that alone asks for it: nothing is made for one that has hung up before its turn
   * @throws QueueFull
   */
  async function refresh(key: string, client: string, signal?: AbortSignal): Promise<Page> {
    const work = async () => {
      signal?.throwIfAborted();
      return startRefresh(key);
    };
    return shared(key) ?? (await turns.run(client, work));
  }

  function isCurrent(page: Page): boolean {
    if (resting) return true;
    const now = performance.now();
    return page.generation === generation && (now - page.currentAt < REFRESH_AGE_MS || now < page.retryAt);
  }

  /**
   * The page when this client may get it as it is. One that will soon be too old is made current in the meantime.
   *
   * @param client asked only for a page that is not current
   */
  function readyPage(key: string, client: () => string): Page | undefined {
    const page = pages.get(key);
    if (!page) return undefined;
    if (isCurrent(page)) return page;
    const age = performance.now() - page.currentAt;
    if (age >= MAX_AGE_MS) return undefined;
    const network = client();
    if (page.generation !== generation && (writers.get(network) ?? -1) >= page.currentAt) return undefined;
    // One that is under way is enough here, also when there was a write since it began. The one visitor more who
    // cannot wait for a turn now leaves it to the next.
    if (age >= REFRESH_AGE_MS && !refreshing.has(key)) refresh(key, network).catch(() => undefined);
    return page;
  }

  async function currentPage(url: URL, client: string, request: Request): Promise<Page> {
    const { headers, signal } = request;
    const kind = kindFor(headers.get('save-data'), headers.get('ect'));
    const key = kind + keyOf(url);
    const before = pages.get(key);
    const mayShow = isGood(before) && before.generation === generation;
    const page =
      readyPage(key, () => client) ??
      (await (mayShow ? soonerOf(refresh(key, client), before) : refresh(key, client, signal)));
    // A page that was now seen to look for a parameter that it was made without is made with it.
    return kind + keyOf(url) === key ? page : currentPage(url, client, request);
  }

  async function bodyOf(page: Page, encoding: Encoding): Promise<Bytes> {
    const { bodies, compressing } = page;
    const ready = bodies[encoding];
    if (ready) return ready;
    const text = bodies.identity ?? (await decompressed(bodies));
    if (encoding === 'identity') return text;
    if (bodies[encoding]) return bodies[encoding];
    compressing[encoding] ??= compress(page, encoding, text).finally(() => delete compressing[encoding]);
    return compressing[encoding];
  }

  async function compress(page: Page, encoding: 'br' | 'gzip', text: Bytes): Promise<Bytes> {
    const { bodies } = page;
    const body = await compressors[encoding](text);
    bodies[encoding] = body;
    const more = body.length - (bodies.identity?.length ?? 0);
    delete bodies.identity;
    page.bytes += more;
    if (pages.get(page.key) === page) bytes += more;
    return body;
  }

  return {
    /**
     * Writes a page that is ready to the connection, without anything in between.
     *
     * @param common headers that every answer of the site has
     * @param client whose turn it must be for a page to be made current; see `clientNetwork`
     * @returns the status, or undefined when the page is not ready in the form the client accepts
     */
    answerReady(
      { method, url = '', headers }: IncomingMessage,
      outgoing: ServerResponse,
      common: readonly string[],
      client: () => string,
    ): number | undefined {
      if (method !== 'GET' && method !== 'HEAD') return undefined;
      const page = readyPage(kindFor(headers['save-data'], headers.ect) + url, client);
      if (!page) return undefined;
      const encoding = encodingFor(page.compressible, headers['accept-encoding']);
      const body = page.bodies[encoding];
      if (!body) return undefined;
      const isKnown = matches(headers['if-none-match'], page);
      const status = isKnown ? 304 : page.status;
      outgoing.writeHead(status, [...common, ...headersOf(page, encoding, isKnown ? undefined : body)]);
      outgoing.end(isKnown || method === 'HEAD' ? undefined : body);
      return status;
    },
    /**
     * @param client whose turn it must be for a page to be rendered; see `clientNetwork`
     * @throws QueueFull
     */
    async answer(request: Request, client: string): Promise<Response> {
      const url = new URL(request.url);
      // A request body is for the page alone, but it too uses the site's own address.
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        // A body that is still coming holds no turn.
        const init = {
          method: request.method,
          headers: request.headers,
          body: request.body && (await request.arrayBuffer()),
        };
        return turns.run(client, async () => {
          const address = routeAt(url) === undefined ? keyOf(url) : url.pathname + url.search;
          const { status, headers, body } = await make(new Request(origin + address, init));
          return new Response(body.length > 0 ? body : null, { status, headers });
        });
      }
      const page = await currentPage(url, client, request);
      const encoding = encodingFor(page.compressible, request.headers.get('accept-encoding') ?? undefined);
      const body = await bodyOf(page, encoding);
      const isKnown = matches(request.headers.get('if-none-match') ?? undefined, page);
      const headers = new Headers();
      const pairs = headersOf(page, encoding, isKnown ? undefined : body);
      for (let index = 0; index < pairs.length; index += 2)
        headers.append(pairs[index] ?? '', pairs[index + 1] ?? '');
      return isKnown
        ? new Response(null, { status: 304, headers })
        : new Response(request.method === 'HEAD' ? null : body, {
            status: page.status,
            headers,
          });
    },
    /** @param client by whose address a write was made; see `clientNetwork` */
    written(client: string): void {
      generation++;
      const now = performance.now();
      writers.delete(client);
      writers.set(client, now);
      for (const [network, at] of writers) {
        if (at > now - MAX_AGE_MS && writers.size <= MAX_WRITERS) break;
        writers.delete(network);
      }
    },
    /** From now on every page is shown as it is kept, and this one in place of any other. */
    rest(instead: RenderedPage): void {
      resting = instead;
    },
    /** Bytes of the pages that are kept. */
    size: () => bytes,
  };
}

const decompressed = ({ br, gzip: zipped = Buffer.of() }: Page['bodies']): Promise<Bytes> =>
  br ? promisify(brotliDecompress)(br) : promisify(gunzip)(zipped);

const isGood = (page: Page | undefined): page is Page =>
  page?.whole === true && performance.now() - page.renderedAt < MAX_STALE_MS;

/** The page as it is now, or its last version when making it takes long or fails; the work continues. */
async function soonerOf(refreshed: Promise<Page>, before: Page): Promise<Page> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Page>((resolve) => {
    timer = setTimeout(() => {
      before.retryAt = performance.now() + RETRY_MS;
      resolve(before);
    }, SLOW_MS);
  });
  try {
    return await Promise.race([refreshed.catch(() => before), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Matches a client's list that rules the encoding out (RFC 9110, 12.5.3). */
const REFUSED = {
  br: /\bbr\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/,
  gzip: /\bgzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/,
};

/** The best encoding that a client accepts (RFC 9110, 12.5.3). */
export function encodingFor(compressible: boolean, accepted = ''): Encoding {
  if (!compressible) return 'identity';
  for (const encoding of ['br', 'gzip'] as const)
    if (accepted.includes(encoding) && !REFUSED[encoding].test(accepted)) return encoding;
  return 'identity';
}

/** Whether the client has the page already. */
const matches = (known: string | undefined, { etag, status }: Page): boolean =>
  known !== undefined && status === 200 && namesTag(known, etag);

/** @param body undefined for an answer that has none */
function headersOf(page: Page, encoding: Encoding, body: Buffer | undefined): string[] {
  const own = [...page.headers, 'etag', page.etag];
  if (page.compressible) own.push('vary', 'accept-encoding, save-data, ect');
  if (body && encoding !== 'identity') own.push('content-encoding', encoding);
  if (body) own.push('content-length', String(body.length));
  return own;
}
