import pg from 'pg';
import { afterAll } from 'vitest';
import { startTestBackend, type TestBackend } from '../backend.ts';

/** A backend for the tests of one file, which is stopped after them, and a connection to its database. */
export async function ownBackend(
  ...settings: Parameters<typeof startTestBackend>
): Promise<{ backend: TestBackend; database: pg.Client }> {
  const backend = await startTestBackend(...settings);
  const database = new pg.Client({ connectionString: backend.databaseUrl });
  await database.connect();
  afterAll(async () => {
    await database.end();
    await backend.stop();
  });
  return { backend, database };
}
