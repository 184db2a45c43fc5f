import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { lastBackup } from './backup.ts';
import { keepErasures } from './erasures.ts';
import { connect } from './tables.ts';

const MINUTE = 60_000;
/** After one that failed. */
const AGAIN = 15 * MINUTE;

/**
 * Makes backups by itself where settings name a folder for them, each in a process of its own, and keeps the list
 * of what was deleted for good beside them.
 *
 * @param program makes one backup, by the settings in `environment`
 * @returns how to stop
 */
export function scheduleBackups(
  { backup, dataDir }: Pick<Config, 'backup' | 'dataDir'>,
  databaseUrl: string,
  { program, environment }: { program: string; environment: NodeJS.ProcessEnv },
  log: Logger,
): () => Promise<void> {
  const { directory, every } = backup;
  if (!directory) return async () => undefined;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  let child: ChildProcess | undefined;
  let stopped = false;
  /** Of the clock that is never set. */
  let notBefore = 0;
  let listed = new Date(0);
  let round: Promise<void> = Promise.resolve();

  async function make(): Promise<void> {
    child = spawn(process.execPath, [program], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    if (child.pid) setPriority(child.pid, 10);
    // Together: what the child cannot be started for is told while its output is waited for.
    const [problem, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', ended]);
    child = undefined;
    if (stopped) return;
    if (code === 0) log.info({ backup: await lastBackup(dataDir) }, 'backup made');
    else {
      notBefore = performance.now() + AGAIN;
      log.error({ problem: problem.trim() }, 'a backup failed');
    }
    if (code === 0 && problem) log.warn({ problem: problem.trim() }, 'the backup is not complete');
  }

  async function list(): Promise<void> {
    const began = new Date();
    const client = await connect(databaseUrl);
    // A transaction that began before may have ended since.
    // And the clock may have been set back, by which what follows is dated.
    const since = new Date(Math.min(listed.getTime(), began.getTime()) - MINUTE);
    await keepErasures(client, directory ?? '', since).finally(() => client.end());
    listed = began;
  }

  async function look(): Promise<void> {
    try {
      await list();
      const last = await lastBackup(dataDir);
      if (!stopped && every > 0 && isDue(last?.madeAt, every) && notBefore <= performance.now()) await make();
    } catch (error) {
      log.error({ err: error }, 'a backup failed');
    }
  }

  const begin = () => {
    round = round.then(look);
  };
  begin();
  const timer = setInterval(begin, MINUTE).unref();
  return async () => {
    clearInterval(timer);
    stopped = true;
    child?.kill();
    await round;
    await list().catch((error) => log.error({ err: error }, 'what was erased could not be kept'));
  };
}

/**
 * Whether it is time for the next backup. One that seems to have been made in the future was made while the clock was
 * wrong, and says nothing about when that was.
 *
 * @param every hours
 */
export function isDue(madeAt: string | undefined, every: number): boolean {
  const age = madeAt === undefined ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(madeAt);
  return age < 0 || age >= every * 3_600_000;
}
