import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../log.ts';
import { createHttpServer, type Handler } from './http-server.ts';

/** More than the half second after which the adapter itself hangs up on a sender. */
const ADAPTER_MS = 800;

async function listen(handle: Handler) {
  const server = createHttpServer('http://localhost', createLog('silent'), handle, () => false);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

const refuse = () => new Response('refused', { status: 413 });

/** The states in which a handler may have left a body when it answers. */
const readings: Record<string, (body: ReadableStream<Uint8Array>) => unknown> = {
  'was not read': () => undefined,
  'was begun and let go': async (body) => {
    const reader = body.getReader();
    await reader.read();
    reader.releaseLock();
  },
  'was begun and not let go': (body) => body.getReader().read(),
  'was cancelled': (body) => body.cancel(),
  'was read to its end': (body) => new Response(body).arrayBuffer(),
};

it.each(Object.entries(readings))('keeps the connection after a body that %s', async (_, read) => {
  const { server, port } = await listen(async ({ body }) => {
    if (body) await read(body);
    return refuse();
  });
  let connections = 0;
  let closed = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('close', () => {
      closed += 1;
    });
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (size: number) =>
    new Promise<number>((resolve, reject) => {
      const sent = request({ agent, host: '127.0.0.1', port, method: 'POST' }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.on('error', reject);
      sent.end(Buffer.alloc(size));
    });
  const statuses: number[] = [];
  for (const until = Date.now() + ADAPTER_MS; Date.now() < until; ) statuses.push(await send(300_000));
  expect(new Set(statuses)).toEqual(new Set([413]));
  expect([connections, closed]).toEqual([1, 0]);
  agent.destroy();
});

it('lets a slow sender finish what was refused at once, and takes its next request', async () => {
  const { port } = await listen(refuse);
  const socket = connect(port, '127.0.0.1');
  let answers = '';
  const closed = once(socket, 'close');
  socket.setEncoding('utf8').on('data', (text) => {
    answers += text;
  });
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n');
  socket.write(Buffer.alloc(100_000));
  await expect.poll(() => answers).toContain('refused');
  await wait(ADAPTER_MS);
  socket.write(Buffer.alloc(100_000));
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await closed;
  expect(answers.match(/HTTP\/1\.1 413/g)).toHaveLength(2);
});
