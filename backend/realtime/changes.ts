import { type Held, TooMuchHeld } from '../http/held.ts';
import type { Logger } from '../log.ts';
import { deliveries } from './delivery.ts';
import type { Listener } from './listener.ts';
import { type Change, type Replication, replicate } from './replication.ts';
import type { Databases } from './rls-check.ts';
import { usesOf } from './subscription-limits.ts';
import { type Subscription, SubscriptionRefused } from './subscriptions.ts';
import { PUBLICATION, type Table, tableOf } from './tables.ts';

export interface Changes {
  /**
   * Settles when every later commit will be delivered. Replaces the listener's previous subscriptions.
   *
   * @throws SubscriptionRefused beyond a client's limits
   */
  subscribe(listener: Listener, subscriptions: Subscription[]): Promise<void>;
  unsubscribe(listener: Listener): void;
  close(): Promise<void>;
}

/** The number of changes that wait in memory before the log is held back. */
const MAX_WAITING_CHANGES = 1000;
/**
 * The number of changes, and of their characters, that one statement renders, for which the database has a
 * few seconds.
 */
const BATCH_SIZE = 100;
const MAX_CHARACTERS = 4 * 1024 * 1024;

const charactersOf = ({ row, before }: Change): number =>
  [row, before]
    .flatMap((tuple) => Object.values(tuple ?? {}))
    .reduce((sum, text) => sum + (text?.length ?? 0), 0);

/**
 * Follows the database's log from the first subscription on, and delivers each committed change to the
 * subscribers who may see it.
 */
export function createChanges(
  databases: Databases,
  replicationUrl: string,
  held: Held,
  log: Logger,
): Changes {
  const listeners = new Map<Listener, Subscription[]>();
  /** By what each gives back what its subscriptions take. */
  const releases = new Map<Listener, () => void>();
  const tables = new Map<number, Promise<Table | undefined>>();
  let replication: Replication | undefined;
  let waiting: Change[] = [];
  let draining: Promise<void> | undefined;

  function forget(listener: Listener): void {
    listeners.delete(listener);
    releases.get(listener)?.();
    releases.delete(listener);
  }

  function wasDelivered(table: number): boolean {
    for (const subscriptions of listeners.values())
      if (subscriptions.some((subscription) => subscription.tables.has(table))) return true;
    return false;
  }

  function describe(oid: number): Promise<Table | undefined> {
    const table = tables.get(oid) ?? tableOf(databases.database, oid);
    tables.set(oid, table);
    return table;
  }

  /** The next changes that fit into one statement, and at least one. */
  function nextChanges(): Change[] {
    let characters = 0;
    const end = waiting.findIndex((change, index) => {
      characters += charactersOf(change);
      return index === BATCH_SIZE || (index > 0 && characters > MAX_CHARACTERS);
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  }

  async function drain(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const changes = nextChanges();
        const found = await deliveries(databases, changes, listeners, describe);
        for (const [listener, own] of Map.groupBy(found, ({ listener }) => listener)) listener.deliver(own);
      }
    } catch (error) {
      lose(error as Error);
    } finally {
      draining = undefined;
    }
  }

  function lose(error: Error): void {
    log.warn({ err: error }, 'the stream of changes was lost; subscribers have to subscribe again');
    const lost = replication;
    replication = undefined;
    waiting = [];
    tables.clear();
    lost?.stop().catch(() => undefined);
    for (const listener of [...listeners.keys()])
      listener.resubscribe('the connection to the database was lost');
  }

  function follow(): Replication {
    const followed: Replication = replicate(
      replicationUrl,
      PUBLICATION,
      (change) => {
        if (!wasDelivered(change.table)) return undefined;
        waiting.push(change);
        draining ??= drain();
        return waiting.length > MAX_WAITING_CHANGES ? draining : undefined;
      },
      (table) => tables.delete(table),
      (error) => {
        if (replication === followed) lose(error);
      },
    );
    return followed;
  }

  return {
    async subscribe(listener, subscriptions) {
      replication ??= follow();
      const joined = replication;
      await joined.started;
      if (joined !== replication) throw new Error('the stream of changes was lost');
      forget(listener);
      try {
        releases.set(listener, held.take(usesOf(listener, subscriptions)));
      } catch (error) {
        if (!(error instanceof TooMuchHeld)) throw error;
        throw new SubscriptionRefused(`Too many subscriptions: ${error.most}`, { cause: error });
      }
      listeners.set(listener, subscriptions);
    },
    unsubscribe: forget,
    async close() {
      for (const listener of [...listeners.keys()]) forget(listener);
      waiting = [];
      const stopped = replication;
      replication = undefined;
      await stopped?.stop();
      await draining;
    },
  };
}
