import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { clientNetworkOf } from './client-address.ts';
import { FairQueue, type Limits, QueueFull } from './fair-queue.ts';

/**
 * What may be held at once: of each kind, so much under one name. A client's name is that of its network (see
 * `clientNetwork`), a member's their id; the row G37 of docs/threats.md says what each is for.
 */
export const MAX_HELD = {
  /** Connections, where no proxy of the operator holds those of its clients. */
  'connections of a network': 2_000,
  /** Requests from their first byte until their answer is read: those that may wait for a turn or a download, and as many again. */
  'requests of a network': 1_000,
  /** Open websockets: enough for the people of a clinic behind one address, each with several tabs. */
  'sockets of a network': 500,
  /** Channels that were joined, each with a timer. */
  'channels of a socket': 100,
  'channels of a network': 5_000,
  /** The messages by which channels were joined: their names and filters are kept. */
  'joined bytes of a network': 32 * 1024 * 1024,
  /** What waits to be read, or to be sent: messages of websockets, bodies of requests, answers. */
  'waiting bytes of a network': 64 * 1024 * 1024,
  'subscriptions of a socket': 500,
  'subscriptions of a network': 10_000,
  'filters of a socket': 100,
  'filters of a network': 500,
  'filters of a table': 5_000,
  /** Files that are being read, each with a handle or a connection to the bucket, which has 512 of these. */
  'downloads of a network': 64,
  'waiting downloads of a network': 512,
  /** Archives that are made while they are read. */
  'archives of a network': 8,
  'archives of a member': 3,
} as const satisfies Record<string, number>;

export type Kind = keyof typeof MAX_HELD;

/** So much of a kind under a name. */
export type Use = readonly [kind: Kind, name: string, amount: number];

/** The largest body that is kept until it is whole; a file that is longer goes to the disk as it comes. */
const MAX_KEPT_BODY = 1024 * 1024;
/** A connection is closed on which an answer waits, and nothing is read or sent for so long. */
export const UNREAD_MS = 2 * 60_000;

/** Whoever asks would hold more than may be held under one name. */
export class TooMuchHeld extends QueueFull {
  /** As a refusal says it. */
  readonly most: string;

  constructor(kind: Kind, max: number) {
    const most = `${max} ${kind} at most`;
    super(`Too many at once: ${most}`);
    this.most = most;
  }
}

interface Waiter {
  uses: Use[];
  start(): void;
}

/** Knows what clients hold of this process, so that none takes what others need. */
export class Held {
  readonly #max: Record<Kind, number>;
  readonly #used = new Map<Kind, Map<string, number>>();
  /** Downloads, in the order in which they came. */
  readonly #waiting = new Set<Waiter>();
  readonly #queues: FairQueue[] = [];

  constructor(max: Record<Kind, number>) {
    this.#max = max;
  }

  /**
   * Takes all of these, or none.
   *
   * @returns gives them back; only its first call counts
   * @throws TooMuchHeld
   */
  take(uses: Use[]): () => void {
    const refused = this.#refused(uses);
    if (refused) throw new TooMuchHeld(refused, this.#max[refused]);
    for (const use of uses) this.#add(use, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const use of uses) this.#add(use, -1);
    };
  }

  /**
   * Takes room for one more file that a client reads, as soon as there is some.
   *
   * @param request whose end ends the waiting; its signal is asked for by no one who need not wait, as making one costs something
   * @returns gives the room back, once the file is read
   * @throws TooMuchHeld where too many wait already; the reason of the signal
   */
  async download(client: string | undefined, request: Pick<Request, 'signal'>): Promise<() => void> {
    // The site itself reads no more than it is asked to.
    if (client === undefined) return () => undefined;
    const uses: Use[] = [['downloads of a network', client, 1]];
    const take = () => {
      const release = this.take(uses);
      return () => {
        release();
        this.#startNext();
      };
    };
    if (!this.#refused(uses)) return take();
    const leave = this.take([['waiting downloads of a network', client, 1]]);
    const { signal } = request;
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter: Waiter = { uses, start: () => resolve(take()) };
    const giveUp = () => {
      // At once, so that no place is given to it that comes free in the same moment.
      this.#waiting.delete(waiter);
      reject(signal.reason);
    };
    this.#waiting.add(waiter);
    signal.addEventListener('abort', giveUp);
    try {
      signal.throwIfAborted();
      return await promise;
    } finally {
      this.#waiting.delete(waiter);
      signal.removeEventListener('abort', giveUp);
      leave();
    }
  }

  /** The turns at something, which are held while they are waited for and had. */
  turns(limits: Limits): FairQueue {
    const queue = new FairQueue(limits);
    this.#queues.push(queue);
    return queue;
  }

  /** The turns at something that does one piece of work at a time. */
  oneAtATime(maxWaitingOfOne: number): FairQueue {
    return this.turns({ maxRunning: 1, maxRunningOfOne: 1, maxWaitingOfOne });
  }

  /** What is held of each kind under all names together. */
  counts(): Record<Kind | 'turns', number> {
    const turns = this.#queues.reduce((sum, { load }) => sum + load, 0);
    const counts = { ...this.#max, turns };
    for (const kind of Object.keys(this.#max) as Kind[])
      counts[kind] = [...(this.#used.get(kind)?.values() ?? [])].reduce((sum, amount) => sum + amount, 0);
    return counts;
  }

  #refused(uses: Use[]): Kind | undefined {
    return uses.find(
      ([kind, name, amount]) => amount > 0 && this.#usedBy(kind, name) + amount > this.#max[kind],
    )?.[0];
  }

  /** Starts the downloads that wait and have room now. They take it before they wake, so that no other comes in between. */
  #startNext(): void {
    for (const waiter of this.#waiting) {
      if (this.#refused(waiter.uses)) continue;
      this.#waiting.delete(waiter);
      waiter.start();
    }
  }

  #usedBy(kind: Kind, name: string): number {
    return this.#used.get(kind)?.get(name) ?? 0;
  }

  #add([kind, name, amount]: Use, sign: 1 | -1): void {
    const names = this.#used.get(kind) ?? new Map<string, number>();
    this.#used.set(kind, names);
    const left = this.#usedBy(kind, name) + sign * amount;
    if (left > 0) names.set(name, left);
    else names.delete(name);
  }
}

/** The same bytes; it is said once they are read, or no one will read them. */
export function whileRead(
  body: ReadableStream<Uint8Array>,
  onOver: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value as Uint8Array<ArrayBuffer>);
          onOver();
          controller.close();
        } catch (error) {
          onOver();
          controller.error(error);
        }
      },
      cancel(reason) {
        onOver();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Counts each request under its client's network until its answer is read, with what waits of it: its body, and then as much of the
 * answer as its client leaves unread.
 *
 * @returns called with a request that comes, throws TooMuchHeld, and otherwise gives what is to be called once the answer is made
 */
export const countRequests =
  (held: Held, trustProxy: boolean) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): (() => void) => {
    const network = clientNetworkOf(incoming, trustProxy);
    const { 'content-length': length = 0, 'transfer-encoding': isOfUnknownLength } = incoming.headers;
    const take = (waiting: number) =>
      held.take([
        ['requests of a network', network, 1],
        ['waiting bytes of a network', network, waiting],
      ]);
    let release = take(isOfUnknownLength ? MAX_KEPT_BODY : Math.min(Number(length), MAX_KEPT_BODY));
    outgoing.once('close', () => release());
    return () => {
      const unread = outgoing.writableLength;
      if (unread === 0 || outgoing.destroyed) return;
      outgoing.setTimeout(UNREAD_MS);
      release();
      try {
        release = take(unread);
      } catch {
        outgoing.destroy();
      }
    };
  };

/** Counts the connections of each network, and closes those that are too many. */
export function countConnections(held: Held, server: Server): void {
  server.on('connection', (socket) => {
    try {
      socket.once(
        'close',
        held.take([['connections of a network', clientNetworkOf({ headers: {}, socket }, false), 1]]),
      );
    } catch {
      socket.destroy();
    }
  });
}
