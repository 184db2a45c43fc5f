import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { serve } from '@hono/node-server';
import { readConfig } from '#backend/config.ts';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { type Caller, Database } from '#backend/database/database.ts';
import { createLog } from '#backend/log.ts';
import { assemble } from '#backend/start.ts';
import { root } from './database.ts';

// A separate process, so that the load comes from the other core. Its arguments select the server.
const [kind = '', databaseUrl = '', dataDir = ''] = process.argv.slice(2);
const secrets = await readSecrets(dataDir, undefined);
const as = (role: string) => {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = secrets.databasePassword;
  return url.href;
};
const connect = (role: string) => Database.connect(as(role), { max: 16, onIdleError: () => undefined });

if (kind === 'backend') {
  const read = readConfig(root, {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    SITE_URL: 'http://127.0.0.1',
    TRUST_PROXY: 'true',
  });
  const config = { ...read, maxHeld: { ...read.maxHeld, 'sockets of a network': 100_000 } };
  const backend = await assemble(config, secrets, databaseUrl, createLog(config.logLevel));
  const server = serve({ fetch: backend.app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
    process.send?.({ port, anonKey: backend.keys.anonKey, serviceRoleKey: backend.keys.serviceRoleKey }),
  );
  server.on('upgrade', (request, socket, head) => backend.sockets?.upgrade(request, socket, head));
}

/**
 * A minimal server for the comparison: no parsing, no keys, the statement ready, the role set in the same
 * trip.
 */
if (kind === 'bare') {
  const database = await connect('authenticator');
  const statements = new Map<string, { caller: Caller; sql: string; values: unknown[] }>();
  process.on(
    'message',
    ({ path, caller, sql, values }: { path: string; caller: Caller; sql: string; values: unknown[] }) => {
      statements.set(path, { caller, sql, values });
      process.send?.({ ready: path });
    },
  );
  const server = createServer(async (request, response) => {
    const statement = statements.get(request.url ?? '');
    if (!statement) return response.writeHead(404).end();
    if (request.method === 'POST') for await (const _ of request);
    const { rows } = await database.as<{ body: string }>(statement.caller, statement.sql, statement.values);
    return response.writeHead(200, { 'content-type': 'application/json' }).end(rows[0]?.body);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
  });
}

/** The driver alone, without a server and without a role to assume. */
if (kind === 'driver') {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
  process.on(
    'message',
    async ({ sql, values, seconds }: { sql: string; values: unknown[]; seconds: number }) => {
      let done = 0;
      const end = performance.now() + seconds * 1000;
      await Promise.all(
        Array.from({ length: 16 }, async () => {
          while (performance.now() < end) {
            await pool.query({ name: createHash('md5').update(sql).digest('hex'), text: sql, values });
            done++;
          }
        }),
      );
      process.send?.({ done });
    },
  );
  process.send?.({ port: 0 });
}

/** A websocket server that has one message and sends it to all sockets on request. */
if (kind === 'sockets') {
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false }, () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
  });
  process.on('message', ({ text, times }: { text: string; times: number }) => {
    for (let time = 0; time < times; time++) for (const client of server.clients) client.send(text);
  });
}
