import type { Query } from '../../database/database.ts';
import type { AuthContext } from '../context.ts';

/**
 * Marks a signed proof as used. False when it had been used before.
 *
 * @param until the time from which it would be refused for its age anyway
 */
export async function consumeOnce(
  query: Query,
  auth: AuthContext,
  proof: string,
  until: Date,
): Promise<boolean> {
  const { rowCount } = await query(
    'insert into auth.spent_proofs (digest, expires_at) values ($1, $2) on conflict do nothing',
    [auth.keys.digest(proof), until],
  );
  return rowCount > 0;
}
