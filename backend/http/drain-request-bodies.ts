import type { Server } from 'node:http';

/**
 * Reads and discards the part of a request's body that a handler left unread once its answer is out: a
 * browser reads the answer only when it has sent everything, and hanging up on it would lose the answer. The
 * connection is then kept for the next request. The time for it is that of any request.
 */
export function drainRequestBodies(server: Server): void {
  server.prependListener('request', (incoming, outgoing) => {
    outgoing.once('finish', () => {
      if (incoming.readableEnded || incoming.destroyed) return;
      incoming.removeAllListeners('data');
      incoming.removeAllListeners('readable');
      incoming.resume();
      // The adapter then leaves the connection alone; it would hang up on a sender after half a second.
      Object.defineProperty(incoming, 'readableEnded', { value: true });
    });
  });
}
