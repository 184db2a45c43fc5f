import { service } from '../caller.ts';
import type { Database, Query } from '../database/database.ts';
import { storageFull } from './errors.ts';
import type { ObjectKey } from './object-key.ts';

/** The limit for all files together, with the sizes that unfinished uploads may reach. */
export class TotalLimit {
  readonly #database: Database;
  readonly #limit: number | undefined;

  /** @param limit bytes; as many as the disk holds when undefined */
  constructor(database: Database, limit: number | undefined) {
    this.#database = database;
    this.#limit = limit;
  }

  /** The bytes that a file of this name may have; the file it replaces makes room. */
  async remainingFor({ bucket, name }: ObjectKey): Promise<number> {
    const limit = this.#limit;
    if (limit === undefined) return Number.POSITIVE_INFINITY;
    return this.#database.transactionAs(service, async (query) => {
      const { rows } = await query<{ size: string }>(
        `select metadata ->> 'size' as size from storage.objects where bucket_id = $1 and name collate "C" = $2`,
        [bucket, name],
      );
      return Math.max(0, limit - (await used(query)) + Number(rows[0]?.size ?? 0));
    });
  }

  /**
   * Refuses a write that takes the files past their total, as the last step in the transaction that adds to
   * it. Writers wait for each other here, and each sees the rows of the one before, so the total is exact.
   */
  async check(query: Query): Promise<void> {
    if (this.#limit === undefined) return;
    await query(
      "select set_config('role', 'service_role', true), pg_advisory_xact_lock(hashtext('storage'))",
    );
    if ((await used(query)) > this.#limit) throw this.refusal();
  }

  refusal(): Error {
    return storageFull(this.#limit ?? 0);
  }
}

async function used(query: Query): Promise<number> {
  const { rows } = await query<{ bytes: string }>(
    `select (select coalesce(sum(bytes), 0) from storage.stored_bytes)
       + (select coalesce(sum(reserved), 0) from storage.resumable_uploads where not done) as bytes`,
  );
  return Number(rows[0]?.bytes ?? 0);
}
