import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning } from '#backend/is-running.mjs';

/** The longest pause before it is looked again whether another process has given the place back. */
const PAUSE_MS = 1_000;

/**
 * Takes a place that one process has at a time; waits while another one has it. Each that wants it puts a file of its own there, named
 * by its process, and has the place if there is no other one, or else takes its file away again. So of two that come at once both may
 * step back, which pauses of different lengths end, and never do both have it. Files of processes that are gone count for nothing.
 *
 * @param folder holds nothing else
 * @param program which the processes run
 * @param pause the longest one, in milliseconds
 * @returns gives the place back
 */
export async function takePlace(folder: string, program: string, pause = PAUSE_MS): Promise<() => void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = `${process.pid}-${randomUUID()}`;
  const giveBack = () => rmSync(join(folder, own), { force: true });
  for (;;) {
    // The name says all, since a file is there before anything is written in it.
    writeFileSync(join(folder, own), '');
    const others = readdirSync(folder).filter((name) => name !== own);
    const gone = others.filter((name) => !isRunning(Number.parseInt(name, 10), program));
    for (const name of gone) rmSync(join(folder, name), { force: true });
    if (gone.length === others.length) return giveBack;
    giveBack();
    await wait((0.5 + Math.random() / 2) * pause);
  }
}
