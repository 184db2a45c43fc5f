import { expect, it } from 'vitest';
import { createPageCache } from '../page-cache.ts';

const ORIGIN = 'https://limbs.example.org';

/** A site whose pages say how often they were rendered, and with which nonce. */
function openSite() {
  let rendered = 0;
  const waiting: (() => void)[] = [];
  const site = {
    held: false,
    status: 200,
    seen: [] as Request[],
    release() {
      for (const go of waiting.splice(0)) go();
    },
    async render(request: Request): Promise<Response> {
      site.seen.push(request);
      const nonce = `nonce-number-${++rendered}`;
      const number = rendered;
      if (site.held) await new Promise<void>((go) => waiting.push(go));
      return new Response(`<p>${number}</p><script nonce="${nonce}"></script><i nonce="${nonce}"></i>`, {
        status: site.status,
        headers: { 'content-security-policy': `script-src 'nonce-${nonce}'`, 'content-type': 'text/html' },
      });
    },
  };
  const cache = createPageCache((request) => site.render(request), ORIGIN);
  const get = (path: string, headers = {}) =>
    cache.answer(new Request(`http://elsewhere${path}`, { headers }));
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
  site.held = true;
  const early = get('/');
  cache.clear();
  const late = get('/');
  site.held = false;
  site.release();
  expect(await numberOf(await early)).toBe('1');
  expect(await numberOf(await late)).toBe('2');
  expect(await numberOf(await get('/'))).toBe('2');
});

it('many who ask at once are served by one rendering', async () => {
  const { site, get } = openSite();
  site.held = true;
  const asked = [get('/'), get('/'), get('/')];
  site.release();
  for (const response of await Promise.all(asked)) expect(await numberOf(response)).toBe('1');
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

it('a failure is passed on and not kept', async () => {
  const { site, get } = openSite();
  site.status = 500;
  expect((await get('/')).status).toBe(500);
  site.status = 200;
  expect(await numberOf(await get('/'))).toBe('2');
});
