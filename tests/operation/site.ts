import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Copies the sources of the site, with its packages as a link. */
export function copySources(into: string): void {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const sources = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of sources.filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(into, file)), { recursive: true });
    cpSync(join(root, file), join(into, file));
  }
  symlinkSync(join(root, 'node_modules'), join(into, 'node_modules'));
}

export interface Run {
  process: ChildProcess;
  /** All output so far. */
  output: () => string;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** The processes of this test file so far. */
export const runs: { task: string; output: () => string }[] = [];

/**
 * Runs a task as `npm run <task>` would, with only those variables of this environment without which it
 * cannot run.
 */
export function run(
  task: string,
  settings: Record<string, string>,
  args: string[] = [],
  options: { uid?: number; gid?: number; cwd?: string } = {},
): Run {
  const child = spawn('node', ['scripts/run.mjs', task, ...args], {
    cwd: root,
    // Tests that need the field pack ask for it.
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', FIELD_PACK_EVERY: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) =>
    child.once('close', (code, signal) => done({ code, signal })),
  );
  runs.push({ task, output: () => output });
  return { process: child, output: () => output, exited };
}

/** Starts a site and resolves when it is ready. */
export const start = (
  settings: Record<string, string>,
  options: { uid?: number; gid?: number; cwd?: string } = {},
): Promise<Run> => ready(run('start', settings, [], options));

/** Resolves when a site reports that it is ready; rejects with its output when it ends instead. */
export async function ready(site: Run): Promise<Run> {
  await new Promise<void>((resolve, reject) => {
    const checkReady = () => site.output().includes('Limb Commons is ready') && resolve();
    site.process.stdout?.on('data', checkReady);
    site.exited.then(() => reject(new Error(site.output())));
  });
  return site;
}

const portFile = (port: number | string) => join(tmpdir(), `limb-commons-port-${port}`);

/**
 * Reserves a port for the life of this test process, by a file that holds its id: a site that is stopped for a
 * while listens on none, and another file, or another run beside this one, could take it.
 */
function reserve(port: number): boolean {
  try {
    writeFileSync(portFile(port), String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** Gives back the ports of test processes that have ended. */
export function releasePorts(): void {
  for (const name of readdirSync(tmpdir())) {
    const port = /^limb-commons-port-(\d+)$/.exec(name)?.[1];
    if (!port) continue;
    try {
      if (!isAlive(Number(readFileSync(portFile(port), 'utf8')))) rmSync(portFile(port));
    } catch {
      // Another run has given it back in the meantime, or it is that of another account, for which it stays taken.
    }
  }
}

/**
 * A free port, for a site that is started later, or again. It is outside of the range from which the system
 * assigns ports: another server or a connection would have it by then.
 */
export async function freePort(): Promise<string> {
  for (;;) {
    const port = randomInt(11_000, 31_000);
    if (!reserve(port)) continue;
    const server = createServer();
    const free = await new Promise<boolean>((done) =>
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true)),
    );
    if (!free) continue;
    await new Promise((done) => server.close(done));
    return String(port);
  }
}

/** Process ids of the site's server and of its PostgreSQL. */
export function processesOf(dataDir: string): { server: number; postgres: number } {
  const postmaster = join(dataDir, 'postgres/postmaster.pid');
  return {
    server: JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8')).pid,
    postgres: existsSync(postmaster) ? Number(readFileSync(postmaster, 'utf8').split('\n')[0]) : 0,
  };
}

/**
 * Sends a signal to a process that may have ended by itself or with another.
 *
 * @returns whether it was there
 */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

export const isAlive = (pid: number): boolean => signal(pid, 0);

export function childrenOf(parent: number): { pid: number; command: string }[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'args='], {
    encoding: 'utf8',
  });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, ppid, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(ppid) === parent ? [{ pid: Number(pid), command }] : [];
  });
}
