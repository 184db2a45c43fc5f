import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { isFull } from '../../media/disk.ts';
import { isRunning } from '../is-running.mjs';
import { type Account, majorOfCluster, majorOfPrograms, reachablePrograms } from './postgres-programs.ts';

/** The bootstrap superuser, named as on Supabase so that the same SQL runs in both places. */
const SUPERUSER = 'supabase_admin';
/**
 * The pause between an end and the next start, since remains of the old server may delay the new one for a
 * moment. Doubled each time the server soon ends again, since every start of a database that stopped half-way
 * costs a recovery.
 */
const PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** A server that ran for this long did not end for the same reason as the one before. */
const STEADY_MS = 60_000;
/**
 * The server writes a line for each failing statement, and clients that send those must not fill the disk.
 */
const MAX_LOG_BYTES = 50_000_000;
const LOG_LOOK_MS = 60_000;
/** The time that a start waits; crash recovery after a hard stop may take long on a large database. */
const START_MS = 120_000;
/**
 * Settings of the write-ahead log: ending its segments early costs a whole one each time, once a minute on an
 * idle site that is archived.
 */
const SEGMENT_MB = 4;
/** Here each cluster that lies outside of its data folder has a folder of its own. */
export const HOMES = '/var/lib/embedded-postgres';

export interface Postgres {
  /** Connection URL of the superuser. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm installed, creating its cluster on the first start.
 *
 * PostgreSQL refuses to run as root, and the account it then runs as may not be able to enter the folder the
 * project lies in (root's home, say). In that case the cluster lives under `HOMES` and
 * `<dataDir>/postgres` is a link to it.
 *
 * @param dataDir absolute path; must exist and be writable
 * @param password of every role that can sign in
 * @param settings of postgresql.conf, which go before our own
 * @param ended called each time the server has ended by itself, with the reason and the most milliseconds
 * until it is started again
 */
export async function startPostgres(
  dataDir: string,
  password: string,
  settings: Record<string, string> = {},
  ended: (reason: string, pauseMs: number) => void = () => undefined,
): Promise<Postgres> {
  const { cluster, account } = clusterOf(dataDir);
  const native = reachablePrograms(dirname(cluster), account);
  const run = {
    ...account,
    cwd: dirname(cluster),
    // biome-ignore lint/style/noProcessEnv: the programs that it starts are found by it
    env: { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C' },
  };

  const major = majorOfCluster(cluster);
  if (major === undefined) initialise(cluster, native, password, account, run);
  else if (major !== majorOfPrograms())
    throw new Error(
      `The database in ${cluster} was made by PostgreSQL ${major}, and this version has PostgreSQL ${majorOfPrograms()}, which cannot read it. ` +
        'Start the version before again, and install this one by its upgrade command; or make a backup with it, and restore that with this one into a new data folder.',
    );
  refuseBesideOther(cluster);
  await stopOrphan(cluster);

  const port = await freePort();
  // A file, not a pipe: the server must not die of a broken pipe when the site's process is killed.
  const logFile = join(dirname(cluster), 'postgres.log');
  const log = openSync(logFile, 'a', 0o600);
  const launch = () =>
    spawn(
      join(native, 'bin/postgres'),
      [
        ['-D', cluster],
        ['-c', 'listen_addresses=127.0.0.1'],
        ['-c', `port=${port}`],
        // Socket paths are limited to 107 bytes, which a deep folder exceeds.
        ['-c', 'unix_socket_directories='],
        ['-c', 'wal_level=logical'],
        // The server is restarted by this module. Its own restart leaves it permanently without its startup
        // process when that ends at once, as on a full disk, before the server has noticed that it had begun.
        ['-c', 'restart_after_crash=off'],
        // A reader of changes that falls further behind starts again, before the log it holds back fills the
        // disk.
        ['-c', 'max_slot_wal_keep_size=1GB'],
        // PostgreSQL otherwise derives the value from the size of a segment.
        ['-c', 'min_wal_size=80MB'],
        ['-c', 'max_wal_size=1GB'],
        ['-c', 'max_connections=120'],
        ['-c', 'shared_buffers=256MB'],
        ['-c', 'random_page_cost=1.1'],
        ['-c', 'jit=off'],
        ['-c', 'timezone=UTC'],
        ['-c', 'log_timezone=UTC'],
        ...Object.entries(settings).map(([name, value]) => ['-c', `${name}=${value}`]),
      ].flat(),
      // A separate process group, so that Ctrl-C reaches only this process and the server is stopped after
      // the last request.
      { ...run, stdio: ['ignore', log, log], detached: true },
    );

  let child = launch();
  let launchedAt = performance.now();
  let phase: 'starting' | 'running' | 'stopping' = 'starting';
  let failure: string | undefined;
  let pauseMs = PAUSE_MS;

  /** Starts it again, after a pause or as soon as a disk that was full has room. It recovers by itself. */
  async function startAgain(reason: string): Promise<void> {
    pauseMs = performance.now() - launchedAt > STEADY_MS ? PAUSE_MS : Math.min(pauseMs, MAX_PAUSE_MS);
    const wasFull = isFull(cluster);
    ended(wasFull ? `the disk of ${cluster} is full` : reason, pauseMs);
    const until = performance.now() + pauseMs;
    pauseMs *= 2;
    do await wait(PAUSE_MS, undefined, { ref: false });
    while (phase === 'running' && performance.now() < until && !(wasFull && !isFull(cluster)));
    if (phase !== 'running') return;
    child = launch();
    launchedAt = performance.now();
    watch();
  }
  function watch(): void {
    const handleEnd = (reason: string) => {
      failure = reason;
      if (phase === 'running') void startAgain(reason);
    };
    // A process that could not be started has no id, and never ends.
    child.on('error', (error) => child.pid === undefined && handleEnd(error.message));
    child.once('exit', (code, signal) =>
      handleEnd(`PostgreSQL ended with ${signal ?? `code ${code}`}; see ${logFile}`),
    );
  }
  watch();
  // A process that exits before it could stop its database in order.
  const leave = () => child.kill('SIGINT');
  process.once('exit', leave);
  const logLook = setInterval(() => keepShort(logFile), LOG_LOOK_MS).unref();

  const url = `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  try {
    // Replaying an archived log takes as long as it takes.
    await accepting(url, () => failure, settings.restore_command ? Number.POSITIVE_INFINITY : START_MS);
  } catch (error) {
    clearInterval(logLook);
    process.off('exit', leave);
    child.kill('SIGQUIT');
    throw error;
  }
  phase = 'running';
  return {
    url,
    async stop() {
      phase = 'stopping';
      process.off('exit', leave);
      clearInterval(logLook);
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGINT');
      // The wait does not keep a command running that is done with its database.
      const late = wait(10_000, undefined, { ref: false }).then(() => child.kill('SIGQUIT'));
      await Promise.race([exited, late]);
      await exited;
    },
  };
}

/**
 * The folder that belongs to a cluster outside of its data folder: the one that was made for it, or the cluster alone where an operator
 * has made the link to it, beside which other things may lie.
 */
export const placeOf = (cluster: string): string =>
  dirname(dirname(cluster)) === HOMES ? dirname(cluster) : cluster;

/** The location of a data folder's cluster, and its owner when that is another account. */
export function clusterOf(dataDir: string): { cluster: string; account: Account | undefined } {
  const account = process.getuid?.() === 0 ? unprivilegedAccount() : undefined;
  return { cluster: clusterDirectory(dataDir, account), account };
}

/**
 * Copies a log that has grown long to the place of the previous one and empties it; its writer appends at the
 * end, wherever that is.
 */
function keepShort(file: string): void {
  try {
    if (statSync(file).size < MAX_LOG_BYTES) return;
    try {
      copyFileSync(file, `${file}.1`);
    } finally {
      truncateSync(file);
    }
  } catch {
    // The size is checked again later, and a full disk is reported elsewhere.
  }
}

function unprivilegedAccount(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const entry = accounts.find((fields) => fields[0] === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new Error('PostgreSQL cannot run as root and no account "postgres" or "nobody" exists to run it as.');
}

function canEnter(directory: string, account: Account): boolean {
  return spawnSync('test', ['-x', directory], { ...account, cwd: '/' }).status === 0;
}

function clusterDirectory(dataDir: string, account: Account | undefined): string {
  const inside = join(dataDir, 'postgres');
  if (lstatSync(inside, { throwIfNoEntry: false })?.isSymbolicLink()) return readlinkSync(inside);
  if (!account || canEnter(dataDir, account)) return inside;
  const home = join(HOMES, randomBytes(6).toString('hex'));
  mkdirSync(home, { recursive: true, mode: 0o711 });
  if (!canEnter(home, account)) {
    throw new Error(
      `PostgreSQL's account can enter neither ${dataDir} nor ${home}; set DATA_DIR to a folder it can reach.`,
    );
  }
  symlinkSync(join(home, 'postgres'), inside);
  return join(home, 'postgres');
}

function initialise(
  cluster: string,
  native: string,
  password: string,
  account: Account | undefined,
  run: { cwd: string; env: Record<string, string> },
): void {
  // Built beside its final place and renamed when complete, so that an interrupted start is simply repeated.
  const unfinished = `${cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const passwordFile = `${cluster}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) {
    chownSync(unfinished, account.uid, account.gid);
    chownSync(passwordFile, account.uid, account.gid);
  }
  const result = spawnSync(
    join(native, 'bin/initdb'),
    [
      `--pgdata=${unfinished}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--wal-segsize=${SEGMENT_MB}`,
    ],
    { ...run, encoding: 'utf8' },
  );
  rmSync(passwordFile, { force: true });
  if (result.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(
      `The database could not be created in ${cluster}: ${result.stderr?.trim() || result.error?.message}`,
    );
  }
  renameSync(unfinished, cluster);
}

/** The process of the server that runs on a cluster; undefined where none does. */
function serverOf(cluster: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const isServer =
      existsSync(`/proc/${pid}/exe`) || platform() === 'linux'
        ? realpathSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
        : spawnSync('ps', ['-p', String(pid), '-o', 'comm=']).stdout.includes('postgres');
    return isServer ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Refuses a cluster whose server another process of the site has started and would miss. A site says that it runs only once it is ready,
 * and a command never does. The system gives the server of a process that was killed to another one.
 */
function refuseBesideOther(cluster: string): void {
  const stat = `/proc/${serverOf(cluster)}/stat`;
  if (!existsSync(stat)) return;
  const parent = Number(/\) \S (\d+) /.exec(readFileSync(stat, 'utf8'))?.[1]);
  if (
    parent !== process.pid &&
    ['server/main.ts', 'scripts/operator/'].some((name) => isRunning(parent, name))
  )
    throw new Error(
      `The database in ${cluster} is that of process ${parent}, a site that is starting or a command; try again when it is ready or has ended.`,
    );
}

/**
 * A server left behind by a killed process still holds the cluster; it receives the signal to stop before a
 * new one starts.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const pid = serverOf(cluster);
  if (pid === undefined) {
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  for (let waited = 0; serverOf(cluster) === pid; waited += 50) {
    if (waited > 20_000)
      throw new Error(
        `A PostgreSQL left by an earlier run (process ${pid}) does not stop; end it and start again.`,
      );
    await wait(50);
  }
}

/** A port of this machine that no program listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port for the database.');
  return address.port;
}

async function accepting(url: string, failure: () => string | undefined, patienceMs: number): Promise<void> {
  for (let waited = 0; ; waited += 25) {
    const problem = failure();
    if (problem) throw new Error(problem);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (waited > patienceMs) throw new Error('The database does not accept connections.', { cause: error });
      await wait(25);
    }
  }
}
