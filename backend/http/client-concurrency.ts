import { AsyncLocalStorage } from 'node:async_hooks';
import type { FairQueue } from './fair-queue.ts';

interface CurrentRequest {
  /** The network of the client; see `clientNetwork`. */
  network: string;
  /** The request has a turn, and work done within it needs no other: one could wait for the other to end. */
  hasTurn: boolean;
}

const currentRequest = new AsyncLocalStorage<CurrentRequest | undefined>();

/** Answers a request, whose statements then wait for their client's turns. */
export const limitByClient = <T>(network: string, work: () => T): T =>
  currentRequest.run({ network, hasTurn: false }, work);

/** The network of the client whose request is being answered; undefined for the site's own work. */
export const currentClient = (): string | undefined => currentRequest.getStore()?.network;

/** Runs work that other clients wait for too, or that is done after the answer: without turns. */
export const withoutClientLimit = <T>(work: () => T): T => currentRequest.run(undefined, work);

/**
 * Runs the work when it is the turn of the client whose request it belongs to; at once where the site works
 * for itself.
 *
 * @throws QueueFull
 */
export function inClientQueue<T>(turns: FairQueue, work: () => Promise<T>): Promise<T> {
  const who = currentRequest.getStore();
  if (!who || who.hasTurn) return work();
  return turns.run(who.network, () => currentRequest.run({ ...who, hasTurn: true }, work));
}
