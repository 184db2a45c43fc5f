import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QueueFull } from '#backend/http/fair-queue.ts';
import { createPageCache } from './page-cache.ts';

const ORIGIN = 'https://limbs.example.org';

/** A site whose pages contain how often they were rendered, and with which nonce. */
function openSite() {
  let rendered = 0;
  const waiting: (() => void)[] = [];
  const site = {
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
      const nonce = `nonce-number-${++rendered}`;
      const number = rendered;
      if (site.blocked) await new Promise<void>((go) => waiting.push(go));
      return new Response(
        `<p>${number}</p><script nonce="${nonce}"></script><i nonce="${nonce}"></i>${site.padding}`,
        {
          status: site.status,
          headers: {
            'content-security-policy': `script-src 'nonce-${nonce}'`,
            'content-type': 'text/html',
            ...site.headers,
          },
        },
      );
    },
  };
  const cache = createPageCache(
    (request) => site.render(request),
    ORIGIN,
    (path) => !path.startsWith('/nowhere'),
  );
  const get = (path: string, headers = {}, client = '203.0.113.1') =>
    cache.answer(new Request(`http://elsewhere${path}`, { headers }), client);
  return { site, cache, get };
}

const numberOf = async (response: Response) => /<p>(\d+)<\/p>/.exec(await response.text())?.[1];

it('a page is rendered once until something was written, each address for itself', async () => {
  const { cache, get } = openSite();
  expect(await numberOf(await get('/browse'))).toBe('1');
  expect(await numberOf(await get('/browse'))).toBe('1');
  expect(await numberOf(await get('/browse?q=knee'))).toBe('2');
  cache.clear();
  expect(await numberOf(await get('/browse'))).toBe('3');
});

it('every answer has a nonce of its own, the same in policy and page', async () => {
  const { get } = openSite();
  const nonces = new Set<string>();
  for (let time = 0; time < 3; time++) {
    const response = await get('/');
    const policy = response.headers.get('content-security-policy') ?? '';
    const nonce = /^script-src 'nonce-(.+)'$/.exec(policy)?.[1] ?? '';
    const inPage = [...(await response.text()).matchAll(/nonce="([^"]+)"/g)].map((found) => found[1]);
    expect(inPage).toEqual([nonce, nonce]);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
});

it('what was rendered while something was written is shown to who asked, and not kept', async () => {
  const { site, cache, get } = openSite();
  site.blocked = true;
  const early = get('/');
  cache.clear();
  const late = get('/');
  site.blocked = false;
  site.release();
  expect(await numberOf(await early)).toBe('1');
  expect(await numberOf(await late)).toBe('2');
  expect(await numberOf(await get('/'))).toBe('2');
});

it('many who ask at once are served by one rendering', async () => {
  const { site, get } = openSite();
  site.blocked = true;
  const requests = [get('/'), get('/'), get('/')];
  site.release();
  for (const response of await Promise.all(requests)) expect(await numberOf(response)).toBe('1');
});

it('nothing of a visitor reaches the page: not the host, not a header', async () => {
  const { site, get } = openSite();
  await get('/browse?q=knee', {
    'x-forwarded-host': 'evil.example',
    cookie: 'a=b',
    authorization: 'Bearer x',
  });
  expect(site.seen.map((request) => [request.url, [...request.headers]])).toEqual([
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
    vi.advanceTimersByTime(5_000);
    Object.assign(site, fault);
    const pending = get('/');
    await vi.advanceTimersByTimeAsync(2_000);
    const response = await pending;
    expect([response.status, await numberOf(response)]).toEqual([200, '1']);
    Object.assign(site, { status: 200, headers: {}, blocked: false });
    site.release();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(Number(await numberOf(await get('/')))).toBeGreaterThan(1);
  });

  it('is not shown as it was once something was written, nor after an hour', async () => {
    const { site, cache, get } = openSite();
    await get('/');
    await get('/forum');
    site.status = 503;
    vi.advanceTimersByTime(3_600_001);
    expect((await get('/')).status).toBe(503);
    site.status = 200;
    vi.advanceTimersByTime(5_000);
    expect((await get('/forum')).status).toBe(200);
    cache.clear();
    site.status = 503;
    expect((await get('/forum')).status).toBe(503);
  });

  it('says to nobody that it lacks something', async () => {
    const { site, get } = openSite();
    site.headers = { 'x-incomplete': 'true' };
    expect((await get('/')).headers.has('x-incomplete')).toBe(false);
  });
});

it('one page under ever other addresses takes so much of the memory and no more, and the newest are kept', async () => {
  const { site, cache, get } = openSite();
  site.padding = 'x'.repeat(500_000);
  for (let n = 0; n < 100; n++) await get(`/browse?n=${n}`);
  expect(cache.size()).toBeGreaterThan(30_000_000);
  expect(cache.size()).toBeLessThan(34_000_000);
  expect(await numberOf(await get('/browse?n=99'))).toBe('100');
  expect(await numberOf(await get('/browse?n=0'))).toBe('101');
  cache.clear();
  expect(cache.size()).toBe(0);
});

it('whatever is not there is answered with one page, made once, with a nonce for each answer', async () => {
  const { site, get } = openSite();
  site.status = 404;
  const nonces = new Set<string>();
  for (const path of ['/nowhere', '/nowhere/else?q=1', '/nowhere/%2e', '/nowhere?next=//evil.example']) {
    const response = await get(path);
    expect([response.status, await numberOf(response)]).toEqual([404, '1']);
    nonces.add(response.headers.get('content-security-policy') ?? '');
  }
  expect(nonces.size).toBe(4);
  expect(site.seen.map(({ url }) => url)).toEqual([`${ORIGIN}/-`]);
  // The router requests a page's data in another form.
  await get('/nowhere.data');
  expect(site.seen.at(-1)?.url).toBe(`${ORIGIN}/-.data`);
});

it('a page is made under the site’s own address, however the path or the host is written', async () => {
  const { site, cache, get } = openSite();
  await get('//evil.example/about');
  await cache.answer(
    new Request('http://evil.example/about', { method: 'POST', body: 'form' }),
    '203.0.113.1',
  );
  expect(site.seen.map(({ url }) => url)).toEqual([`${ORIGIN}//evil.example/about`, `${ORIGIN}/about`]);
  expect(await site.seen[1]?.text()).toBe('form');
});

it('who asks for many pages at once waits for them, and nobody else does', async () => {
  const { site, get } = openSite();
  site.blocked = true;
  const flood = Array.from({ length: 53 }, (_, number) => get(`/browse?q=${number}`));
  await expect(Promise.race(flood)).rejects.toThrow(QueueFull);
  expect(site.seen).toHaveLength(2);
  // The same page that waits for its turn behind the others.
  const other = get('/browse?q=40', {}, '203.0.113.2');
  expect(site.seen.map(({ url }) => new URL(url).search)).toEqual(['?q=0', '?q=1', '?q=40']);
  site.blocked = false;
  site.release();
  expect(await numberOf(await other)).toBe('3');
  const answers = await Promise.allSettled(flood);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(52);
  // Each was rendered once, the shared one too.
  expect(site.seen).toHaveLength(52);
});
