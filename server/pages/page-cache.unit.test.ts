import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairQueue, QueueFull } from '#backend/http/fair-queue.ts';
import { TIMEOUT_MS } from '../../tests/timeouts.ts';
import { createPageCache } from './page-cache.ts';
import { recordCalls, recordingFetch, textAnswer } from './recorded-calls.ts';

const ORIGIN = 'https://limbs.example.org';
const VISITOR = '203.0.113.1';
const WRITER = '203.0.113.9';

/** A site whose pages contain how often they were rendered, and are made from one call of the API. */
function openSite() {
  let rendered = 0;
  const waiting: (() => void)[] = [];
  const site = {
    data: 'first',
    blocked: false,
    status: 200,
    headers: {} as Record<string, string>,
    padding: '',
    seen: [] as Request[],
    release() {
      for (const go of waiting.splice(0)) go();
    },
    async render(request: Request): Promise<Response> {
      site.seen.push(request);
      const number = ++rendered;
      await fetchRecorded('/rest/v1/solutions');
      if (site.blocked) await new Promise<void>((go) => waiting.push(go));
      return new Response(`<p>${number}</p>${site.padding}`, {
        status: site.status,
        headers: { 'content-type': 'text/html', ...site.headers },
      });
    },
    /** What another program writes, which no one reports. */
    change() {
      site.data += ', changed';
    },
    /** A write that the table API reports. */
    write(client = 'another visitor') {
      site.change();
      cache.written(client);
    },
  };
  const fetchApi = async () => new Response(site.data);
  const fetchRecorded = recordingFetch(async () => textAnswer(await fetchApi()));
  const cache = createPageCache(
    async (request) => {
      const { result, calls } = await recordCalls(() => site.render(request));
      const body = new Uint8Array(await result.arrayBuffer());
      return { status: result.status, headers: [...result.headers], body, calls, parameters: ['q'] };
    },
    fetchApi,
    ORIGIN,
    ({ pathname }) => (pathname.startsWith('/nowhere') ? undefined : pathname),
    new FairQueue({ maxRunning: 8, maxRunningOfOne: 2, maxWaitingOfOne: 50 }),
  );
  const get = (path: string, headers = {}, client = VISITOR) =>
    cache.answer(new Request(`http://elsewhere${path}`, { headers }), client);
  return { site, cache, get };
}

const numberOf = async (response: Response) => /<p>(\d+)<\/p>/.exec(await response.text())?.[1];

it('a page is rendered once for as long as what it shows is the same, each address for itself', async () => {
  const { cache, get } = openSite();
  expect(await numberOf(await get('/browse'))).toBe('1');
  expect(await numberOf(await get('/browse'))).toBe('1');
  expect(await numberOf(await get('/browse?q=knee'))).toBe('2');
  cache.written(VISITOR);
  expect(await numberOf(await get('/browse'))).toBe('1');
});

it('an address with parameters that its page does not look for is answered with the page without them', async () => {
  const { site, cache, get } = openSite();
  expect(await numberOf(await get('/browse?x=1&q=knee'))).toBe('2');
  for (const query of ['?q=knee', '?q=knee&x=2', '?y&q=knee'])
    expect(await numberOf(await get(`/browse${query}`))).toBe('2');
  for (const query of ['', '?x=1', '?x=2&y']) expect(await numberOf(await get(`/browse${query}`))).toBe('1');
  await cache.answer(new Request(`${ORIGIN}/unsubscribe?x=1`, { method: 'POST' }), VISITOR);
  const paths = site.seen.map(({ url }) => url.slice(ORIGIN.length));
  expect(paths).toEqual(['/browse', '/browse?q=knee', '/unsubscribe?x=1']);
});

it('a write is in the next answer to its writer', async () => {
  const { site, get } = openSite();
  expect(await numberOf(await get('/', {}, WRITER))).toBe('1');
  site.write(WRITER);
  expect(await numberOf(await get('/', {}, WRITER))).toBe('2');
  expect(await numberOf(await get('/'))).toBe('2');
});

describe('another visitor', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('gets the page as it was for half a second after a write, and as it is at the latest after one', async () => {
    const { site, get } = openSite();
    expect(await numberOf(await get('/'))).toBe('1');
    vi.advanceTimersByTime(400);
    site.write(WRITER);
    expect(await numberOf(await get('/'))).toBe('1');
    expect(site.seen).toHaveLength(1);
    vi.advanceTimersByTime(200);
    expect(await numberOf(await get('/'))).toBe('1');
    // The request that got the old page began the new one.
    await vi.waitFor(() => expect(site.seen).toHaveLength(2), TIMEOUT_MS);
    await vi.waitFor(async () => expect(await numberOf(await get('/'))).toBe('2'), TIMEOUT_MS);
  });

  it('has the page made once at a time, however many writes come in the meantime', async () => {
    const { site, get } = openSite();
    await get('/');
    site.blocked = true;
    for (const time of [600, 100, 100]) {
      vi.advanceTimersByTime(time);
      site.write(WRITER);
      expect(await numberOf(await get('/'))).toBe('1');
      await vi.waitFor(() => expect(site.seen).toHaveLength(2), TIMEOUT_MS);
    }
    site.release();
  });

  it('never gets a page that was current only more than a second ago', async () => {
    const { site, get } = openSite();
    expect(await numberOf(await get('/'))).toBe('1');
    site.write(WRITER);
    vi.advanceTimersByTime(1_000);
    expect(await numberOf(await get('/'))).toBe('2');
  });

  it('gets what another program wrote after a second', async () => {
    const { site, get } = openSite();
    expect(await numberOf(await get('/'))).toBe('1');
    site.change();
    vi.advanceTimersByTime(1_000);
    expect(await numberOf(await get('/'))).toBe('2');
  });

  it('gets times like "two minutes ago" that are at most a minute behind', async () => {
    const { site, get } = openSite();
    await get('/');
    vi.advanceTimersByTime(59_000);
    await get('/');
    expect(site.seen).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    await get('/');
    expect(site.seen).toHaveLength(2);
  });
});

it('a page that is made while something is written is not kept as the newest', async () => {
  const { site, get } = openSite();
  site.blocked = true;
  const early = get('/');
  await vi.waitFor(() => expect(site.seen).toHaveLength(1), TIMEOUT_MS);
  site.write(WRITER);
  const late = get('/', {}, WRITER);
  await vi.waitFor(() => expect(site.seen).toHaveLength(2), TIMEOUT_MS);
  site.blocked = false;
  site.release();
  expect(await numberOf(await early)).toBe('1');
  expect(await numberOf(await late)).toBe('2');
  expect(await numberOf(await get('/'))).toBe('2');
});

describe('the bytes of a page', () => {
  const PADDING = 'x'.repeat(5_000);

  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['identity', null, (body: Buffer) => body],
  ])('are sent as a client accepts them: %s', async (accepted, encoding, decompress) => {
    const { site, get } = openSite();
    site.padding = PADDING;
    const response = await get('/', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('accept-encoding, save-data, ect');
    const body = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(String(body.length));
    expect(decompress(body).toString()).toBe(`<p>1</p>${PADDING}`);
  });

  it('take less memory once they were compressed, also when made again, and are there for every client', async () => {
    const { site, cache, get } = openSite();
    site.padding = PADDING;
    const received = async (accepted: string) =>
      Buffer.from(await (await get('/', { 'accept-encoding': accepted })).arrayBuffer());
    const text = await received('identity');
    const before = cache.size();
    const compressed = await received('br');
    expect(cache.size()).toBe(before - text.length + compressed.length);
    expect(gunzipSync(await received('gzip'))).toEqual(text);
    expect(await received('identity')).toEqual(text);
    expect(site.seen).toHaveLength(1);
    const kept = cache.size();
    site.write(VISITOR);
    await received('gzip');
    expect(site.seen).toHaveLength(2);
    // In both forms again; the number in the text makes a byte's difference.
    expect(cache.size()).toBeCloseTo(kept, -1);
  });

  it('are not sent to a client that has them', async () => {
    const { site, get } = openSite();
    const etag = (await get('/')).headers.get('etag') ?? '';
    const known = await get('/', { 'if-none-match': `"other", ${etag}` });
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag]);
    site.write(VISITOR);
    const changed = await get('/', { 'if-none-match': etag });
    expect([changed.status, await numberOf(changed)]).toEqual([200, '2']);
  });

  it('go to the connection at once when they are ready, and not before', async () => {
    const { site, cache, get } = openSite();
    site.padding = PADDING;
    const server = createServer((incoming, outgoing) => {
      const status = cache.answerReady(incoming, outgoing, ['x-common', 'yes'], () => VISITOR);
      if (status === undefined) outgoing.writeHead(503).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      expect((await fetch(url)).status).toBe(503);
      await get('/', { 'accept-encoding': 'br' });
      const ready = await fetch(url, { headers: { 'accept-encoding': 'br' } });
      expect([ready.status, ready.headers.get('x-common'), await ready.text()]).toEqual([
        200,
        'yes',
        `<p>1</p>${PADDING}`,
      ]);
      const headers = { 'if-none-match': ready.headers.get('etag') ?? '', 'accept-encoding': 'br' };
      expect((await fetch(url, { headers })).status).toBe(304);
      const head = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect((await fetch(url, { method: 'POST' })).status).toBe(503);
      site.write(VISITOR);
      expect((await fetch(url, { headers: { 'accept-encoding': 'br' } })).status).toBe(503);
    } finally {
      server.close();
    }
  });
});

it('many who ask at once are served by one rendering', async () => {
  const { site, get } = openSite();
  site.blocked = true;
  const requests = [get('/'), get('/'), get('/')];
  await vi.waitFor(() => expect(site.seen).toHaveLength(1), TIMEOUT_MS);
  site.blocked = false;
  site.release();
  for (const response of await Promise.all(requests)) expect(await numberOf(response)).toBe('1');
});

it('nothing of a visitor reaches the page: not the host, not a header', async () => {
  const { site, get } = openSite();
  await get('/browse');
  await get('/browse?q=knee', {
    'x-forwarded-host': 'evil.example',
    cookie: 'a=b',
    authorization: 'Bearer x',
  });
  expect(site.seen.map((request) => [request.url, [...request.headers]])).toEqual([
    [`${ORIGIN}/browse`, []],
    [`${ORIGIN}/browse?q=knee`, []],
  ]);
});

it('a failure is made once for all who ask within a second, and tried again after it', async () => {
  vi.useFakeTimers();
  const { site, get } = openSite();
  site.status = 500;
  for (let time = 0; time < 3; time++) expect((await get('/')).status).toBe(500);
  expect(site.seen).toHaveLength(1);
  site.status = 200;
  vi.advanceTimersByTime(1_000);
  expect(await numberOf(await get('/'))).toBe('2');
  vi.useRealTimers();
});

describe('a page that was made once', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it.each([
    ['fails', { status: 500 }],
    ['lacks something', { headers: { 'x-incomplete': 'true' } }],
    ['takes long', { blocked: true }],
  ])('is shown as it was when making it again %s, and as it is when that works again', async (_, fault) => {
    const { site, get } = openSite();
    expect(await numberOf(await get('/'))).toBe('1');
    vi.advanceTimersByTime(1_000);
    site.change();
    Object.assign(site, fault);
    const pending = get('/');
    await vi.advanceTimersByTimeAsync(2_000);
    const response = await pending;
    expect([response.status, await numberOf(response)]).toEqual([200, '1']);
    Object.assign(site, { status: 200, headers: {}, blocked: false });
    site.release();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(Number(await numberOf(await get('/')))).toBeGreaterThan(1);
  });

  it('is not shown as it was once something was written, nor after an hour', async () => {
    const { site, get } = openSite();
    await get('/');
    await get('/forum');
    site.status = 503;
    vi.advanceTimersByTime(3_600_001);
    expect((await get('/')).status).toBe(503);
    site.status = 200;
    vi.advanceTimersByTime(1_000);
    expect((await get('/forum')).status).toBe(200);
    site.write();
    vi.advanceTimersByTime(1_000);
    site.status = 503;
    expect((await get('/forum')).status).toBe(503);
  });

  it('does not say to visitors that it lacks something', async () => {
    const { site, get } = openSite();
    site.headers = { 'x-incomplete': 'true' };
    expect((await get('/')).headers.has('x-incomplete')).toBe(false);
  });
});

it('one page under ever other addresses takes so much of the memory and no more, and the newest are kept', async () => {
  const { site, cache, get } = openSite();
  site.padding = 'x'.repeat(500_000);
  for (let n = 0; n < 100; n++) await get(`/browse?q=${n}`);
  expect(cache.size()).toBeGreaterThan(15_000_000);
  expect(cache.size()).toBeLessThan(17_000_000);
  expect(await numberOf(await get('/browse?q=99'))).toBe('101');
  expect(await numberOf(await get('/browse?q=0'))).toBe('102');
});

it('all addresses without a page are answered with one page, which is made once', async () => {
  const { site, get } = openSite();
  site.status = 404;
  for (const path of ['/nowhere', '/nowhere/else?q=1', '/nowhere/%2e', '/nowhere?next=//evil.example']) {
    const response = await get(path);
    expect([response.status, await numberOf(response)]).toEqual([404, '1']);
  }
  expect(site.seen.map(({ url }) => url)).toEqual([`${ORIGIN}/-`]);
  // The router requests a page's data in another form.
  await get('/nowhere.data');
  expect(site.seen.at(-1)?.url).toBe(`${ORIGIN}/-.data`);
});

it('a page is made under the site’s own address, however the path or the host is written', async () => {
  const { site, cache, get } = openSite();
  await get('//evil.example/about');
  await cache.answer(new Request('http://evil.example/about', { method: 'POST', body: 'form' }), VISITOR);
  expect(site.seen.map(({ url }) => url)).toEqual([`${ORIGIN}//evil.example/about`, `${ORIGIN}/about`]);
  expect(await site.seen[1]?.text()).toBe('form');
});

it('nothing is made for a client that hangs up before its turn', async () => {
  const { site, cache, get } = openSite();
  site.blocked = true;
  const running = [get('/1'), get('/2')];
  const hungUp = new AbortController();
  const waiting = cache.answer(new Request(`${ORIGIN}/3`, { signal: hungUp.signal }), VISITOR);
  hungUp.abort();
  await vi.waitFor(() => expect(site.seen).toHaveLength(2), TIMEOUT_MS);
  site.blocked = false;
  site.release();
  await expect(waiting).rejects.toThrow('aborted');
  await Promise.all(running);
  expect(site.seen).toHaveLength(2);
});

it('only a client that requests many pages at once waits for them', async () => {
  const { site, get } = openSite();
  await get('/browse');
  site.seen = [];
  site.blocked = true;
  const flood = Array.from({ length: 53 }, (_, number) => get(`/browse?q=${number}`));
  await expect(Promise.race(flood)).rejects.toThrow(QueueFull);
  expect(site.seen).toHaveLength(2);
  // The same page that waits for its turn behind the others.
  const other = get('/browse?q=40', {}, '203.0.113.2');
  await expect.poll(() => site.seen.map(({ url }) => new URL(url).search)).toEqual(['?q=0', '?q=1', '?q=40']);
  site.blocked = false;
  site.release();
  expect(await numberOf(await other)).toBe('4');
  const answers = await Promise.allSettled(flood);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(52);
  // Each was rendered once, the shared one too.
  expect(site.seen).toHaveLength(52);
});
