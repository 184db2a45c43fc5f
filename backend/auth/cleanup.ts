import type { Dependencies } from '../context.ts';
import type { Database } from '../database/database.ts';

/** The most rows that one statement deletes, so that no request waits for it. */
const BATCH = 500;

/**
 * The rows that can be deleted, by table. Sessions, codes and challenges stay for a while after their end, so
 * that a late request still gets the reason for its refusal; spent refresh tokens stay for a month, so that a
 * stolen one is still detected.
 */
const EXPIRED_ROWS: [table: string, condition: string][] = [
  ['flow_state', `created_at < now() - interval '1 day'`],
  ['oauth_client_states', `created_at < now() - interval '1 day'`],
  ['saml_relay_states', `created_at < now() - interval '1 day'`],
  ['spent_proofs', 'expires_at < now()'],
  ['webauthn_challenges', `expires_at < now() - interval '1 hour'`],
  ['one_time_tokens', `expires_at < now() - interval '1 hour'`],
  ['mfa_challenges', `created_at < now() - interval '1 day'`],
  ['mfa_factors', `status = 'unverified' and created_at < now() - interval '1 day'`],
  ['refresh_tokens', `revoked and updated_at < now() - interval '30 days'`],
  // Longer than the lifetime of any token.
  ['ended_sessions', `ended_at < now() - interval '7 days'`],
  ['rate_limits', 'expire < extract(epoch from now()) * 1000'],
  [
    'sessions',
    `least(not_after, created_at + make_interval(secs => $2),
       coalesce(refreshed_at at time zone 'utc', created_at) + make_interval(secs => $3)) < now() - interval '1 day'`,
  ],
];

/** Deletes expired rows, on a timer and in small batches, so that no table grows without limit. */
export function createCleanup({
  authDatabase,
  config,
  log,
}: Pick<Dependencies, 'authDatabase' | 'config' | 'log'>) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let closed = false;

  async function run(): Promise<void> {
    const { timebox, inactivity_timeout: inactivity } = config.auth.sessions;
    for (const [table, condition] of EXPIRED_ROWS) {
      const values = condition.includes('$2') ? [timebox ?? null, inactivity ?? null] : [];
      await deleteExpired(authDatabase, table, condition, values, () => closed).catch((error: unknown) => {
        if (!closed) log.error({ err: error, table }, 'old rows could not be deleted');
      });
    }
    if (!closed) plan();
  }

  function plan(): void {
    timer = setTimeout(() => {
      running = run();
    }, config.housekeepingSeconds * 1000).unref();
  }

  return {
    start: plan,
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function deleteExpired(
  database: Database,
  table: string,
  condition: string,
  values: unknown[],
  stopped: () => boolean,
): Promise<void> {
  while (!stopped()) {
    // Locked rows are in use; they are deleted in a later run.
    const { rowCount } = await database.query(
      `delete from auth.${table} where ctid = any (array(
         select ctid from auth.${table} where ${condition} limit $1 for update skip locked))`,
      [BATCH, ...values],
    );
    if (rowCount < BATCH) return;
  }
}
