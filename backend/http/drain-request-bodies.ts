import type { Server } from 'node:http';

/**
 * Reads and discards the part of a request's body that a handler left unread once its answer is out, so that
 * the connection can be kept. The adapter does that too, but a body that was begun is held back by its first
 * reader: the adapter then waits for half a second and hangs up, on a client that may just be sending its
 * next request.
 */
export function drainRequestBodies(server: Server): void {
  server.prependListener('request', (incoming, outgoing) => {
    outgoing.once('finish', () => {
      if (incoming.readableEnded || incoming.destroyed) return;
      incoming.removeAllListeners('data');
      incoming.removeAllListeners('readable');
      incoming.resume();
    });
  });
}
