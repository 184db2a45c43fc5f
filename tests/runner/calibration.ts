import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

/** No machine is taken to be slower, since a test that waits in vain has to end, too. */
const MAX_SLOWNESS = 12;

/** Work of a kind that tests do, and the milliseconds that it takes on a quiet machine with two cores. */
interface Work {
  quietMs: number;
  perform(folder: string, signal: AbortSignal): Promise<unknown>;
}

/** Fifty million bytes, in pieces of four, take about a fifth of a second. */
const PIECES = 12;
const HASHING = `const hash = require('crypto').createHash('sha512'), piece = Buffer.alloc(4e6);
  for (let count = 0; count < ${PIECES}; count++) hash.update(piece)`;

const WORK: Work[] = [
  {
    // A program at a low priority, as the site makes its backups: a busy machine all but stops it.
    quietMs: 250,
    async perform(_, signal) {
      const child = spawn(process.execPath, ['-e', HASHING], { stdio: 'ignore', signal });
      if (child.pid) setPriority(child.pid, 10);
      await once(child, 'close');
    },
  },
  {
    quietMs: 250,
    async perform(_, signal) {
      const hash = createHash('sha512');
      const piece = Buffer.alloc(4_000_000);
      for (let count = 0; count < PIECES; count++) {
        hash.update(piece);
        await nextTurn(undefined, { signal });
      }
    },
  },
  {
    // A database writes so at each commit.
    quietMs: 150,
    async perform(folder, signal) {
      const path = join(folder, `limb-commons-calibration-${process.pid}`);
      const file = await open(path, 'w');
      try {
        for (let count = 0; count < 15; count++) {
          await file.write(Buffer.alloc(16_384));
          await file.datasync();
          signal.throwIfAborted();
        }
      } finally {
        await file.close();
        await rm(path);
      }
    },
  },
  {
    quietMs: 200,
    async perform(_, signal) {
      for (let count = 0; count < 50; count++) await wait(2, undefined, { signal });
    },
  },
];

/**
 * How many times as long as a quiet machine with two cores this one takes at the moment, by a second of work of the kinds that
 * tests do; at least once and at most twelve times. What a test waits at most grows with it.
 *
 * @param folder on the disk on which tests write
 */
export async function measureSlowness(folder: string): Promise<number> {
  let slowness = 1;
  for (const { quietMs, perform } of WORK) {
    const signal = AbortSignal.timeout(MAX_SLOWNESS * quietMs);
    const startedAt = performance.now();
    await perform(folder, signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
    slowness = Math.max(slowness, (performance.now() - startedAt) / quietMs);
  }
  return Math.round(10 * Math.min(slowness, MAX_SLOWNESS)) / 10;
}
