import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupName, removeOld } from './shelf.ts';

const DAY = 86_400_000;
let shelf: string;
beforeEach(() => {
  shelf = mkdtempSync(join(tmpdir(), 'limb-commons-shelf-'));
});
afterEach(() => rmSync(shelf, { recursive: true }));

function put(daysAgo: number, ending = ''): string {
  const at = new Date(Date.now() - daysAgo * DAY);
  const name = backupName(at, daysAgo % 2 === 1) + ending;
  writeFileSync(join(shelf, name), '');
  utimesSync(join(shelf, name), at, at);
  return name;
}

it('keeps the newest backups, and everything that is none', async () => {
  const names = [0, 1, 2, 3].map((daysAgo) => put(daysAgo));
  put(4, '.unfinished');
  writeFileSync(join(shelf, 'by-hand.tar'), '');
  await removeOld(shelf, 2);
  expect(readdirSync(shelf).sort()).toEqual(['by-hand.tar', names[0], names[1]].sort());
});

it('keeps none for longer than 35 days but the newest', async () => {
  const [newest] = [40, 41].map((daysAgo) => put(daysAgo));
  await removeOld(shelf, 14);
  expect(readdirSync(shelf)).toEqual([newest]);
});
