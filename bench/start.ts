import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchDatabase } from './database.ts';

export interface SubjectProcess {
  child: ChildProcess;
  /** The server's port and keys. */
  hello: Record<string, string>;
}

/** Starts one of the measured servers in a separate process; when it dies, so does the benchmark. */
export async function startSubject(kind: string, { url, dataDir }: BenchDatabase): Promise<SubjectProcess> {
  const child = fork(join(import.meta.dirname, 'subject-process.ts'), [kind, url, dataDir], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  child.on('exit', (code) => {
    if (code) process.exit(1);
  });
  const [hello] = await once(child, 'message');
  return { child, hello };
}
