import type { Dependencies } from './context.ts';
import { InvalidToken, type Keys } from './crypto/tokens.ts';

/** The longest life, in seconds, of an address that was signed for a session. */
export const LONGEST_GRANT_SECONDS = 7200;

export interface RevokedSessions {
  /** Refuse the tokens of sessions that have ended, and the addresses that were signed for them. */
  keys: Keys;
  /** Reports each session that ends, in any process, while this one runs. */
  watch(onRevoked: (session: string) => void): void;
}

/**
 * Keys that refuse the tokens of sessions that have ended: by signing out, by a new password, by a ban or
 * with the account. The token alone would open the other services for the rest of its life. The database
 * stores the ended sessions and notifies every process; a query for each request would cost a round trip.
 */
export async function followRevokedSessions({
  keys,
  database,
  authDatabase,
  config,
  log,
}: Pick<Dependencies, 'keys' | 'database' | 'authDatabase' | 'config' | 'log'>): Promise<RevokedSessions> {
  const seconds = Math.max(config.auth.jwt_expiry, LONGEST_GRANT_SECONDS);
  /** Sessions and the times at which they ended, oldest first. */
  const ended = new Map<string, number>();
  const watchers = new Set<(session: string) => void>();
  const add = (id: string, at: number) => {
    ended.set(id, at);
    for (const onRevoked of watchers) onRevoked(id);
    for (const [first, since] of ended) {
      if (since > Date.now() - seconds * 1000) return;
      ended.delete(first);
    }
  };
  const load = async () => {
    const { rows } = await authDatabase.query<{ id: string; ended_at: Date }>(
      'select id, ended_at from auth.ended_sessions where ended_at > now() - make_interval(secs => $1) order by ended_at',
      [seconds],
    );
    for (const row of rows) add(row.id, row.ended_at.getTime());
  };
  await database.listen('ended_sessions', (id) => {
    if (id) add(id, Date.now());
    // The connection was lost for a while, and a notification may have been missed.
    else load().catch((error: unknown) => log.error({ err: error }, 'ended sessions could not be read'));
  });
  await load();
  return {
    keys: {
      ...keys,
      async verify(token) {
        const claims = await keys.verify(token);
        if (typeof claims.session_id === 'string' && ended.has(claims.session_id))
          throw new InvalidToken('claims', 'The session has ended');
        return claims;
      },
    },
    watch: (onRevoked) => void watchers.add(onRevoked),
  };
}
