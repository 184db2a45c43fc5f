import type { Use } from '../http/held.ts';
import type { Listener } from './listener.ts';
import type { Subscription } from './subscriptions.ts';

/**
 * What the subscriptions of a listener take of what its socket, its network and each table may have. Filters of
 * equality cost next to nothing and are not counted.
 */
export function usesOf(listener: Listener, subscriptions: Subscription[]): Use[] {
  const filters = new Map<number, number>();
  for (const { tables } of subscriptions)
    for (const [table, conditions] of tables) {
      const judged = conditions.filter(({ texts }) => !texts).length;
      if (judged > 0) filters.set(table, (filters.get(table) ?? 0) + judged);
    }
  const all = [...filters.values()].reduce((sum, count) => sum + count, 0);
  return [
    ['subscriptions of a socket', listener.socket, subscriptions.length],
    ['subscriptions of a network', listener.network, subscriptions.length],
    ['filters of a socket', listener.socket, all],
    ['filters of a network', listener.network, all],
    ...[...filters].map(([table, count]): Use => ['filters of a table', `${table}`, count]),
  ];
}
