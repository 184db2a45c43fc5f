import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import type { Config } from '#backend/config.ts';
import type { Backend } from '#backend/start.ts';

/** Demo accounts have a known password: fine for an evaluation, never in production. */
export async function seedDemoContent(
  root: string,
  config: Config,
  backend: Backend,
  progress: (step: string) => void,
): Promise<void> {
  if (!backend.databaseUrl) return;
  const client = new pg.Client({ connectionString: backend.databaseUrl });
  await client.connect();
  const { rows } = await client
    .query<{ demo: number; others: number }>(
      `select count(*) filter (where raw_app_meta_data ->> 'demo' = 'true')::int as demo,
         count(*) filter (where raw_app_meta_data ->> 'demo' is distinct from 'true')::int as others from auth.users`,
    )
    .finally(() => client.end());
  const accounts = rows[0] ?? { demo: 0, others: 0 };
  if (config.production) {
    if (accounts.demo > 0)
      throw new Error(
        'This database holds demo accounts, whose password everybody knows; production needs a database without them.',
      );
    return;
  }
  const done = join(config.dataDir, 'demo-content');
  // Demo content does not belong in another project's tables.
  const ours = config.root === root;
  if (ours && !existsSync(done) && accounts.others === 0) {
    const { seedDemoData } = await import('../supabase/seed/seed.ts');
    const service = createClient(config.siteUrl, backend.keys.serviceRoleKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch: backend.fetch },
    });
    await seedDemoData(service, progress);
    writeFileSync(done, '');
    accounts.demo = 1;
  }
  if (accounts.demo > 0) {
    const { DEMO_PASSWORD, DEMO_SIGN_INS } = await import('../supabase/seed/seed.ts');
    console.log(`\nDemo sign-ins, all with the password ${DEMO_PASSWORD}:`);
    for (const [role, address] of Object.entries(DEMO_SIGN_INS))
      console.log(`  ${role.padEnd(10)} ${address}`);
  }
}
