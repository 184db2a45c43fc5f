import type { Logger } from '../log.ts';
import { type Database, refusesConnections } from './database.ts';

const LOOK_MS = 10_000;

/**
 * Lets the database stop when an operator asks it to wait for its clients (`smart`). PostgreSQL does not
 * notify its clients, so a client that never disconnects has to poll.
 *
 * @returns a function that stops the polling
 */
export function releaseOnShutdown(url: string, databases: Database[], log: Logger): () => Promise<void> {
  let checking: Promise<void> = Promise.resolve();
  async function checkForStop(): Promise<void> {
    if (!(await refusesConnections(url, LOOK_MS))) return;
    log.warn('the database takes no connections, so the open ones are closed');
    await Promise.all(databases.map((database) => database.reconnect()));
  }
  const timer = setInterval(() => {
    checking = checking.then(checkForStop);
  }, LOOK_MS).unref();
  return async () => {
    clearInterval(timer);
    await checking;
  };
}
