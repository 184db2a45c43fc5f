import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/temporary-folder.ts';
import { announceInstance } from '../running-instance.mjs';
import { handOver } from './switch.ts';

const dataDir = temporaryFolder('switch');
const keys = { apiUrl: '', databaseUrl: undefined, mailUrl: undefined, anonKey: '', serviceRoleKey: '' };

/** A process that looks like a site’s, and ends when it is to hand over. */
async function startProcess() {
  const child = spawn(process.execPath, [
    '-e',
    "process.on('SIGUSR2', () => process.exit()); setInterval(() => {}, 1e6); console.log('started')",
    'server/main.ts',
  ]);
  await once(child.stdout, 'data');
  announceInstance(dataDir, { ...keys, pid: child.pid ?? 0 });
  return child;
}

const before = await startProcess();
let after: Awaited<ReturnType<typeof startProcess>> | undefined;
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  // The first is never answered, as by a process that hangs while it leaves.
  if (asked.length > 1) response.end('ok 2.0.0');
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
afterAll(() => {
  after?.kill();
  server.closeAllConnections();
  server.close();
});

it('a hand-over goes on when a process takes a request and never answers', async () => {
  const address = server.address();
  const site = {
    home: dataDir,
    dataDir,
    address: `http://127.0.0.1:${typeof address === 'object' && address?.port}`,
  };
  const handed = handOver(site, '2.0.0');
  await once(before, 'exit');
  after = await startProcess();
  expect(await handed).toBeGreaterThanOrEqual(0);
  expect(asked.slice(-2)).toEqual(['/readyz', '/healthz']);
});
