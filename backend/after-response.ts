import type { Context } from 'hono';
import { type Env, logFault } from './context.ts';
import { withoutClientLimit } from './http/client-concurrency.ts';

/**
 * Work that is done once a request has been answered, so that neither the answer nor the time it takes
 * reveals whether there was any.
 */
export class AfterResponse {
  readonly #underway = new Set<Promise<void>>();

  /** Does the work soon. Errors are only written to the log. */
  run(context: Context<Env>, work: () => Promise<unknown>): void {
    const done = new Promise((soon) => setImmediate(soon))
      .then(() => withoutClientLimit(work))
      .then(
        () => undefined,
        (error: unknown) => logFault(context, error, 'what a request asked for could not be done after it'),
      )
      .finally(() => this.#underway.delete(done));
    this.#underway.add(done);
  }

  /** Waits for the work that was submitted until now. */
  async settled(): Promise<void> {
    await Promise.all(this.#underway);
  }
}
