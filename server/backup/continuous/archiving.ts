import { readFileSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '#backend/config.ts';
import { unarchivedFilesIn } from '#backend/files/file-driver.ts';
import { replaceFile } from '#backend/files/replace-file.mjs';
import type { Logger } from '#backend/log.ts';
import { diskProblem, freeBytes } from '../../../media/disk.ts';
import { BackupError } from '../encryption.ts';
import type { SiteFiles } from '../files.ts';
import { connect } from '../tables.ts';
import {
  ARCHIVE_TIMEOUT_MS,
  bases,
  findArchive,
  forgetArchive,
  isThere,
  type LogArchive,
  recordIn,
  unarchivedIn,
} from './log-archive.ts';
import { createShipper } from './log-shipping.ts';

const ROUND_MS = 5_000;
/** The time by which PostgreSQL may be late with the end of a segment. */
const SLACK_MS = 5_000;
/** The duration of a round from which it is reported: a network disk may never answer. */
const SLOW_ROUND_MS = 60_000;
/** The time for the database to answer one query. */
const QUERY_TIMEOUT_MS = 5_000;
/** The time between two lines of the log about the same problem. */
const RETRY_MS = 900_000;
/**
 * The data that may wait on the disk of the data folder, and the part of its free space, before waiting is
 * given up.
 */
const MAX_WAITING_BYTES = 4 * 1024 ** 3;
const MAX_WAITING_PART = 0.5;
/** The time for the last of the log, when the site stops. */
const STOP_MS = 8_000;

/** The position and value of a clean shutdown in `ControlFileData`, from PostgreSQL's pg_control.h. */
const STATE_OFFSET = 16;
const SHUT_DOWN = 1;

/** The problem until the first base copy, which is made after the first start. */
export const NOT_BEGUN = 'Nothing is archived yet; it begins with the first base copy';

/** The state of the archiving. */
export interface Archived {
  /** All data written before can be restored; none yet where it is missing. */
  until?: string;
  /** The reason why archiving has stopped. */
  problem?: string;
}

/** The moment up to which this data folder is archived; undefined where it is not archived. */
export function lastArchived(dataDir: string): Archived | undefined {
  try {
    return JSON.parse(readFileSync(recordIn(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Archives the database's log and the files as they are written, so that a lost disk costs at most the last
 * minute. A folder that cannot be written to is reported, and never blocks the site.
 *
 * @returns a function that stops archiving, to be called when the database has stopped
 */
export function archiveContinuously(
  { backup }: Pick<Config, 'backup'>,
  site: SiteFiles,
  databaseUrl: string,
  log: Logger,
): () => Promise<void> {
  const { directory, continuous, key } = backup;
  const { dataDir } = site;
  if (!directory || !continuous) return async () => undefined;
  let archive: LogArchive | undefined;
  /** Whether there has been an archive. */
  let archiveExisted = false;
  let ship = async () => {};
  let client: pg.Client | undefined;
  /** The process that ends segments in time, and since when it does. */
  let ending: { pid: number; since: number } | undefined;
  let archived: Archived = { until: lastArchived(dataDir)?.until };
  let reported: { problem: string; at: number } | undefined;
  let round: { startedAt: number; finished: Promise<void> } | undefined;
  let stopped = false;

  async function findOrBeginArchive(): Promise<LogArchive | undefined> {
    if (archive && (await isThere(archive.folder))) return archive;
    archive = await findArchive(dataDir, directory ?? '', key);
    if (archive) ship = createShipper(archive, site);
    archiveExisted ||= archive !== undefined;
    return archive;
  }

  /**
   * Whether all data written until half a minute ago is in finished segments, and those are where they are
   * looked for.
   */
  async function isHandedOver(): Promise<boolean> {
    client ??= await connect(databaseUrl);
    const { rows } = await client.query<{ waiting: number; pid: number | null; failing: boolean }>(
      `select (select count(*)::int from pg_ls_archive_statusdir() where name like '%.ready') as waiting,
         (select pid from pg_stat_activity where backend_type = 'checkpointer') as pid,
         last_failed_time > coalesce(last_archived_time, '-infinity') as failing
       from pg_stat_archiver`,
    );
    const [state] = rows;
    if (state?.waiting && state.failing)
      throw new BackupError(
        `PostgreSQL cannot write its log to ${unarchivedIn(dataDir)}; postgres.log says why.`,
      );
    if (state?.pid && state.pid !== ending?.pid) {
      // It looks at how old a segment is when it wakes. At a start it goes to sleep for five minutes while the log is still read,
      // and this wakes it.
      await client.query('select pg_reload_conf()');
      ending = { pid: state.pid, since: performance.now() };
    }
    const isSteady = ending !== undefined && performance.now() - ending.since > ARCHIVE_TIMEOUT_MS;
    return state?.waiting === 0 && isSteady;
  }

  async function runRound(): Promise<void> {
    const now = Date.now();
    try {
      const found = await findOrBeginArchive();
      if (!found) {
        if (!archived.until && !archiveExisted) {
          archived = { problem: NOT_BEGUN };
          const gaveUp = await giveUp();
          if (gaveUp) fail(NOT_BEGUN + gaveUp);
          return;
        }
        throw new BackupError(
          `${directory} does not have what was archived of this data folder under this BACKUP_KEY; it goes on when it is there again, or with the next base copy`,
        );
      }
      const { folder } = found;
      const handedOver = stopped ? await isShutDown(dataDir) : await withinTime(isHandedOver());
      await ship();
      archived = { until: archived.until };
      if (handedOver && (await bases(folder)).length > 0) {
        const until = new Date(stopped ? now : now - ARCHIVE_TIMEOUT_MS - SLACK_MS).toISOString();
        // What the process before has archived at its end stays so, unless the clock has been set back since.
        const isLater = !archived.until || until > archived.until || Date.parse(archived.until) > now;
        if (isLater) archived.until = until;
        await replaceFile(join(folder, 'archived-until'), `${archived.until}\n`);
      }
      if (reported) log.info({ until: archived.until }, 'archiving continues');
      reported = undefined;
    } catch (error) {
      const disk = diskProblem(error);
      const why =
        error instanceof BackupError
          ? error.message
          : `${directory} ${disk ?? 'cannot be used'}: ${error instanceof Error ? error.message : error}`;
      fail(`${why}${await giveUp()}`);
    } finally {
      await recordProgress();
    }
  }

  /** A database that has stopped, or hangs, is reported elsewhere, and writes nothing. */
  async function withinTime(answer: Promise<boolean>): Promise<boolean> {
    const late = wait(QUERY_TIMEOUT_MS, undefined, { ref: false }).then(() =>
      Promise.reject(new Error('late')),
    );
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      if (error instanceof BackupError) throw error;
      client?.end().catch(() => undefined);
      client = undefined;
      return false;
    } finally {
      late.catch(() => undefined);
    }
  }

  /**
   * Discards the waiting data before it fills the disk; the archive then ends here, and another begins with a
   * base copy.
   */
  async function giveUp(): Promise<string> {
    try {
      const folder = unarchivedIn(dataDir);
      let waiting = 0;
      const files = unarchivedFilesIn(dataDir);
      for (const name of await readdir(folder)) waiting += (await stat(join(folder, name))).size;
      for (const name of await readdir(files).catch(() => []))
        waiting += (await stat(join(files, name))).size;
      if (waiting <= Math.min(MAX_WAITING_BYTES, freeBytes(folder) * MAX_WAITING_PART)) return '';
      forgetArchive(dataDir);
      archive = undefined;
      for (const name of await readdir(folder)) await rm(join(folder, name), { force: true });
      await rm(files, { recursive: true, force: true });
      return '. What was waiting to be archived has been let go, so that it does not fill the disk of the data folder';
    } catch {
      return '';
    }
  }

  function fail(problem: string): void {
    archived = { until: archived.until, problem };
    if (reported?.problem === problem && performance.now() - reported.at < RETRY_MS) return;
    reported = { problem, at: performance.now() };
    log.error({ problem, until: archived.until }, 'archiving fails');
  }

  async function recordProgress(): Promise<void> {
    try {
      await replaceFile(recordIn(dataDir), `${JSON.stringify(archived)}\n`);
    } catch {
      // A data folder that cannot be written to is reported elsewhere.
    }
  }

  function startRound(): void {
    if (!round) {
      const finished = runRound().finally(() => {
        round = undefined;
      });
      round = { startedAt: performance.now(), finished };
    } else if (performance.now() - round.startedAt > SLOW_ROUND_MS) {
      void giveUp().then((gaveUp) => {
        fail(`${directory} is slow, or does not answer${gaveUp}`);
        return recordProgress();
      });
    }
  }

  startRound();
  const timer = setInterval(startRound, ROUND_MS).unref();
  return async () => {
    clearInterval(timer);
    stopped = true;
    client?.end().catch(() => undefined);
    const rest = async () => {
      await round?.finished;
      await runRound();
    };
    await Promise.race([rest(), wait(STOP_MS, undefined, { ref: false })]);
  };
}

/**
 * Whether PostgreSQL was shut down cleanly, by the state in its control file, and has delivered all of its
 * log.
 */
async function isShutDown(dataDir: string): Promise<boolean> {
  const control = await readFile(join(dataDir, 'postgres/global/pg_control'));
  const log = await readdir(join(dataDir, 'postgres/pg_wal/archive_status'));
  return control.readInt32LE(STATE_OFFSET) === SHUT_DOWN && !log.some((name) => name.endsWith('.ready'));
}
