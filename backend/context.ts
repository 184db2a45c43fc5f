import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Config } from './config.ts';
import type { Keys } from './crypto/tokens.ts';
import type { Database } from './database/database.ts';
import type { FileDriver } from './files/file-driver.ts';
import type { Held } from './http/held.ts';
import type { Logger } from './log.ts';
import type { Mailer } from './mail/mail.ts';

/** The dependencies that a service may need, built once at start and passed as a whole. */
export interface Dependencies {
  config: Config;
  log: Logger;
  keys: Keys;
  /** Signed in as `authenticator`: table API, storage and functions, always as the caller's role. */
  database: Database;
  /** Signed in as `supabase_auth_admin`, which owns the `auth` schema. */
  authDatabase: Database;
  /** Signed in as `authenticator` too, so that a burst of changes takes no connection from the requests. */
  realtimeDatabase: Database;
  /** Signed in as the role of the write-ahead log, which reads every row. */
  realtimeReader: Database;
  /** Signs in as that role. */
  replicationUrl: string;
  mailer: Mailer;
  /** What clients hold of this process. */
  held: Held;
  /** The place of stored files. */
  driver: FileDriver;
}

/** The variables that every handler finds on its context. */
export interface Env {
  /** Missing for a request made inside this process. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    log: Logger;
    /** The client's; undefined for a request made inside this process. */
    address: string | undefined;
  };
}

/** The log, each of whose lines names the request. */
export const logOf = ({ get }: Context<Env>): Logger => get('log').child({ requestId: get('requestId') });

/**
 * Logs that a request could not be answered; at debug level when the client hung up, since the answer reaches
 * no reader and the service is not at fault.
 */
export function logFault(context: Context<Env>, error: unknown, message: string): void {
  const { req } = context;
  const details = { err: error, method: req.method, path: req.path };
  if (req.raw.signal.aborted) logOf(context).debug(details, `${message}: the client hung up`);
  else logOf(context).error(details, message);
}
