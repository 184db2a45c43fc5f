import { randomBytes } from 'node:crypto';
import { FairQueue } from '#backend/http/fair-queue.ts';

/** Writes made outside this process (by another server, or the database's own tools) show after this time. */
const MAX_AGE_MS = 5_000;
/** How long a failed rendering is kept: it is not repeated for each request, but soon tried again. */
const MAX_FAILURE_AGE_MS = 1_000;
/**
 * While a page cannot be rendered, or takes this long, its last good version is shown, unless that is older
 * than an hour.
 */
const SLOW_MS = 2_000;
const MAX_STALE_MS = 3_600_000;
/**
 * A path without a page, at which the "not found" page is rendered; and the address at which the router
 * requests its data.
 */
const NO_PAGE = '/-';
const MAX_PAGES = 1_000;
const MAX_PAGE_BYTES = 1024 * 1024;
/**
 * The memory of all kept pages together: a client that requests one page under ever new addresses gets no
 * more of it.
 */
const MAX_BYTES = 32 * 1024 * 1024;

interface Page {
  status: number;
  headers: [string, string][];
  /** The policy and the encoded text, cut where the nonce stood. */
  policy: string[];
  text: Buffer[];
  /** The bytes of the text and the address. */
  bytes: number;
  /** Whether the page was complete when it was made. */
  whole: boolean;
  /** In the time of the monotonic clock, as is the next. */
  renderedAt: number;
  until: number;
}

/**
 * Keeps rendered pages, which are the same for every visitor, until a write. Each answer gets a new nonce in
 * the place of the one it was rendered with. Pages are rendered for no visitor in particular: only the path
 * and query of a visitor's request reach them. All paths without a page are answered with one page. A page
 * that cannot be rendered now is answered with its last version, if there was no write since.
 *
 * @param origin of the site, whatever host a request names
 * @param isThere whether the site has a page at a path
 */
export function createPageCache(
  render: (request: Request) => Promise<Response>,
  origin: string,
  isThere: (path: string) => boolean,
) {
  /** Least recently rendered first. */
  const pages = new Map<string, Page>();
  const rendering = new Map<string, Promise<Page>>();
  const turns = new FairQueue({ maxRunning: 8, maxRunningOfOne: 2, maxWaitingOfOne: 50 });
  let generation = 0;
  let bytes = 0;

  function remove(key: string): void {
    bytes -= pages.get(key)?.bytes ?? 0;
    pages.delete(key);
  }

  async function make(key: string): Promise<Page> {
    const startGeneration = generation;
    const response = await render(new Request(origin + key));
    const body = Buffer.from(await response.arrayBuffer());
    const headers = [...response.headers];
    const policy = response.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    const whole = response.status < 500 && !response.headers.has('x-incomplete');
    const before = pages.get(key);
    const renderedAt = performance.now();
    if (!whole && isGood(before)) {
      before.until = renderedAt + MAX_FAILURE_AGE_MS;
      return before;
    }
    const page: Page = {
      status: response.status,
      headers: headers.filter(([name]) => !['content-security-policy', 'x-incomplete'].includes(name)),
      policy: nonce ? policy.split(nonce) : [policy],
      // Pictures have no nonce, and their bytes are not text.
      text: nonce
        ? body
            .toString()
            .split(nonce)
            .map((part) => Buffer.from(part))
        : [body],
      bytes: body.length + key.length,
      whole,
      renderedAt,
      until: renderedAt + (whole ? MAX_AGE_MS : MAX_FAILURE_AGE_MS),
    };
    if (body.length <= MAX_PAGE_BYTES && startGeneration === generation) {
      remove(key);
      pages.set(key, page);
      bytes += page.bytes;
      for (const [oldest] of pages) {
        if (pages.size <= MAX_PAGES && bytes <= MAX_BYTES) break;
        remove(oldest);
      }
    }
    return page;
  }

  function validPage(key: string): Page | undefined {
    const page = pages.get(key);
    return page && page.until > performance.now() ? page : undefined;
  }

  /** A page with many simultaneous requests is rendered once, unless there was a write meanwhile. */
  const shared = (key: string) => rendering.get(`${generation} ${key}`);

  /** Other clients share a rendering that has begun, and wait for no turn but their own. */
  function startRendering(key: string): Page | Promise<Page> {
    const existing = validPage(key) ?? shared(key);
    if (existing) return existing;
    const renderingKey = `${generation} ${key}`;
    const page = make(key).finally(() => rendering.delete(renderingKey));
    rendering.set(renderingKey, page);
    return page;
  }

  return {
    /**
     * @param client whose turn it must be for a page to be rendered; see `clientNetwork`
     * @throws QueueFull
     */
    async answer(request: Request, client: string): Promise<Response> {
      const url = new URL(request.url);
      const notFoundKey = url.pathname.endsWith('.data') ? `${NO_PAGE}.data` : NO_PAGE;
      const key = isThere(url.pathname) ? url.pathname + url.search : notFoundKey;
      // A request body is for the page alone, but it too uses the site's own address.
      if (request.method !== 'GET')
        return turns.run(client, () => render(new Request(origin + key, request)));
      const ready = validPage(key);
      if (ready) return fresh(ready);
      const before = pages.get(key);
      const rendered = shared(key) ?? turns.run(client, async () => startRendering(key));
      return fresh(await (isGood(before) ? soonerOf(rendered, before) : rendered));
    },
    clear(): void {
      generation++;
      pages.clear();
      bytes = 0;
    },
    /** Bytes of the pages that are kept. */
    size: () => bytes,
  };
}

const isGood = (page: Page | undefined): page is Page =>
  page?.whole === true && performance.now() - page.renderedAt < MAX_STALE_MS;

/** The page as it is now, or its last version when rendering takes long or fails; the rendering continues. */
async function soonerOf(rendered: Promise<Page>, before: Page): Promise<Page> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Page>((resolve) => {
    timer = setTimeout(() => resolve(before), SLOW_MS);
  });
  try {
    return await Promise.race([rendered.catch(() => before), late]);
  } finally {
    clearTimeout(timer);
  }
}

function fresh({ status, headers, policy, text }: Page): Response {
  const nonce = randomBytes(16).toString('base64');
  const response = new Response(joined(text, Buffer.from(nonce)), { status, headers });
  if (policy[0]) response.headers.set('content-security-policy', policy.join(nonce));
  return response;
}

function joined([first = Buffer.of(), ...rest]: Buffer[], between: Buffer): Buffer<ArrayBuffer> {
  return Buffer.concat([first, ...rest.flatMap((part) => [between, part])]);
}
