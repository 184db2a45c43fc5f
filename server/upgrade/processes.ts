import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const STOP_TIMEOUT_MS = 60_000;

const running = new Set<ChildProcess>();
let isEnding = false;

/** The end of a program. */
export interface Ended {
  code: number | null;
  /** Says why it failed. */
  lastLine: string;
  /** The last message that it sent. */
  message: unknown;
}

/** Runs a command of a release or a clone, in which folder it is. */
export async function runToEnd(
  folder: string,
  words: string[],
  cwd: string,
  env?: NodeJS.ProcessEnv,
): Promise<Ended> {
  let message: unknown;
  const { child, output, closed } = launch(...commandOf(folder, words), cwd, env);
  child.on('message', (sent) => {
    message = sent;
  });
  const code = await closed.catch(() => null);
  return { code, lastLine: lastLineOf(output()), message };
}

/** Unpacks an archive into a folder. @returns what tar says against it; undefined when all is there */
export async function unpackTar(archive: string, into: string): Promise<string | undefined> {
  const { output, closed } = launch('tar', ['xf', archive, '-C', into], into);
  const code = await closed.catch(() => undefined);
  return code === 0 ? undefined : output().trim().split('\n')[0] || 'tar was not found';
}

/**
 * Starts the site of a release.
 *
 * @returns why it did not become ready, and a function that stops it
 */
export async function startSite(
  folder: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<{ failure: string | undefined; stop: () => Promise<void> }> {
  const { child, output, closed } = launch(...commandOf(folder, ['start']), cwd, env);
  const failure = await new Promise<string | undefined>((resolve) => {
    const giveUp = setTimeout(
      () => resolve(`it is not ready after ${Math.round(timeoutMs / 1000)} s.`),
      timeoutMs,
    );
    const settle = (reason?: string) => {
      clearTimeout(giveUp);
      resolve(reason);
    };
    child.stdout?.on('data', () => output().includes('is ready:') && settle());
    closed.then(
      () => settle(lastLineOf(output())),
      (error) => settle(String(error)),
    );
  });
  return { failure, stop: () => stop(child) };
}

/** Stops all programs; what was waiting for one waits until this process ends. */
export async function stopAll(): Promise<void> {
  isEnding = true;
  await Promise.all([...running].map(stop));
}

function commandOf(folder: string, words: string[]): [string, string[]] {
  const own = join(folder, 'limb-commons');
  if (existsSync(own)) return [own, words];
  return [process.execPath, [join(folder, 'scripts/run.mjs'), ...words]];
}

function launch(program: string, words: string[], cwd: string, env?: NodeJS.ProcessEnv) {
  const child = spawn(program, words, {
    cwd,
    env,
    // By the channel it notices when this process dies, and stops.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      output += text;
    });
  const closed = once(child, 'close').then(async ([code]): Promise<number | null> => {
    running.delete(child);
    if (isEnding) await new Promise(() => undefined);
    return code;
  });
  return { child, output: () => output, closed };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  const giveUp = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await closed;
  clearTimeout(giveUp);
}

const lastLineOf = (output: string) => output.trim().split('\n').at(-1) ?? '';
