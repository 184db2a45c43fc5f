import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { createHttpServer, type Handler } from './http-server.ts';

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The port of a server that answers everything with `handle`. */
async function listening(handle: Handler): Promise<number> {
  const server = createHttpServer('http://127.0.0.1', createLog('silent'), handle, () => false);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** What a client gets: the status, or the reason why there is none, and whether the answer came to its end. */
const get = (port: number, path = '/') =>
  new Promise<{ status: number | undefined; whole: boolean; body: string }>((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      let body = '';
      answer.on('data', (piece) => {
        body += piece;
      });
      answer.on('error', () => undefined);
      answer.on('close', () => resolve({ status: answer.statusCode, whole: answer.complete, body }));
    });
    sent.on('error', () => resolve({ status: undefined, whole: false, body: '' }));
    sent.end();
  });

const pieces = (count: number, size: number) => Array.from({ length: count }, () => Buffer.alloc(size, 'x'));

it('an address may have 32,768 characters, and a longer one is refused in words', async () => {
  const port = await listening(({ url }) => new Response(String(new URL(url).search.length)));
  const { status, body } = await get(port, `/?${'a'.repeat(32_000)}`);
  expect([status, body]).toEqual([200, '32001']);
  const refused = await get(port, `/?${'a'.repeat(60_000)}`);
  expect([refused.status, JSON.parse(refused.body)]).toEqual([
    431,
    { message: 'The address and headers of the request are too long' },
  ]);
});

it('an answer that is there as a whole is sent with its length, and not as a stream', async () => {
  const port = await listening(() => new Response('whole'));
  expect((await fetch(`http://127.0.0.1:${port}/`)).headers.get('content-length')).toBe('5');
});

/** Sources that fail after so many pieces. */
const sources: [string, Buffer[]][] = [
  ['before anything', []],
  ['after a little', pieces(1, 100)],
  ['after some pieces', pieces(5, 100)],
  ['after more than the connection takes at once', pieces(40, 1024 * 1024)],
];

const streamOf = (all: Buffer[], end: (controller: ReadableStreamDefaultController) => void) => {
  const left = [...all];
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift();
      if (piece) controller.enqueue(new Uint8Array(piece));
      else end(controller);
    },
  });
};

/** A source that fails when its next piece is asked for. */
const failing = (before: Buffer[]) =>
  streamOf(before, (controller) => controller.error(new Error('secret: the disk is gone')));

/** A source that fails while no one waits for its next piece. */
const failingByItself = (before: Buffer[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of before) controller.enqueue(new Uint8Array(piece));
      setTimeout(() => controller.error(new Error('secret: the disk is gone')), 5);
    },
  });

describe('an answer whose source fails', () => {
  for (const [when, before] of sources)
    for (const [kind, source] of [
      ['as it is read', () => failing(before)],
      ['by itself', () => failingByItself(before)],
    ] as const)
      it.each([
        ['plain', () => new Response(source())],
        ['with a status', () => new Response(source(), { headers: { 'content-type': 'a/b' } })],
        ['passed on', () => new Response(new Response(source()).body, { status: 200 })],
        ['cloned', () => new Response(source()).clone()],
      ])(`${when} ${kind}, %s, never looks whole`, async (_kind, answer) => {
        const { status, whole, body } = await get(await listening(answer));
        expect(whole && status === 200).toBe(false);
        expect(body).not.toContain('secret');
      });

  it('is whole when it does not', async () => {
    const all = pieces(3, 100);
    const { status, whole, body } = await get(
      await listening(() => new Response(streamOf(all, (controller) => controller.close()))),
    );
    expect([status, whole, body.length]).toEqual([200, true, 300]);
  });
});
