import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The address of a running site; kept in `<dataDir>/instance.json` while it runs. */
export interface Instance {
  pid: number;
  apiUrl: string;
  databaseUrl: string | undefined;
  mailUrl: string | undefined;
  anonKey: string;
  serviceRoleKey: string;
}

const fileIn = (dataDir: string) => join(dataDir, 'instance.json');

/** The instance that runs on this data folder; undefined when none does, also after one was killed. */
export function runningInstance(dataDir: string): Instance | undefined {
  if (!existsSync(fileIn(dataDir))) return undefined;
  const instance: Instance = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'));
  try {
    process.kill(instance.pid, 0);
  } catch {
    return undefined;
  }
  // The process id may have been reused by another program since.
  const commandLine = `/proc/${instance.pid}/cmdline`;
  if (existsSync(commandLine) && !readFileSync(commandLine, 'utf8').includes('server/main.ts'))
    return undefined;
  return instance;
}

export function announceInstance(dataDir: string, instance: Instance): void {
  writeFileSync(fileIn(dataDir), `${JSON.stringify(instance, null, 2)}\n`, { mode: 0o600 });
}

export function forgetInstance(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}
