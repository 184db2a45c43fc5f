import { Agent, createServer, request } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { expect, it } from 'vitest';
import { drainRequestBodies } from './drain-request-bodies.ts';

/** The states in which a handler may have left a body when it answers. */
const readings: Record<string, (body: ReadableStream<Uint8Array>) => unknown> = {
  'was not read': () => undefined,
  'was begun and let go': async (body) => {
    const reader = body.getReader();
    await reader.read();
    reader.releaseLock();
  },
  'was begun and not let go': (body) => body.getReader().read(),
  'was read to its end': (body) => new Response(body).arrayBuffer(),
};

it.each(Object.entries(readings))('keeps the connection after a body that %s', async (_, read) => {
  const server = createServer(
    getRequestListener(async ({ body }) => {
      if (body) await read(body);
      return new Response('refused', { status: 413 });
    }),
  );
  drainRequestBodies(server);
  let connections = 0;
  let closed = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('close', () => {
      closed += 1;
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (size: number) =>
    new Promise<number>((resolve, reject) => {
      const port = typeof address === 'object' ? address?.port : 0;
      const sent = request({ agent, host: '127.0.0.1', port, method: 'POST' }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.on('error', reject);
      sent.end(Buffer.alloc(size));
    });
  const statuses: number[] = [];
  // More than the half second after which the adapter hangs up.
  for (const until = Date.now() + 800; Date.now() < until; ) statuses.push(await send(300_000));
  expect(new Set(statuses)).toEqual(new Set([413]));
  expect([connections, closed]).toEqual([1, 0]);
  agent.destroy();
  await new Promise((ended) => server.close(ended));
});
