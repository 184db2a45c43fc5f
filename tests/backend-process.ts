import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { PoolLoad } from '#backend/database/database.ts';
import type { TestBackend } from './backend.ts';
import { onFailureKeep } from './runner/evidence.ts';

/** The real services in a separate process, which can be killed and measured. */
export interface BackendProcess {
  url: string;
  pid: number;
  /** The peak of its memory, in bytes. */
  mostMemory(): Promise<number>;
  /** Its connections to the database, as `/metrics` has them. */
  pools(): Promise<Record<string, PoolLoad>>;
  /** As a power cut would, for everything but the disk. */
  kill(): Promise<void>;
}

/**
 * Starts it over a database and a data folder, for example those of a backend that runs here.
 *
 * @param environment as in `.env`, and FILE_SIZE_LIMIT in bytes
 */
export async function startBackendProcess(
  { dataDir, databaseUrl }: Pick<TestBackend, 'dataDir' | 'databaseUrl'>,
  environment: Record<string, string> = {},
): Promise<BackendProcess> {
  const child: ChildProcess = fork(resolve(import.meta.dirname, 'backend-child.ts'), {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
      ...environment,
    },
  });
  let written = '';
  child.stderr?.on('data', (text) => {
    written += text;
  });
  const answer = async <T>(): Promise<T> => (await once(child, 'message'))[0] as T;
  const ask = () => {
    child.send('figures');
    return answer<{ memory: number; pools: Record<string, PoolLoad> }>();
  };
  const ended = once(child, 'exit');
  const started = await Promise.race([answer<{ url: string }>(), ended.then(() => undefined)]);
  if (!started) throw new Error(`the process ended before it listened: ${written}`);
  const unregister = onFailureKeep(async () => ({ [`services-${child.pid}.log`]: written }));
  return {
    url: started.url,
    pid: child.pid ?? 0,
    mostMemory: async () => (await ask()).memory,
    pools: async () => (await ask()).pools,
    async kill() {
      unregister();
      child.kill('SIGKILL');
      await ended;
    },
  };
}
