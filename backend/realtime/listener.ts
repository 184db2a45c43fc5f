/** A channel, as far as changes concern it. */
export interface Listener {
  /** The identifiers of its socket and of the client's network. */
  readonly socket: string;
  readonly network: string;
  /** The claims of its latest token. */
  claims: Record<string, unknown>;
  /** @param data JSON text, shared by all subscribers who may see the same */
  deliver(bindingIds: number[], data: string): void;
  /** The listener may have missed a change: the client has to subscribe again. */
  resubscribe(reason: string): void;
  /** The subscription cannot be served: the client does not come back by itself. */
  closeWithError(reason: string): void;
}
