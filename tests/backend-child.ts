import { resolve } from 'node:path';
import { serve } from '@hono/node-server';
import { readConfig } from '#backend/config.ts';
import { createLog } from '#backend/log.ts';
import { assemble } from '#backend/main.ts';
import { readSecrets } from '#backend/secrets.ts';

// Started by backend-process.ts, never by itself; ends with whoever started it.
const root = resolve(import.meta.dirname, '..');
let handle: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 });
const server = serve({ fetch: (request) => handle(request), hostname: '127.0.0.1', port: 0 });
await new Promise<void>((listening) => server.once('listening', listening));
const address = server.address();
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
const read = readConfig(root, { SITE_URL: url, ...process.env });
const limit = Number(process.env.FILE_SIZE_LIMIT ?? read.storage.file_size_limit);
const config = { ...read, storage: { ...read.storage, file_size_limit: limit } };
const secrets = await readSecrets(config.dataDir, config.jwtSecret);
const backend = await assemble(config, secrets, config.databaseUrl ?? '', createLog(config.logLevel));
handle = (request) => backend.app.fetch(request);
process.on('message', () => process.send?.({ memory: process.resourceUsage().maxRSS * 1024 }));
process.on('disconnect', () => process.exit());
process.send?.({ url });
