import pg from 'pg';
import type { Database } from './database.ts';
import type { Logger } from './log.ts';

const LOOK_MS = 10_000;
/** What PostgreSQL answers while it starts or stops. */
const CANNOT_CONNECT_NOW = '57P03';

/**
 * Lets the database stop when an operator asks it to wait for its clients (`smart`). It tells nobody who is connected, so
 * whoever would never leave has to ask.
 *
 * @returns how to stop asking
 */
export function yieldToStop(url: string, databases: Database[], log: Logger): () => Promise<void> {
  let looking: Promise<void> = Promise.resolve();
  async function look(): Promise<void> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LOOK_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== CANNOT_CONNECT_NOW) return;
      log.warn({ err: error }, 'the database takes no connections, so those there are end');
      await Promise.all(databases.map((database) => database.reconnect()));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_MS).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
