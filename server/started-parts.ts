import { tryEach } from '#backend/try-each.ts';

/** Stops a part; nothing where its end is no work. */
type Stop = (() => unknown) | undefined;

/** A part was to start when the others were being stopped. */
export class Stopping extends Error {}

/**
 * The parts of a process that have started, or are starting. They are stopped in one order whatever the moment, and none starts
 * afterwards.
 */
export class StartedParts<Name extends string> {
  readonly #order: readonly Name[];
  readonly #parts = new Map<Name, Promise<Stop>>();
  #stopped: Promise<void> | undefined;

  /** @param order of all parts: each stands on those before it, and stops before them */
  constructor(order: readonly Name[]) {
    this.#order = order;
  }

  get areStopping(): boolean {
    return this.#stopped !== undefined;
  }

  /**
   * Starts a part. When the parts are stopped in the meantime, it is stopped too, once it has started.
   *
   * @param begin returns the function that stops it; a part that fails has stopped itself
   * @throws Stopping when it is too late
   */
  async start(name: Name, begin: () => Promise<Stop> | Stop): Promise<void> {
    if (this.areStopping) throw new Stopping();
    const started = Promise.resolve().then(begin);
    this.#parts.set(
      name,
      started.catch(() => undefined),
    );
    await started;
    if (this.areStopping) throw new Stopping();
  }

  /** Stops all parts from the last to the first, also those before one that fails; a second call waits for the first. @throws the first failure */
  stop(): Promise<void> {
    this.#stopped ??= tryEach(this.#order.toReversed(), async (name) => (await this.#parts.get(name))?.());
    return this.#stopped;
  }
}
