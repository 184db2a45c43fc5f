import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { diskProblem } from '../../media/disk.ts';
import { inClientQueue } from '../http/client-concurrency.ts';
import type { FairQueue } from '../http/fair-queue.ts';
import { cookiesOf } from './cookies.ts';
import { endsConnection, IMPERSONATE, type Result, SingleRoundTrip } from './single-round-trip.ts';
import { readTimeouts, type StatementTimeout, UNLIMITED_STATEMENT_MS } from './timeouts.ts';

/** The identity under which a statement runs, and the request data that it can see. */
export interface Caller {
  /** Database role: anon, authenticated, service_role, or one an operator made. */
  role: string;
  /** JWT claims, visible to SQL as `request.jwt.claims`. */
  claims: Record<string, unknown>;
  /** Lower-case header names, visible to SQL as `request.headers`; the cookies among them also as `request.cookies`. */
  headers?: IncomingHttpHeaders;
  method?: string;
  path?: string;
  /** Quoted, comma-separated; defaults to `"public", "extensions"`. */
  searchPath?: string;
  /** Runs in a read-only transaction, as PostgREST does for GET and for stable functions. */
  readOnly?: boolean;
  /** `transactionAs` undoes the work at its end. */
  rollback?: boolean;
  /** Replaces the role's own limit. */
  timeoutMs?: number;
  /** Aborted when the client hangs up; a statement still waiting for its turn then needs no answer. */
  signal?: AbortSignal;
}

/** The use of a pool's connections. */
export interface PoolLoad {
  total: number;
  idle: number;
  /** The number of requests that wait for a connection. */
  waiting: number;
}

/** The errors of PostgreSQL while it starts or stops. */
const CANNOT_CONNECT_NOW = '57P03';
/**
 * PostgreSQL cancelled one of two transactions in a deadlock: all its work is undone, and the other
 * continues.
 */
const DEADLOCK_DETECTED = '40P01';
const IN_FAILED_TRANSACTION = '25P02';
const MAX_TRIES = 4;
/** An attempt after a shorter pause may take the locks that the other transaction has just received. */
const PAUSE_MS = 50;

/** Whether the database takes no new connections, since it is about to stop or has just begun. */
export async function refusesConnections(url: string, patienceMs: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patienceMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return false;
  } catch (error) {
    return error instanceof pg.DatabaseError && error.code === CANNOT_CONNECT_NOW;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export type Query = <Row = Record<string, unknown>>(sql: string, values?: unknown[]) => Promise<Result<Row>>;

/**
 * Re-exported so that services can distinguish a database's refusal from a fault without importing the
 * driver.
 */
export const DatabaseError = pg.DatabaseError;
export type DatabaseError = InstanceType<typeof pg.DatabaseError>;

/** The margin beyond a statement's limit within which a working database answers. */
const GRACE_MS = 5_000;
/** The services' own statements have no limit, and take a fraction of this. */
const OWN_STATEMENT_MS = 30_000;

/**
 * The database has not answered for longer than a statement may take: it hangs, or the connection to it does.
 */
class NoResponse extends Error {
  constructor() {
    super('the database did not answer');
  }
}

/**
 * A pool of connections signed in as one database role.
 *
 * `as` and `transactionAs` assume the caller's role for one transaction; `query` and `transaction` run as the
 * role that signed in. No setting made for one caller outlives the transaction.
 */
export class Database {
  readonly #open: () => pg.Pool;
  #pool: pg.Pool;
  /** By role, from `alter role … set statement_timeout`. */
  #timeouts: ReadonlyMap<string, StatementTimeout>;
  readonly #turns: FairQueue | undefined;
  /** One function for each listener, which gives up its connection and makes another. */
  readonly #listeners = new Set<() => void>();
  #closed = false;
  #generation = 0;

  private constructor(
    open: () => pg.Pool,
    pool: pg.Pool,
    timeouts: ReadonlyMap<string, StatementTimeout>,
    turns: FairQueue | undefined,
  ) {
    this.#open = open;
    this.#pool = pool;
    this.#timeouts = timeouts;
    this.#turns = turns;
  }

  /**
   * @param url signs in as the role all transactions start from
   * @param options.pipeline sends the statements that a transaction does not await at once, in their order;
   *   such a pool has no `as`
   * @param options.turns in which clients have connections; none where they are shared out otherwise
   */
  static async connect(
    url: string,
    options: { max: number; onIdleError: (error: Error) => void; pipeline?: boolean; turns?: FairQueue },
  ): Promise<Database> {
    const open = () => {
      const { max, pipeline = false } = options;
      const pool = new pg.Pool({ connectionString: url, max, pipeline, connectionTimeoutMillis: 5_000 });
      // Without listeners a lost connection would end the process. The pool's receives errors of idle
      // connections; each connection's own those between two statements of a transaction, whose next
      // statement then fails, and those of a released connection when the database ends right after.
      pool.on('error', (error) => !pool.ending && options.onIdleError(error));
      pool.on('connect', (client) => client.on('error', () => undefined));
      return pool;
    };
    const pool = open();
    return new Database(open, pool, await readTimeouts(pool), options.turns);
  }

  /** Runs work when it is the turn of the client whose request is answered; its statements then wait for no other. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns ? inClientQueue(this.#turns, work) : work();
  }

  async query<Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Result<Row>> {
    return this.#connected(async (client) => {
      const result = await answered(client.query<Row & pg.QueryResultRow>(sql, values), OWN_STATEMENT_MS);
      return { rows: result.rows, rowCount: result.rowCount ?? 0 };
    });
  }

  /**
   * Runs `work` in one transaction as the role that signed in; rolls back when it throws. Statements in one
   * `Promise.all` run in its order, and none after the first that fails.
   */
  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#transact(work, OWN_STATEMENT_MS);
  }

  /**
   * One statement as the caller, in a separate transaction and a single round trip; repeated when it was
   * cancelled in a deadlock.
   */
  async as<Row = Record<string, unknown>>(
    caller: Caller,
    sql: string,
    values: unknown[] = [],
  ): Promise<Result<Row>> {
    const once = () =>
      this.#connected((client) => {
        const answer = new Promise<Result<Row>>((resolve, reject) => {
          const key = `${this.#generation} ${caller.role} ${sql}`;
          client.query(new SingleRoundTrip<Row>(this.#settings(caller), key, sql, values, resolve, reject));
        });
        return answered(answer, this.#limitMs(caller));
      }, caller.signal);
    for (let tries = 1; ; tries++)
      try {
        return await once();
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.code !== DEADLOCK_DETECTED || tries === MAX_TRIES)
          throw error;
        await pause(PAUSE_MS * tries * (1 + Math.random()));
      }
  }

  /** Several statements as the caller in one transaction; rolls back when `work` throws. */
  async transactionAs<T>(caller: Caller, work: (query: Query) => Promise<T>): Promise<T> {
    const impersonated = async (query: Query) => {
      await query(IMPERSONATE, this.#settings(caller));
      return work(query);
    };
    return this.#transact(impersonated, this.#limitMs(caller), caller.signal, caller.rollback);
  }

  /**
   * Listens to `notify` on a channel over a separate connection until `close`. When the connection is lost it
   * is made again and `heard` gets an empty payload, since a notification may have been missed.
   */
  async listen(channel: string, onNotification: (payload: string) => void): Promise<void> {
    const pool = this.#pool;
    const client = await pool.connect();
    const release = () => {
      if (!this.#listeners.delete(release)) return;
      client.release(true);
      this.#listenAgain(channel, onNotification);
    };
    this.#listeners.add(release);
    client.on('notification', (message) => onNotification(message.payload ?? ''));
    client.on('error', release);
    // The pool was ended while the connection was being made, and waits for it to come back.
    if (pool.ending) return release();
    try {
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      // A connection that was lost in the meantime is already being replaced.
      if (!this.#listeners.delete(release)) return;
      client.release(true);
      throw error;
    }
  }

  get load(): PoolLoad {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { total, idle, waiting };
  }

  /** Reads the limits of the roles again, when an operator has changed them. */
  async reloadTimeouts(): Promise<void> {
    this.#timeouts = await readTimeouts(this.#pool);
  }

  /** Has every statement parsed again, since tables may have changed under the prepared ones. */
  forgetStatements(): void {
    this.#generation++;
  }

  /** Closes every connection once its statement is over; later statements open new ones. */
  async reconnect(): Promise<void> {
    const before = this.#pool;
    this.#pool = this.#open();
    await this.#end(before);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end(this.#pool);
  }

  async #end(pool: pg.Pool): Promise<void> {
    // A pool ends only when every connection has come back.
    for (const release of this.#listeners) release();
    await pool.end();
  }

  #listenAgain(channel: string, onNotification: (payload: string) => void): void {
    setTimeout(() => {
      if (this.#closed) return;
      this.listen(channel, onNotification).then(
        () => onNotification(''),
        () => this.#listenAgain(channel, onNotification),
      );
    }, 1_000).unref();
  }

  /**
   * Runs work with a connection, when it is the client's turn.
   *
   * @param restore makes a connection usable again after its work failed, or throws when it cannot
   */
  #connected<T>(
    work: (client: pg.PoolClient) => Promise<T>,
    signal?: AbortSignal,
    restore: (client: pg.PoolClient, error: unknown) => Promise<void> = release,
  ): Promise<T> {
    const whole = async () => {
      signal?.throwIfAborted();
      const client = await this.#pool.connect();
      let broken: Error | undefined;
      try {
        return await work(client);
      } catch (error) {
        await restore(client, error).catch((problem: Error) => {
          broken = problem;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    };
    return this.inTurn(whole);
  }

  #transact<T>(
    work: (query: Query) => Promise<T>,
    limitMs: number,
    signal?: AbortSignal,
    rollback = false,
  ): Promise<T> {
    return this.#connected(
      async (client) => {
        await answered(client.query('begin'), limitMs);
        let failure: unknown;
        const query = async <Row>(sql: string, values: unknown[] = []) => {
          const sent = client.query<Row & pg.QueryResultRow>(sql, values);
          const answer = await answered(sent, limitMs).catch((error) => {
            // Those sent together fail for the reason of the first.
            if (error.code !== IN_FAILED_TRANSACTION) failure = error;
            throw failure ?? error;
          });
          return { rows: answer.rows as Row[], rowCount: answer.rowCount ?? 0 };
        };
        const result = await work(query);
        await answered(client.query(rollback ? 'rollback' : 'commit'), limitMs);
        return result;
      },
      signal,
      async (client, error) => {
        if (error instanceof NoResponse) throw error;
        await answered(client.query('rollback'), limitMs);
      },
    );
  }

  #limitMs({ role, timeoutMs }: Caller): number {
    return timeoutMs ?? this.#timeouts.get(role)?.ms ?? UNLIMITED_STATEMENT_MS;
  }

  #settings(caller: Caller): string[] {
    return [
      caller.searchPath ?? '"public", "extensions"',
      caller.timeoutMs === undefined
        ? (this.#timeouts.get(caller.role)?.setting ?? '0')
        : `${caller.timeoutMs}ms`,
      JSON.stringify(caller.claims),
      JSON.stringify(caller.headers ?? {}),
      caller.method ?? '',
      caller.path ?? '',
      caller.role,
      caller.readOnly ? 'on' : 'off',
      cookiesOf(caller.headers?.cookie),
    ];
  }
}

/** A single statement leaves no work to undo. */
async function release(_client: pg.PoolClient, error: unknown): Promise<void> {
  if (endsConnection(error)) throw error;
}

/**
 * The answer to a statement.
 *
 * @param limitMs that PostgreSQL gives it
 * @throws NoResponse when none comes; the connection is then unusable
 */
async function answered<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoResponse()), limitMs + GRACE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The reason why the database can neither be read nor written for the moment, whatever the statement;
 * undefined when the error concerns the statement itself. One sentence for people.
 */
export function outageOf(error: unknown): string | undefined {
  const problem = diskProblem(error);
  if (problem)
    return `Nothing can be saved at the moment, because the disk of this site ${problem}. Please try again later.`;
  if (!(error instanceof Error)) return undefined;
  const isOutage =
    error instanceof DatabaseError
      ? /^(08|53|57P0[123])/.test(error.code ?? '')
      : error instanceof NoResponse ||
        /^(timeout exceeded when trying to connect|connection terminated|client has encountered a connection error)/i.test(
          error.message,
        ) ||
        // Node reports a client's hang-up with the code of a broken connection, and this message.
        (error.message !== 'aborted' &&
          'code' in error &&
          /^(ECONN|EPIPE|ETIMEDOUT)/.test(String(error.code)));
  return isOutage ? 'The database cannot be reached at the moment. Please try again in a minute.' : undefined;
}
