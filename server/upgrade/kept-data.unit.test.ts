import fs, { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { HOMES } from '#backend/database/postgres.ts';
import { removeFolder, temporaryFolder } from '../../tests/temporary-folder.ts';
import {
  dataOf,
  discard,
  discardKept,
  discardOld,
  offer,
  settleData,
  takeOwnData,
  unfinishedIn,
} from './kept-data.ts';

const [EARLIER, LATER] = ['1.0.0', '1.1.0'];
let dataDir: string;

const put = (folder: string, owner: string, entries: string[]) => {
  mkdirSync(folder, { recursive: true });
  for (const entry of entries) {
    mkdirSync(join(folder, entry));
    writeFileSync(join(folder, entry, 'of'), owner);
  }
};
/** Whose database and files the data folder has. */
const owners = () => ['postgres', 'files'].map((entry) => readFileSync(join(dataDir, entry, 'of'), 'utf8'));

const { renameSync: rename } = fs;

/** What the modules of the product import under its name. */
function setRename(to: typeof rename): void {
  fs.renameSync = to;
  syncBuiltinESMExports();
}

/** Runs until this number of changes has been made, and stops like a machine that loses power. */
async function cutOff(changes: number, run: () => Promise<void>): Promise<boolean> {
  let left = changes;
  setRename((from, to) => {
    if (left-- === 0) throw new Error('no power');
    rename(from, to);
  });
  try {
    await run();
    return false;
  } catch (error) {
    if (!(error instanceof Error && error.message === 'no power')) throw error;
    return true;
  } finally {
    setRename(rename);
  }
}

beforeEach(() => {
  dataDir = temporaryFolder('kept');
  put(dataDir, LATER, ['postgres', 'files', 'unarchived-wal']);
  writeFileSync(join(dataDir, 'archive.json'), LATER);
  writeFileSync(join(dataDir, 'secrets.json'), 'newest');
  put(unfinishedIn(dataDir), EARLIER, ['postgres', 'files']);
  offer(dataDir, unfinishedIn(dataDir), EARLIER, LATER);
});

describe('data that wait for the release before', () => {
  it('are left alone by the one that runs', async () => {
    await takeOwnData(dataDir, LATER);
    expect(owners()).toEqual([LATER, LATER]);
    await settleData(dataDir, '');
    expect(dataOf(dataDir, EARLIER)).toBe(join(dataDir, `kept-${EARLIER}`));
  });

  it('are removed by the next start when they were not finished', async () => {
    put(unfinishedIn(dataDir), EARLIER, ['postgres']);
    await takeOwnData(dataDir, LATER);
    await settleData(dataDir, '');
    expect(existsSync(unfinishedIn(dataDir))).toBe(false);
    expect(owners()).toEqual([LATER, LATER]);
  });

  it('are taken, and those that were there are kept until the next upgrade', async () => {
    await takeOwnData(dataDir, EARLIER);
    await settleData(dataDir, '');
    expect(owners()).toEqual([EARLIER, EARLIER]);
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe('newest');
    // Another archive begins.
    expect(existsSync(join(dataDir, 'archive.json'))).toBe(false);
    // Once someone has written, a start of the later version does not take its own back.
    await takeOwnData(dataDir, LATER);
    expect(owners()).toEqual([EARLIER, EARLIER]);
    expect(readFileSync(join(dataDir, `kept-${LATER}`, 'postgres/of'), 'utf8')).toBe(LATER);
    await discardKept(dataDir, dataDir);
    expect(readdirSync(dataDir).sort()).toEqual(['files', 'postgres', 'secrets.json']);
  });

  it('are removed with the copy of an upgrade when they are as old as no backup may be', async () => {
    await takeOwnData(dataDir, EARLIER);
    await settleData(dataDir, '');
    const home = join(dataDir, 'home');
    mkdirSync(join(home, 'releases'), { recursive: true });
    writeFileSync(join(home, 'releases/before.tar'), '');
    const isThere = () => [join(dataDir, `kept-${LATER}`), join(home, 'releases/before.tar')].map(existsSync);
    const day = 86_400_000;
    await discardOld(dataDir, home, Date.now() + 34 * day);
    expect(isThere()).toEqual([true, true]);
    await discardOld(dataDir, home, Date.now() + 36 * day);
    expect(isThere()).toEqual([false, false]);
    expect(owners()).toEqual([EARLIER, EARLIER]);
  });

  it.each([EARLIER, LATER])('are whole after every cut when %s starts next', async (next) => {
    let changes = 0;
    for (; await cutOff(changes, () => takeOwnData(dataDir, EARLIER)); changes += 1) {
      // A start makes this folder where it is missing.
      mkdirSync(join(dataDir, 'files'), { recursive: true });
      await takeOwnData(dataDir, next);
      expect([changes, owners()]).toEqual([changes, [next, next]]);
      expect(existsSync(join(dataDir, 'archive.json'))).toBe(next === LATER);
      // And the other one finds its own.
      const other = next === LATER ? EARLIER : LATER;
      await takeOwnData(dataDir, other);
      expect([changes, owners()]).toEqual([changes, [other, other]]);
      await takeOwnData(dataDir, LATER);
    }
    expect(changes).toBeGreaterThan(5);
  });
});

describe('data whose database lies elsewhere', () => {
  /** Removes data with a link to a database in this folder, which also has something else. */
  async function discardLinkedTo(home: string): Promise<void> {
    put(home, EARLIER, ['postgres', 'photos']);
    const folder = join(dataDir, `kept-${EARLIER}`);
    mkdirSync(folder);
    symlinkSync(join(home, 'postgres'), join(folder, 'postgres'));
    await discard(folder);
    expect(existsSync(folder)).toBe(false);
  }

  it('are removed with it, and with nothing that lies beside it where the operator has put it', async () => {
    const disk = temporaryFolder('disk');
    await discardLinkedTo(disk);
    expect(readdirSync(disk)).toEqual(['photos']);
  });

  it.runIf(process.getuid?.() === 0)('are removed with all of the folder that was made for it', async () => {
    const home = join(HOMES, `test-${process.pid}`);
    onTestFinished(() => removeFolder(home));
    await discardLinkedTo(home);
    expect(existsSync(home)).toBe(false);
  });
});
