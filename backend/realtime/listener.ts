/** A channel, as far as changes concern it. */
export interface Listener {
  /** Names its socket, and the client's network. */
  readonly socket: string;
  readonly network: string;
  /** Of the token it was last given. */
  claims: Record<string, unknown>;
  /** @param data JSON text, shared by all who may see the same */
  deliver(bindingIds: number[], data: string): void;
  /** It may have missed something: the client has to subscribe again. */
  resubscribe(reason: string): void;
  /** What it asked for cannot be had: the client does not come back by itself. */
  closeWithError(reason: string): void;
}
