import { resolve } from 'node:path';
import { readConfig } from '#backend/config.ts';
import { readSecrets } from '#backend/crypto/secrets.ts';
import { createHttpServer, type Handler, type Upgrade } from '#backend/http/http-server.ts';
import { createLog } from '#backend/log.ts';
import { assemble } from '#backend/start.ts';

// Started by backend-process.ts, never by itself; ends with its parent process.
const root = resolve(import.meta.dirname, '..');
const log = createLog(process.env.LOG_LEVEL ?? 'error');
let handle: Handler = () => new Response(null, { status: 503 });
let upgrade: Upgrade = () => false;
const server = createHttpServer(
  'http://127.0.0.1',
  log,
  (request, bindings) => handle(request, bindings),
  (request, socket, head) => upgrade(request, socket, head),
);
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const address = server.address();
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
const read = readConfig(root, { SITE_URL: url, ...process.env });
const limit = Number(process.env.FILE_SIZE_LIMIT ?? read.storage.file_size_limit);
const config = { ...read, storage: { ...read.storage, file_size_limit: limit } };
const secrets = await readSecrets(config.dataDir, config.jwtSecret);
const backend = await assemble(config, secrets, config.databaseUrl ?? '', log);
handle = (request, bindings) => backend.app.fetch(request, bindings);
upgrade = (request, socket, head) => backend.sockets?.upgrade(request, socket, head) ?? false;
process.on('message', () =>
  process.send?.({ memory: process.resourceUsage().maxRSS * 1024, pools: backend.pools() }),
);
process.on('disconnect', () => process.exit());
process.send?.({ url });
