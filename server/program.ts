import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

/** A program of the site by its path, and the settings by which it runs. */
export interface Program {
  program: string;
  environment: NodeJS.ProcessEnv;
}

/** Starts a program in a process of its own, which leaves the processor to visitors. */
export function startProgram({ program, environment }: Program, args: readonly string[] = []) {
  const child = spawn(process.execPath, [program, ...args], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  if (child.pid) setPriority(child.pid, 10);
  // Together: the error of a child that cannot be started is emitted while its output is awaited.
  const ended = Promise.all([text(child.stderr), exited]).then(([problem, [code]]) => ({
    code: code as number | null,
    problem: problem.trim(),
  }));
  return { stop: () => child.kill(), ended };
}
