import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type BenchDatabase, root } from './database.ts';

export interface SubjectProcess {
  child: ChildProcess;
  /** The server's port and keys. */
  hello: Record<string, string>;
}

/** Starts one of the measured servers in a separate process; when it dies, so does the benchmark. */
export async function startSubject(kind: string, { url, dataDir }: BenchDatabase): Promise<SubjectProcess> {
  const child = fork(join(import.meta.dirname, 'servers.ts'), [kind, url, dataDir], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  child.on('exit', (code) => {
    if (code) process.exit(1);
  });
  const [hello] = await once(child, 'message');
  return { child, hello };
}

/** Seconds of processor time that a process has used; from Linux's process table, where the load is no part of it. */
export function processorSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export interface SiteProcess {
  child: ChildProcess;
  url: string;
  stop(): Promise<void>;
}

/** Node's options for the site, as `npm start` has them. */
export const SITE_OPTIONS = ['--max-semi-space-size=8'];

/** Starts the site in a separate process, and waits until it is ready with its demo content. */
export async function startSite(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<SiteProcess> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const child = fork(join(root, 'server/main.ts'), {
    execArgv: SITE_OPTIONS,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'error',
      FIELD_PACK_EVERY: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await new Promise<void>((ready, failed) => {
    child.stdout?.on('data', (line: Buffer) => line.includes('is ready') && ready());
    child.once('exit', (code) => failed(new Error(`The site ended with ${code}`)));
  });
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}
