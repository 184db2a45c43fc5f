import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '#backend/log.ts';
import { temporaryFolder } from '../../tests/temporary-folder.ts';
import { createRenderer, startRenderThreads } from './renderers.ts';

/** A built site whose pages do what their paths say. */
const BUILD = `
const pages = {
  '/ok': () => new Response('done'),
  '/called': async (api) => new Response(await (await api('http://localhost/rest/v1/rpc/words', { method: 'POST', headers: { apikey: 'key' }, body: '{}' })).text()),
  '/unreachable': (api) => api('http://localhost/rest/v1/nothing'),
  '/asked': (api, request) => {
    const { searchParams } = new URL(request.url);
    return new Response(String(searchParams.get('q') ?? new URLSearchParams(searchParams.toString()).has('r', '1')));
  },
  '/endless': () => { for (;;); },
  '/crash': () => new Promise(() => setTimeout(() => { throw new Error('nothing foresaw this'); })),
  '/hungry': () => { const all = []; for (;;) all.push(new Array(1e6).fill({})); },
  '/echo': async (api, request) => new Response(await request.text(), { status: 201, headers: { 'x-method': request.method } }),
};
export const entry = { module: {
  pageRoutes: () => [{ path: '/ok', hasAction: false }],
  createHandler: (build, mode, settings, api) => (request) => pages[new URL(request.url).pathname](api, request),
} };
`;
const root = temporaryFolder('renderers');
const calls: { url: string; method: string; apikey: string | null }[] = [];
let threads: ReturnType<typeof startRenderThreads>;
let renderer: ReturnType<typeof createRenderer>;

async function api(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  if (request.url.endsWith('/nothing')) throw new TypeError('the connection was refused');
  calls.push({ url: request.url, method: request.method, apikey: request.headers.get('apikey') });
  return new Response(`answer ${calls.length}`);
}

beforeEach(() => {
  mkdirSync(join(root, 'build/server'), { recursive: true });
  writeFileSync(join(root, 'build/server/index.js'), BUILD);
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  threads = startRenderThreads({ root, logLevel: 'silent' }, createLog('silent'));
  renderer = createRenderer(threads, {} as Parameters<typeof createRenderer>[1], api);
});
afterEach(() => threads.destroy());

const get = (path: string) => renderer.render(new Request(`http://localhost${path}`));
const textOf = async (path: string) => new TextDecoder().decode((await get(path)).body);

it('a page is made from calls of the API that the main thread answers, and says which they were', async () => {
  const page = await get('/called');
  expect(new TextDecoder().decode(page.body)).toBe('answer 1');
  const [call] = page.calls ?? [];
  expect(calls).toEqual([{ url: call?.url, method: 'POST', apikey: 'key' }]);
  expect(call?.init).toMatchObject({ method: 'POST', body: '{}' });
  expect(await renderer.routes()).toEqual([{ path: '/ok', hasAction: false }]);
});

it('a page says which parameters of its address it looked for', async () => {
  expect([await textOf('/asked?q=knee'), await textOf('/asked?r=1')]).toEqual(['knee', 'true']);
  expect((await get('/asked?q=knee&x=1')).parameters).toEqual(['q']);
  expect((await get('/asked')).parameters).toEqual(['q', 'r']);
  expect((await get('/ok?q=knee')).parameters).toEqual([]);
});

it('a form reaches its page, and the answer keeps status and headers', async () => {
  const page = await renderer.render(new Request('http://localhost/echo', { method: 'POST', body: 'typed' }));
  expect(page.status).toBe(201);
  expect(page.headers).toContainEqual(['x-method', 'POST']);
  expect(new TextDecoder().decode(page.body)).toBe('typed');
});

it('an API that cannot be reached is an error of the page alone', async () => {
  await expect(get('/unreachable')).rejects.toThrow('the connection was refused');
  expect(await textOf('/ok')).toBe('done');
});

it.each(['/endless', '/crash', '/hungry'])('the page %s costs no other page its answer', async (path) => {
  const impatient = createRenderer(threads, {} as Parameters<typeof createRenderer>[1], api, 1_000);
  const broken = impatient.render(new Request(`http://localhost${path}`));
  const [outcome, other] = await Promise.allSettled([broken, textOf('/ok')]);
  expect(outcome.status).toBe('rejected');
  expect(other).toEqual({ status: 'fulfilled', value: 'done' });
  expect(await textOf('/ok')).toBe('done');
});

it('many pages at once wait for a thread, and all of them come', async () => {
  const texts = await Promise.all(Array.from({ length: 40 }, () => textOf('/ok')));
  expect(new Set(texts)).toEqual(new Set(['done']));
  expect(renderer.load().waiting).toBe(0);
});

it('a built site that cannot be loaded is an error', async () => {
  writeFileSync(join(root, 'build/server/index.js'), 'export const entry = nothing;');
  const broken = startRenderThreads({ root, logLevel: 'silent' }, createLog('silent'));
  const { routes } = createRenderer(broken, {} as Parameters<typeof createRenderer>[1], api);
  await expect(routes()).rejects.toThrow('nothing is not defined');
  await broken.destroy();
});
