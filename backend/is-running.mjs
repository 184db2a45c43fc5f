// JavaScript, and with nothing but what Node 20 brings: scripts/run.mjs asks this before packages are installed.
import { existsSync, readFileSync } from 'node:fs';

/**
 * Whether a process is there and still that of a program, since its id may have been reused by another one. Where the system
 * does not say what a process runs, one that is there counts as it.
 *
 * @param {number} pid
 * @param {string} program
 */
export function isRunning(pid, program) {
  // Zero would ask about this process's own group.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const commandLine = `/proc/${pid}/cmdline`;
  return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes(program);
}
