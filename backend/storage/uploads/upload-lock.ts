import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ERRORS, type Lock } from '@tus/server';
import { service } from '../../caller.ts';
import type { Database } from '../../database/database.ts';
import { resourceLocked } from '../errors.ts';

/** Longer than a process is ever busy with other work; an upload stays locked this long after a crash. */
const LEASE = '6 s';
const HEARTBEAT_MS = 1_000;
const LOCK_TIMEOUT_MS = 4_000;
const RETRY_MS = 200;

/**
 * Lets one request at a time write to an upload, in any process. The later one requests the lock from the
 * earlier: a client that returns after its connection broke would otherwise wait for a request that receives
 * no more data.
 */
export class UploadLock implements Lock {
  readonly #database: Database;
  readonly #id: string;
  readonly #holder = randomUUID();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(database: Database, id: string) {
    this.#database = database;
    this.#id = id;
  }

  async lock(signal: AbortSignal, requestRelease: () => void | Promise<void>): Promise<void> {
    const until = performance.now() + LOCK_TIMEOUT_MS;
    while (!(await this.#acquire())) {
      if (performance.now() >= until || signal.aborted) throw resourceLocked();
      await wait(RETRY_MS);
    }
    this.#heartbeat = setInterval(() => this.#renew(requestRelease), HEARTBEAT_MS);
  }

  async unlock(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#run(
      'update storage.resumable_uploads set held_by = null, held_until = null, wanted = false where id = $1 and held_by = $2',
    );
  }

  async #acquire(): Promise<boolean> {
    const { rows } = await this.#run<{ mine: boolean }>(
      `update storage.resumable_uploads
       set wanted = coalesce(held_until >= now(), false),
         held_by = case when held_until >= now() then held_by else $2::uuid end,
         held_until = case when held_until >= now() then held_until else now() + '${LEASE}'::interval end
       where id = $1 returning held_by = $2::uuid as mine`,
    );
    if (!rows[0]) throw ERRORS.FILE_NOT_FOUND;
    return rows[0].mine;
  }

  async #renew(requestRelease: () => void | Promise<void>): Promise<void> {
    const { rows } = await this.#run<{ wanted: boolean }>(
      `update storage.resumable_uploads set held_until = now() + '${LEASE}'::interval
       where id = $1 and held_by = $2 returning wanted`,
    ).catch(() => ({ rows: [] }));
    // Also when the lock was lost, or its state is unknown.
    if (rows[0]?.wanted === false) return;
    clearInterval(this.#heartbeat);
    await requestRelease();
  }

  #run<Row>(sql: string) {
    return this.#database.as<Row>(service, sql, [this.#id, this.#holder]);
  }
}
