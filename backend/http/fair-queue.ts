/** This client already has the permitted amount of work waiting. */
export class QueueFull extends Error {}

/** A client whose work took this long has one piece of it run at a time, for the time after it. */
const SLOW_MS = 200;
const SLOW_FOR_MS = 10_000;

export interface Limits {
  /** The pieces of work that run at once. */
  maxRunning: number;
  /** The pieces of them that may belong to one client. */
  maxRunningOfOne: number;
  /** The pieces of one client's work that may wait for their turn. */
  maxWaitingOfOne: number;
}

/**
 * Shares a scarce resource among clients: turns rotate among the waiting clients, so that a client with many
 * requests waits for its own, and the others for no more than one turn each.
 */
export class FairQueue {
  readonly #limits: Limits;
  readonly #running = new Map<string, number>();
  /** In the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** The time until which a client counts as slow, oldest first. */
  readonly #slow = new Map<string, number>();
  #total = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** The pieces of work that run or wait. */
  get load(): number {
    return [...this.#waiting.values()].reduce((sum, queue) => sum + queue.length, this.#total);
  }

  /**
   * Runs the work when it is the client's turn.
   *
   * @param client the name of the client; see `clientNetwork`
   * @throws QueueFull
   */
  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#waiting.get(client) ?? [];
    // New work of a client does not pass that client's waiting work.
    if (queue.length === 0 && this.#mayRun(client)) this.#acquire(client);
    else {
      if (queue.length >= this.#limits.maxWaitingOfOne) throw new QueueFull('Too many requests at once');
      this.#waiting.set(client, queue);
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const ended = performance.now();
      if (ended - startedAt > SLOW_MS) {
        this.#slow.delete(client);
        this.#slow.set(client, ended + SLOW_FOR_MS);
      }
      this.#release(client);
    }
  }

  #isSlow(client: string): boolean {
    const now = performance.now();
    for (const [oldest, until] of this.#slow) {
      if (until > now) break;
      this.#slow.delete(oldest);
    }
    return this.#slow.has(client);
  }

  #mayRun(client: string): boolean {
    const max = this.#isSlow(client) ? 1 : this.#limits.maxRunningOfOne;
    return this.#total < this.#limits.maxRunning && (this.#running.get(client) ?? 0) < max;
  }

  #acquire(client: string): void {
    this.#total++;
    this.#running.set(client, (this.#running.get(client) ?? 0) + 1);
  }

  #release(client: string): void {
    this.#total--;
    const left = (this.#running.get(client) ?? 1) - 1;
    if (left > 0) this.#running.set(client, left);
    else this.#running.delete(client);
    // A client whose work starts moves behind all others who wait, and comes round again while there is room
    // for more of its work.
    for (const [next, queue] of this.#waiting) {
      if (this.#total >= this.#limits.maxRunning) return;
      if (!this.#mayRun(next)) continue;
      const start = queue.shift();
      this.#waiting.delete(next);
      if (queue.length > 0) this.#waiting.set(next, queue);
      // The place is taken before the waiter wakes, so that no other work takes it in between.
      this.#acquire(next);
      start?.();
    }
  }
}
