import { mkdir } from 'node:fs/promises';
import type { Config } from '#backend/config.ts';
import type { Logger } from '#backend/log.ts';
import { tryEach } from '#backend/try-each.ts';
import { type Program, startProgram } from '../program.ts';
import { lastBackup } from './backup.ts';
import { bases, findArchive } from './continuous/log-archive.ts';
import { recordDeletions } from './deletions.ts';
import { newestFirst } from './retention.ts';
import { connect } from './tables.ts';

const MINUTE_MS = 60_000;
/** The pause after a failed backup. */
const RETRY_MS = 15 * MINUTE_MS;

/**
 * The kinds of backup: an archive of one moment, or a base copy for the log that is archived continuously.
 */
const KINDS = {
  archive: { args: [], succeeded: 'backup made', failed: 'a backup failed' },
  base: { args: ['--base'], succeeded: 'base copy made', failed: 'a base copy failed' },
} as const;
type Kind = keyof typeof KINDS;

/**
 * Makes automatic backups where settings name a folder for them, each in a separate process, and keeps the
 * list of permanent deletions beside them.
 *
 * @param program makes one backup; with `--base` a base copy
 * @returns a function that stops this
 */
export function scheduleBackups(
  { backup, dataDir }: Pick<Config, 'backup' | 'dataDir'>,
  databaseUrl: string,
  program: Program,
  log: Logger,
): () => Promise<void> {
  const { directory, every, continuous, key } = backup;
  if (!directory) return async () => undefined;
  let running: ReturnType<typeof startProgram> | undefined;
  let isStopped = false;
  /** In the time of the monotonic clock. */
  const notBefore: Record<Kind, number> = { archive: 0, base: 0 };
  let listed = new Date(0);

  async function make(kind: Kind): Promise<void> {
    const { args, succeeded, failed } = KINDS[kind];
    running = startProgram(program, args);
    const { code, problem } = await running.ended;
    running = undefined;
    if (isStopped) return;
    if (code === 0) log.info(kind === 'archive' ? { backup: await lastBackup(dataDir) } : {}, succeeded);
    else {
      notBefore[kind] = performance.now() + RETRY_MS;
      log.error({ problem }, failed);
    }
    if (code === 0 && problem) log.warn({ problem }, 'the backup is not complete');
  }

  async function list(): Promise<void> {
    const startedAt = new Date();
    await mkdir(directory ?? '', { recursive: true, mode: 0o700 });
    const client = await connect(databaseUrl);
    // A transaction that began before may have ended since. And the clock may have been set back, and the
    // deletions are dated by it.
    const since = new Date(Math.min(listed.getTime(), startedAt.getTime()) - MINUTE_MS);
    await recordDeletions(client, directory ?? '', since).finally(() => client.end());
    listed = startedAt;
  }

  async function lastMade(kind: Kind): Promise<string | undefined> {
    if (kind === 'archive') return (await lastBackup(dataDir))?.madeAt;
    const archive = await findArchive(dataDir, directory ?? '', key);
    return archive && newestFirst(await bases(archive.folder))[0]?.at.toISOString();
  }

  async function runRound(): Promise<void> {
    const makeIfDue = async (kind: Kind) => {
      if (
        !isStopped &&
        every > 0 &&
        notBefore[kind] <= performance.now() &&
        isDue(await lastMade(kind), every)
      )
        await make(kind);
    };
    await mkdir(directory ?? '', { recursive: true, mode: 0o700 })
      .then(() => tryEach<Kind>(continuous ? ['base', 'archive'] : ['archive'], makeIfDue))
      .catch((error) => log.error({ err: error }, 'a backup failed'));
  }

  const listAgain = () =>
    list().catch((error) => log.error({ err: error }, 'the list of erasures could not be written'));
  // Beside each other, since a large backup takes hours. Of each the next begins when the one before has ended.
  const parts = [each(listAgain), each(runRound)];
  return async () => {
    isStopped = true;
    running?.stop();
    await Promise.all(parts.map((stop) => stop()));
    await listAgain();
  };
}

/** Does a thing now and each minute, one after the other. @returns a function that stops this, once it is done */
function each(action: () => Promise<void>): () => Promise<void> {
  let last = action();
  const timer = setInterval(() => {
    last = last.then(action);
  }, MINUTE_MS).unref();
  return () => {
    clearInterval(timer);
    return last;
  };
}

/**
 * Whether the next backup is due. One with a date in the future was made while the clock was wrong, so its
 * date is ignored.
 *
 * @param every hours
 */
export function isDue(madeAt: string | undefined, every: number): boolean {
  const age = madeAt === undefined ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(madeAt);
  return age < 0 || age >= every * 3_600_000;
}
