import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/temporary-folder.ts';
import { takePlace } from './place.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('place');
});

/** The number of times that each process takes the place. */
const TURNS = 25;

/** Takes the place over and over, and says how often another process was there as well; a neighbour that was killed is left each time. */
const PROGRAM = `
  import { rmSync, writeFileSync } from 'node:fs';
  import { setImmediate as others } from 'node:timers/promises';
  import { takePlace } from ${JSON.stringify(join(import.meta.dirname, 'place.ts'))};
  const [folder, program] = process.argv.slice(-2);
  let met = 0;
  for (let turn = 0; turn < ${TURNS}; turn++) {
    const giveBack = await takePlace(folder + '/makers', program, 4);
    try {
      writeFileSync(folder + '/witness', '', { flag: 'wx' });
      await others();
      rmSync(folder + '/witness');
    } catch {
      met++;
    }
    writeFileSync(folder + '/makers/4194305-killed', '');
    giveBack();
  }
  console.log(met);
`;

describe('a place', () => {
  it('is never had by two processes, and passes on when one was killed', async () => {
    const met = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, folder, 'a-maker']);
        let said = '';
        child.stdout.on('data', (text) => {
          said += text;
        });
        await once(child, 'close');
        return said.trim();
      }),
    );
    expect(met).toEqual(['0', '0', '0', '0']);
    expect(readdirSync(join(folder, 'makers'))).toEqual(['4194305-killed']);
  });

  it('is had again once it was given back', async () => {
    const giveBack = await takePlace(folder, '', 1);
    const first = readdirSync(folder);
    const second = takePlace(folder, '', 1);
    // The second has looked, and stepped back.
    expect(readdirSync(folder)).toEqual(first);
    giveBack();
    (await second)();
    expect(readdirSync(folder)).toEqual([]);
    // What no process has put there holds no one up.
    writeFileSync(join(folder, 'unknown'), '');
    (await takePlace(folder, '', 1))();
    expect(readdirSync(folder)).toEqual([]);
  });
});
