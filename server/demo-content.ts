import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import type { Config } from '#backend/config.ts';
import type { Backend } from '#backend/start.ts';
import { DEMO_PASSWORD, DEMO_SIGN_INS } from '../supabase/seed/sign-ins.ts';

/**
 * Looks at the database before the site opens. Demo accounts have a known password: fine for an evaluation,
 * never in production.
 *
 * @returns adds the demo content where it belongs and is missing, unless it is told to stop, and prints its accounts
 * @throws in a sentence for the operator where the site must not open
 */
export async function prepareDemoContent(
  root: string,
  config: Config,
  backend: Backend,
  progress: (step: string) => void,
): Promise<(signal: AbortSignal) => Promise<void>> {
  if (!backend.databaseUrl) return async () => {};
  const accounts = await countAccounts(backend.databaseUrl);
  if (config.production) {
    if (accounts.demo > 0)
      throw new Error(
        'This database holds demo accounts, whose password everyone knows; production needs a database without them.',
      );
    return async () => {};
  }
  const done = join(config.dataDir, 'demo-content');
  // Demo content does not belong in another project's tables.
  const isMissing = config.root === root && !existsSync(done) && accounts.others === 0;
  return async (signal) => {
    if (!isMissing && accounts.demo === 0) return;
    if (isMissing) {
      const { seedDemoData } = await import('../supabase/seed/seed.ts');
      const underway = new Set<Promise<Response>>();
      const service = createClient(config.siteUrl, backend.keys.serviceRoleKey, {
        auth: { persistSession: false, autoRefreshToken: false },
        global: {
          fetch: async (...request) => {
            signal.throwIfAborted();
            const answer = backend.fetch(...request);
            underway.add(answer);
            return answer.finally(() => underway.delete(answer));
          },
        },
      });
      // The services are stopped once this has ended, and must have no request left by then.
      await seedDemoData(service, progress).finally(() => Promise.allSettled(underway));
      writeFileSync(done, '', { mode: 0o600 });
    }
    console.log(`\nDemo sign-ins, all with the password ${DEMO_PASSWORD}:`);
    for (const [role, address] of Object.entries(DEMO_SIGN_INS))
      console.log(`  ${role.padEnd(10)} ${address}`);
  };
}

async function countAccounts(databaseUrl: string): Promise<{ demo: number; others: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client
    .query<{ demo: number; others: number }>(
      `select count(*) filter (where raw_app_meta_data ->> 'demo' = 'true')::int as demo,
         count(*) filter (where raw_app_meta_data ->> 'demo' is distinct from 'true')::int as others from auth.users`,
    )
    .finally(() => client.end());
  return rows[0] ?? { demo: 0, others: 0 };
}
