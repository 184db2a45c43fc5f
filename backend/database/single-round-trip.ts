import pg from 'pg';

export interface Result<Row> {
  rows: Row[];
  /** The rows affected or returned, according to the command tag. */
  rowCount: number;
}

/** Assumes a caller's role and settings for one transaction. */
export const IMPERSONATE = `select set_config('search_path', $1, true), set_config('statement_timeout', $2, true),
  set_config('request.jwt.claims', $3, true), set_config('request.headers', $4, true),
  set_config('request.method', $5, true), set_config('request.path', $6, true),
  set_config('role', $7, true), set_config('transaction_read_only', $8, true), set_config('request.cookies', $9, true)`;

/**
 * True of a fault of the connection, and of the database's last messages on it: that it stops, or that it
 * ends this connection.
 */
export function endsConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC';
}

/** The methods that `pg` calls on the query it is running; the driver's types leave these out. */
interface Wire {
  parse(message: { name: string; text: string; types: number[] }, more: boolean): void;
  bind(message: { statement: string; values: unknown[] }, more: boolean): void;
  describe(message: { type: 'P'; name: string }, more: boolean): void;
  execute(message: { portal: string; rows: number }, more: boolean): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Statements a connection has parsed, by role and text, least recently used first. */
interface Prepared {
  names: Map<string, string>;
  /** Statements parsed in vain, because a later step failed. */
  abandoned: string[];
  count: number;
}

const prepared = new WeakMap<pg.Connection, Prepared>();
/** Each keeps its plan in the database's memory. */
const MAX_PREPARED = 50;

/**
 * Impersonation and statement before a single Sync: PostgreSQL runs both in one implicit transaction, so
 * row-level security costs no extra round trip and no `begin`/`commit`. Statements stay prepared, separately
 * for each role, since a plan made under one role's policies must be made again for the next.
 */
export class SingleRoundTrip<Row> implements pg.Submittable {
  readonly #settings: string[];
  readonly #key: string;
  readonly #sql: string;
  readonly #values: unknown[];
  readonly #resolve: (result: Result<Row>) => void;
  readonly #reject: (error: Error) => void;
  #fields: { name: string; parse: (text: string) => unknown }[] = [];
  #impersonated = false;
  #rows: Row[] = [];
  #rowCount = 0;
  #statements: Prepared | undefined;
  #name = '';

  constructor(
    settings: string[],
    key: string,
    sql: string,
    values: unknown[],
    resolve: (result: Result<Row>) => void,
    reject: (error: Error) => void,
  ) {
    this.#settings = settings;
    this.#key = key;
    this.#sql = sql;
    this.#values = values;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire & { stream: { cork(): void; uncork(): void } };
    const statements: Prepared = prepared.get(connection) ?? { names: new Map(), abandoned: [], count: 0 };
    const existing = statements.names.get(this.#key);
    this.#statements = statements;
    this.#name = existing ?? `s${statements.count++}`;
    wire.stream.cork();
    try {
      for (const name of statements.abandoned.splice(0)) wire.close({ type: 'S', name });
      if (!prepared.has(connection)) wire.parse({ name: 'impersonate', text: IMPERSONATE, types: [] }, true);
      wire.bind({ statement: 'impersonate', values: this.#settings }, true);
      wire.execute({ portal: '', rows: 0 }, true);
      if (!existing) wire.parse({ name: this.#name, text: this.#sql, types: [] }, true);
      wire.bind({ statement: this.#name, values: this.#values.map(toWire) }, true);
      wire.describe({ type: 'P', name: '' }, true);
      wire.execute({ portal: '', rows: 0 }, true);
      wire.sync();
      prepared.set(connection, statements);
    } finally {
      wire.stream.uncork();
    }
  }

  /**
   * After the statement has run: a failed one may not have been parsed, and closing a missing statement does
   * no harm.
   */
  #updateStatements(succeeded: boolean): void {
    if (!this.#statements) return;
    const { names, abandoned } = this.#statements;
    const wasPrepared = names.delete(this.#key);
    if (!succeeded && !wasPrepared) {
      abandoned.push(this.#name);
      return;
    }
    names.set(this.#key, this.#name);
    const [oldest] = names;
    if (names.size <= MAX_PREPARED || !oldest) return;
    names.delete(oldest[0]);
    abandoned.push(oldest[1]);
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#fields = message.fields.map((field) => ({
      name: field.name,
      parse: pg.types.getTypeParser(field.dataTypeID, 'text'),
    }));
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    if (!this.#impersonated) return;
    const row: Record<string, unknown> = {};
    this.#fields.forEach((field, index) => {
      const text = message.fields[index];
      row[field.name] = text === null || text === undefined ? null : field.parse(text);
    });
    this.#rows.push(row as Row);
  }

  handleCommandComplete(message: { text: string }): void {
    if (!this.#impersonated) {
      this.#impersonated = true;
      return;
    }
    this.#rowCount = Number(message.text.split(' ').at(-1)) || 0;
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  handleError(error: Error, connection: pg.Connection): void {
    // The driver forgets this query on an error, but the connection is free only after ReadyForQuery, which a
    // closing connection never sends.
    if (endsConnection(error)) {
      this.#reject(error);
      return;
    }
    this.#updateStatements(false);
    connection.once('readyForQuery', () => this.#reject(error));
  }

  handleReadyForQuery(): void {
    this.#updateStatements(true);
    this.#resolve({ rows: this.#rows, rowCount: this.#rowCount });
  }
}

function toWire(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value);
}
