import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { countConnections, countRequests, Held, MAX_HELD, UNREAD_MS } from './held.ts';
import { type Count, createHttpServer, type Handler } from './http-server.ts';

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The port of a server that answers everything with `handle`. */
async function listening(handle: Handler, count?: Count, held?: Held): Promise<number> {
  const server = createHttpServer(
    'http://127.0.0.1',
    createLog('silent'),
    handle,
    () => false,
    undefined,
    count,
  );
  servers.push(server);
  if (held) countConnections(held, server);
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

describe('one network', () => {
  const MEBIBYTE = 1024 * 1024;
  const held = new Held({
    ...MAX_HELD,
    'connections of a network': 4,
    'requests of a network': 2,
    'waiting bytes of a network': 40 * MEBIBYTE,
  });
  const count = countRequests(held, true);
  const sockets: Socket[] = [];
  /** A client that reads what it gets only when it is told to. */
  const client = (port: number, head: string, network = '203.0.113.1') => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(`${head} HTTP/1.1\r\nhost: x.example\r\nx-forwarded-for: ${network}\r\n\r\n`);
    sockets.push(socket);
    return socket;
  };
  const answered = async (socket: Socket) => {
    socket.resume();
    const [bytes] = await once(socket, 'data');
    return String(bytes).split('\r\n');
  };
  const nothingIsHeld = () =>
    expect.poll(() => Object.entries(held.counts()).filter(([, count]) => count > 0)).toEqual([]);
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await nothingIsHeld();
  });

  it('has so many requests at once, also one behind the other on one connection', async () => {
    const waiting: (() => void)[] = [];
    const port = await listening(async () => {
      await new Promise<void>((go) => waiting.push(go));
      return new Response('done');
    }, count);
    const get = 'GET / HTTP/1.1\r\nhost: x.example\r\nx-forwarded-for: 203.0.113.1\r\n\r\n';
    const first = client(port, `${get}GET /`);
    await expect.poll(() => waiting.length).toBe(2);
    const refused = await answered(client(port, 'GET /'));
    expect(refused[0]).toBe('HTTP/1.1 429 Too Many Requests');
    expect(refused).toContain('Retry-After: 1');
    const other = client(port, 'GET /', '203.0.113.2');
    await expect.poll(() => waiting.length).toBe(3);
    for (const go of waiting.splice(0)) go();
    for (const socket of [first, other]) expect((await answered(socket))[0]).toBe('HTTP/1.1 200 OK');
    await nothingIsHeld();
    const next = client(port, 'GET /');
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.();
    expect((await answered(next))[0]).toBe('HTTP/1.1 200 OK');
  });

  it('leaves so much of its answers unread, and what is read is forgotten', async () => {
    const seen: Socket[] = [];
    const port = await listening((_request, { incoming }) => {
      seen.push(incoming.socket as Socket);
      return new Response('x'.repeat(30 * MEBIBYTE));
    }, count);
    const unread = () => held.counts()['waiting bytes of a network'] / MEBIBYTE;
    const reader = client(port, 'GET /');
    // The system’s own buffers take the rest.
    await expect.poll(unread).toBeGreaterThan(20);
    expect(seen[0]?.timeout).toBe(UNREAD_MS);
    const closed = once(client(port, 'GET /').resume(), 'close');
    await closed;
    expect(unread()).toBeLessThan(31);
    reader.resume();
    await nothingIsHeld();
    expect(seen[0]?.timeout).toBeLessThan(UNREAD_MS);
    expect((await answered(client(port, 'GET /')))[0]).toBe('HTTP/1.1 200 OK');
  });

  it('sends so much of bodies that are kept until they are whole', async () => {
    const port = await listening(async (request) => new Response(await request.text()), count);
    const sending = client(port, 'POST /?a HTTP/1.1\r\ncontent-length: 500000\r\nx: ');
    await expect.poll(() => held.counts()['waiting bytes of a network']).toBe(500_000);
    client(port, 'POST /?a HTTP/1.1\r\ntransfer-encoding: chunked\r\nx: ');
    await expect.poll(() => held.counts()['waiting bytes of a network']).toBe(500_000 + MEBIBYTE);
    sending.write('a'.repeat(500_000));
    expect((await answered(sending))[0]).toBe('HTTP/1.1 200 OK');
  });

  it('has so many connections', async () => {
    const port = await listening(() => new Response('done'), undefined, held);
    const open = Array.from({ length: 4 }, () => client(port, 'GET /'));
    await expect.poll(() => held.counts()['connections of a network']).toBe(4);
    await once(client(port, 'GET /').resume(), 'close');
    for (const socket of open) expect((await answered(socket))[0]).toBe('HTTP/1.1 200 OK');
    open[0]?.destroy();
    await expect.poll(() => held.counts()['connections of a network']).toBe(3);
    expect((await answered(client(port, 'GET /')))[0]).toBe('HTTP/1.1 200 OK');
  });
});

it('breaks off a body in ever shorter chunks, and none in usual ones', async () => {
  const port = await listening(async (request) => new Response(String((await request.text()).length)));
  const sent = async (chunk: string, times: number) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const closed = once(socket, 'close');
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    socket.write('POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n');
    socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(times));
    socket.write('0\r\n\r\n');
    await closed;
    return answer.split('\r\n').at(-1);
  };
  expect(await sent('a'.repeat(100), 5_000)).toBe('500000');
  expect(await sent('a', 1_000)).toBe('1000');
  expect(await sent('a', 5_000)).toBe('');
});
