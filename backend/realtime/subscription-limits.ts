import type { Listener } from './listener.ts';
import { type Subscription, SubscriptionRefused } from './subscriptions.ts';

/**
 * The limits on all subscriptions of channels together; filters of equality cost next to nothing and are not
 * counted.
 */
const MAX_OF = {
  'subscriptions of a socket': 500,
  'subscriptions of a network': 10_000,
  'filters of a socket': 100,
  'filters of a network': 500,
  'filters of a table': 5_000,
} as const;

type Kind = keyof typeof MAX_OF;

/** Counts the subscriptions of channels, so that no client takes the capacity that others need. */
export class SubscriptionLimits {
  readonly #used = new Map<string, number>();
  readonly #ofListener = new Map<Listener, [Kind, string, number][]>();

  /**
   * Replaces the listener's previous subscriptions by these.
   *
   * @throws SubscriptionRefused; the listener then has none
   */
  replace(listener: Listener, subscriptions: Subscription[]): void {
    this.release(listener);
    const filters = new Map<number, number>();
    for (const { tables } of subscriptions)
      for (const [table, conditions] of tables) {
        const judged = conditions.filter(({ texts }) => !texts).length;
        if (judged > 0) filters.set(table, (filters.get(table) ?? 0) + judged);
      }
    const all = [...filters.values()].reduce((sum, count) => sum + count, 0);
    const uses: [Kind, string, number][] = [
      ['subscriptions of a socket', listener.socket, subscriptions.length],
      ['subscriptions of a network', listener.network, subscriptions.length],
      ['filters of a socket', listener.socket, all],
      ['filters of a network', listener.network, all],
      ...[...filters].map(([table, count]): [Kind, string, number] => [
        'filters of a table',
        `${table}`,
        count,
      ]),
    ];
    for (const [kind, name, count] of uses)
      if (count > 0 && this.#usedBy(kind, name) + count > MAX_OF[kind])
        throw new SubscriptionRefused(`Too many subscriptions: ${MAX_OF[kind]} ${kind} at most`);
    for (const use of uses) this.#add(use, 1);
    this.#ofListener.set(listener, uses);
  }

  release(listener: Listener): void {
    for (const use of this.#ofListener.get(listener) ?? []) this.#add(use, -1);
    this.#ofListener.delete(listener);
  }

  #usedBy(kind: Kind, name: string): number {
    return this.#used.get(`${kind} ${name}`) ?? 0;
  }

  #add([kind, name, count]: [Kind, string, number], sign: 1 | -1): void {
    const left = this.#usedBy(kind, name) + sign * count;
    if (left > 0) this.#used.set(`${kind} ${name}`, left);
    else this.#used.delete(`${kind} ${name}`);
  }
}
