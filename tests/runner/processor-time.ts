import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second for programs (`man 5 proc`, `man 7 time`). */
const HZ = 100;

/**
 * The processor time that a process, all below it and those of them that have ended took so far. What a process that
 * left its parent takes is missing.
 *
 * @returns seconds; undefined where the system has no `/proc`
 */
export function processorSeconds(root = process.pid): number | undefined {
  const children = new Map<number, number[]>();
  const seconds = new Map<number, number>();
  for (const name of list('/proc')) {
    const pid = Number(name);
    // A process may have ended since the folder was read.
    const stat = Number.isNaN(pid) ? undefined : read(`/proc/${name}/stat`);
    if (!stat) continue;
    // The name of a program may hold blanks and brackets.
    const [, parent, ...fields] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = fields.slice(9, 13).reduce((sum, field) => sum + field, 0);
    seconds.set(pid, ticks / HZ);
    children.set(parent ?? 0, [...(children.get(parent ?? 0) ?? []), pid]);
  }
  if (!seconds.has(root)) return undefined;
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), seconds.get(pid) ?? 0);
  return sum(root);
}

/**
 * Counts what other programs of this machine take from now on, and other machines on the same processors.
 *
 * @returns a function that says how many seconds of processor that was; none where the system has no `/proc`
 */
export function watchOthers(): () => number {
  const others = () => (machineSeconds() ?? 0) - (processorSeconds() ?? 0);
  const before = others();
  return () => Math.max(0, others() - before);
}

/** The processor time of the whole machine: all but the time in which it had nothing to do, or waited for a disk. */
function machineSeconds(): number | undefined {
  const [user, nice, system, , , irq, softirq, steal] =
    read('/proc/stat')
      ?.match(/^cpu +(.+)$/m)?.[1]
      ?.split(' ')
      .map(Number) ?? [];
  const ticks = [user, nice, system, irq, softirq, steal].reduce((sum = 0, field = 0) => sum + field, 0);
  return ticks === undefined ? undefined : ticks / HZ;
}

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
