import type { SharedText } from './frames.ts';

/** A change for one listener. */
export interface Delivery {
  listener: Listener;
  /** The ids of the listener's subscriptions that it belongs to. */
  ids: number[];
  /** Shared by all subscribers who may see the same. */
  data: SharedText;
}

/** A channel, as far as changes concern it. */
export interface Listener {
  /** The identifiers of its socket and of the client's network. */
  readonly socket: string;
  readonly network: string;
  /** The claims of its latest token. */
  claims: Record<string, unknown>;
  /** @param changes in the order of their commits */
  deliver(changes: readonly Delivery[]): void;
  /** The listener may have missed a change: the client has to subscribe again. */
  resubscribe(reason: string): void;
  /** The subscription cannot be served: the client does not come back by itself. */
  closeWithError(reason: string): void;
}
