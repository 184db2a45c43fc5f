// @module-tag whole

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';
import { TEST_TIMEOUT_MS } from '../../timeouts.ts';
import { startedOnce } from '../first-start.ts';
import { chaos, VICTIMS } from './chaos.ts';

const directory = temporaryFolder('chaos');

it(
  'nothing that was acknowledged is lost, and nothing half done, when server, media worker, database or backup is killed under load',
  async () => {
    await startedOnce(join(directory, 'data'), true);
    const seed = String(Math.floor(Math.random() * 1e9));
    // `npm run chaos -- ROUNDS --seed SEED` repeats it.
    const lines = [`seed ${seed}`];
    const tallies = await chaos(directory, VICTIMS.length, seed, (line) => lines.push(line));
    expect(
      VICTIMS.flatMap((victim) => tallies[victim].findings),
      lines.join('\n'),
    ).toEqual([]);
    // Each round was one, with something to lose.
    for (const victim of VICTIMS) {
      expect(tallies[victim].kills).toBe(1);
      expect(tallies[victim].acknowledged).toBeGreaterThan(0);
      expect(tallies[victim].mails).toBeGreaterThan(0);
    }
  },
  2 * TEST_TIMEOUT_MS,
);
