import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generateTypescript, sortGeneratorMetadata } from '@supabase/postgrest-typegen/generation';
import { introspect } from '@supabase/postgrest-typegen/introspection';
import pg from 'pg';
import { readConfig } from '#backend/config.ts';
import { runningInstance } from '#server/running-instance.ts';

export const TYPES_FILE = join(resolve(import.meta.dirname, '..'), 'app/database.types.ts');

/** TypeScript types of everything the API serves, as `supabase gen types` makes them. */
export async function databaseTypes(databaseUrl: string): Promise<string> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  // Whoever drops the database next may cut a connection that is still closing.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    const metadata = await introspect(pool, { includedSchemas: ['public'] });
    return await generateTypescript(sortGeneratorMetadata(metadata), { postgrestVersion: '14' });
  } finally {
    await pool.end();
  }
}

if (import.meta.main) {
  const config = readConfig(resolve(import.meta.dirname, '..'));
  const url = config.databaseUrl ?? runningInstance(config.dataDir)?.databaseUrl;
  if (!url) {
    console.error('The site must be running (or DATABASE_URL set) for its types to be read.');
    process.exit(1);
  }
  writeFileSync(TYPES_FILE, await databaseTypes(url));
}
