import type { JWTPayload } from 'jose';
import { InvalidToken, type Keys } from '../crypto/tokens.ts';
import type { Database } from '../database/database.ts';
import { type FairQueue, QueueFull } from '../http/fair-queue.ts';
import { type Held, TooMuchHeld } from '../http/held.ts';
import type { Logger } from '../log.ts';
import type { Changes } from './changes.ts';
import type { Delivery, Listener } from './listener.ts';
import { bindingId, type Subscription, SubscriptionRefused, subscriptionOf } from './subscriptions.ts';

const MAX_BINDINGS = 100;
const MAX_WAIT_MS = 20_000;
const DEFAULT_WAIT_MS = 15_000;
/** Timers cannot run longer; a token that lives longer is checked again then. */
const MAX_TIMER_MS = 3_600_000;

/** The reasons to refuse a join, in the official service's form: the code, a colon, the reason. */
export class JoinRefused extends Error {}

/** The actions that a channel performs through its socket. */
export interface Wire {
  push(event: string, payload: string): void;
  deliver(changes: readonly Delivery[]): void;
  /**
   * The channel is over; the client receives this event and closes the channel (`phx_close`) or joins again
   * (`phx_error`).
   */
  end(event: 'phx_close' | 'phx_error'): void;
}

interface Services {
  log: Logger;
  database: Database;
  keys: Keys;
  changes: Changes;
  held: Held;
  /** The turns in which clients have their subscriptions checked against the database. */
  turns: FairQueue;
}

/** One topic that a client joined: its subscriptions, its identity, and the time until which it is valid. */
export class Channel implements Listener {
  readonly socket: string;
  readonly network: string;
  claims: Record<string, unknown> = {};
  readonly #name: string;
  readonly #wire: Wire;
  readonly #services: Services;
  #bindings: Record<string, unknown>[] = [];
  #token = '';
  #expiry: NodeJS.Timeout | undefined;
  #release: (() => void) | undefined;
  #ended = false;

  /** @param topic with its prefix `realtime:` */
  constructor(topic: string, wire: Wire, client: Pick<Listener, 'socket' | 'network'>, services: Services) {
    this.socket = client.socket;
    this.network = client.network;
    this.#name = topic.slice('realtime:'.length);
    this.#wire = wire;
    this.#services = services;
  }

  /**
   * @param token of the join, else the one the socket was opened with
   * @param bytes of the message, of which most is kept
   * @returns the reply's body
   * @throws JoinRefused
   */
  async join(config: unknown, token: string, bytes: number): Promise<{ postgres_changes: unknown[] }> {
    try {
      this.#hold(bytes);
      return await this.#join(config, token);
    } catch (error) {
      // A refused channel is heard of no more, so it must keep nothing: no timer, no subscription.
      this.unsubscribe();
      throw error;
    }
  }

  async #join(config: unknown, token: string): Promise<{ postgres_changes: unknown[] }> {
    const { postgres_changes, private: isPrivate, postgres_changes_options: options } = asObject(config);
    await this.#become(token);
    // Only policies on realtime.messages could allow a private channel, and broadcasts, for which they exist,
    // are not served.
    if (isPrivate === true)
      throw new JoinRefused(
        `Unauthorized: You do not have permissions to read from this Channel topic: ${this.#name}`,
      );
    const bindings = Array.isArray(postgres_changes) ? postgres_changes.filter((one) => one !== null) : [];
    if (bindings.length > MAX_BINDINGS)
      throw new JoinRefused(`InvalidJoinPayload: more than ${MAX_BINDINGS} postgres_changes bindings`);
    this.#bindings = bindings.map(asObject);

    const { wait, timeout = DEFAULT_WAIT_MS } = asObject(options);
    if (wait === true && bindings.length > 0) {
      const requestedMs = typeof timeout === 'number' && timeout > 0 ? timeout : DEFAULT_WAIT_MS;
      const waitMs = Math.min(Math.max(requestedMs, 1), MAX_WAIT_MS);
      await this.#subscribeWithin(waitMs);
      setImmediate(() => this.#subscribed());
    } else if (bindings.length > 0) {
      // The reply is sent first: before it, the client recognises no system message.
      setImmediate(() => this.#subscribe().then(...this.#outcome()));
    }
    return { postgres_changes: this.#bindings.map((binding) => ({ ...binding, id: bindingId(binding) })) };
  }

  /** A renewed token; an invalid one ends the channel. */
  async renew(token: unknown): Promise<void> {
    if (typeof token !== 'string' || token === this.#token || token.startsWith('sb_')) return;
    try {
      await this.#become(token);
    } catch (error) {
      if (!(error instanceof JoinRefused)) throw error;
      this.closeWithError(error.message.replace(/^\w+: /, ''));
      return;
    }
    if (this.#bindings.length > 0) await this.#subscribe().then(...this.#outcome());
  }

  /** Sends the reason and ends; the client does not come back by itself. */
  closeWithError(reason: string): void {
    if (this.#ended) return;
    this.#system('system', 'error', reason);
    this.#wire.end('phx_close');
    this.unsubscribe();
  }

  /** Ends without a message: the client left, or has disconnected. */
  unsubscribe(): void {
    this.#ended = true;
    clearTimeout(this.#expiry);
    this.#services.changes.unsubscribe(this);
    this.#release?.();
  }

  deliver(changes: readonly Delivery[]): void {
    // A token may have expired while its timer was late.
    if (!this.#ended && Number(this.claims.exp) * 1000 > Date.now()) this.#wire.deliver(changes);
  }

  resubscribe(reason: string): void {
    if (this.#ended) return;
    this.#system('postgres_changes', 'error', `Subscribe again: ${reason}`);
    this.#wire.end('phx_error');
    this.unsubscribe();
  }

  #hold(bytes: number): void {
    try {
      this.#release = this.#services.held.take([
        ['channels of a socket', this.socket, 1],
        ['channels of a network', this.network, 1],
        ['joined bytes of a network', this.network, bytes],
      ]);
    } catch (error) {
      if (!(error instanceof TooMuchHeld)) throw error;
      throw new JoinRefused('ChannelRateLimitReached: Too many channels', { cause: error });
    }
  }

  async #become(token: string): Promise<void> {
    const claims = await verified(this.#services.keys, token);
    this.#token = token;
    this.claims = claims;
    this.#watchExpiry();
  }

  #watchExpiry(): void {
    clearTimeout(this.#expiry);
    if (this.#ended) return;
    const left = Number(this.claims.exp) * 1000 - Date.now();
    this.#expiry = setTimeout(
      () => {
        if (Number(this.claims.exp) * 1000 > Date.now()) this.#watchExpiry();
        else this.closeWithError(expired(this.claims));
      },
      Math.min(Math.max(left, 0), MAX_TIMER_MS),
    ).unref();
  }

  async #subscribe(): Promise<void> {
    const { changes } = this.#services;
    try {
      await changes.subscribe(this, await this.#checked());
    } catch (error) {
      if (error instanceof QueueFull) throw new SubscriptionRefused(error.message, { cause: error });
      throw error;
    }
    // The channel may have been left while the database was queried.
    if (this.#ended) changes.unsubscribe(this);
  }

  /**
   * Subscriptions are made one after the other, so that a channel takes one connection to the database at a
   * time, and each in a turn of its own, so that others wait for one of them and not for all.
   */
  async #checked(): Promise<Subscription[]> {
    const { database, turns } = this.#services;
    const subscriptions: Subscription[] = [];
    for (const binding of this.#bindings) {
      if (this.#ended) break;
      const check = () => subscriptionOf(database, binding, String(this.claims.role));
      subscriptions.push(await turns.run(this.network, check));
    }
    return subscriptions;
  }

  async #subscribeWithin(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new JoinRefused(
              `PostgresChangesSubscribeTimeout: Timed out after ${milliseconds}ms waiting for the postgres_changes subscription`,
            ),
          ),
        milliseconds,
      );
    });
    try {
      await Promise.race([this.#subscribe(), timedOut]);
    } catch (error) {
      if (error instanceof SubscriptionRefused)
        throw new JoinRefused(`RealtimeDisabledForConfiguration: ${error.message}`, { cause: error });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The callbacks for a subscription whose result the caller does not await. */
  #outcome(): [() => void, (error: Error) => void] {
    return [
      () => this.#subscribed(),
      (error) => {
        if (error instanceof SubscriptionRefused) this.#system('postgres_changes', 'error', error.message);
        else {
          if (!this.#ended) this.#services.log.error({ err: error }, 'a subscription could not be made');
          this.resubscribe('the database cannot be reached');
        }
      },
    ];
  }

  #subscribed(): void {
    this.#system('postgres_changes', 'ok', 'Subscribed to PostgreSQL');
  }

  #system(extension: string, status: 'ok' | 'error', message: string): void {
    if (!this.#ended)
      this.#wire.push('system', JSON.stringify({ extension, status, message, channel: this.#name }));
  }
}

async function verified(keys: Keys, token: string): Promise<JWTPayload & { role: string; exp: number }> {
  let claims: JWTPayload;
  try {
    claims = await keys.verify(token);
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    if (error.reason === 'expired') throw new JoinRefused('InvalidJWTToken: Token has expired');
    if (error.reason === 'signature')
      throw new JoinRefused('JwtSignatureError: Failed to validate JWT signature');
    if (error.reason === 'claims') throw new JoinRefused(`Unauthorized: ${error.message}`);
    throw new JoinRefused('MalformedJWT: The token provided is not a valid JWT');
  }
  const { role, exp } = claims;
  if (typeof role !== 'string' || typeof exp !== 'number')
    throw new JoinRefused('InvalidJWTToken: Fields `role` and `exp` are required in JWT');
  return { ...claims, role, exp };
}

const expired = ({ exp }: Record<string, unknown>) =>
  `Token has expired ${Math.max(0, Math.floor(Date.now() / 1000 - Number(exp)))} seconds ago`;

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
