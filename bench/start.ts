import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchDatabase } from './database.ts';

export interface SubjectProcess {
  child: ChildProcess;
  /** Its port and keys. */
  hello: Record<string, string>;
}

/** Starts one of the things measured in a process of its own; when it dies, so does the benchmark. */
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
