/** As much of this client's work waits as may. */
export class TooMuchWaiting extends Error {}

/** Whose work took so long has one piece of it run at a time, for a while. */
const SLOW_MS = 200;
const SLOW_FOR_MS = 10_000;

interface Limits {
  /** Pieces of work that run at once. */
  maxRunning: number;
  /** Of them, those of one client. */
  maxRunningOfOne: number;
  /** Pieces of one client's work that wait for their turn. */
  maxWaitingOfOne: number;
}

/**
 * Shares something scarce among clients: whose turn it is goes round among those who wait, so that a client who asks for
 * much waits for its own, and for no longer than the others have a turn.
 */
export class FairShare {
  readonly #limits: Limits;
  readonly #running = new Map<string, number>();
  /** In the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Until when a client counts as slow, oldest first. */
  readonly #slow = new Map<string, number>();
  #total = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Runs the work when it is the client's turn.
   *
   * @param client a name for whoever asks; see `clientNetwork`
   * @throws TooMuchWaiting
   */
  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    if (!this.#mayRun(client)) {
      const queue = this.#waiting.get(client) ?? [];
      if (queue.length >= this.#limits.maxWaitingOfOne) throw new TooMuchWaiting('Too many requests at once');
      this.#waiting.set(client, queue);
      await new Promise<void>((resolve) => queue.push(resolve));
    } else this.#take(client);
    const began = performance.now();
    try {
      return await work();
    } finally {
      if (performance.now() - began > SLOW_MS) this.#slow.set(client, performance.now() + SLOW_FOR_MS);
      this.#give(client);
    }
  }

  #mayRun(client: string): boolean {
    return (
      this.#total < this.#limits.maxRunning && (this.#running.get(client) ?? 0) < this.#limits.maxRunningOfOne
    );
  }

  #take(client: string): void {
    this.#total++;
    this.#running.set(client, (this.#running.get(client) ?? 0) + 1);
  }

  #give(client: string): void {
    this.#total--;
    const left = (this.#running.get(client) ?? 1) - 1;
    if (left > 0) this.#running.set(client, left);
    else this.#running.delete(client);
    for (const [next, queue] of this.#waiting) {
      if (!this.#mayRun(next)) continue;
      const start = queue.shift();
      // Behind all others who wait.
      this.#waiting.delete(next);
      if (queue.length > 0) this.#waiting.set(next, queue);
      // Taken before it wakes, so that nobody slips in between.
      this.#take(next);
      start?.();
      return;
    }
  }
}
