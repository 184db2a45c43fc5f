import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readConfig } from '#backend/config.ts';
import { createLog } from '#backend/log.ts';
import { startS3Store } from '../../tests/s3-store.ts';
import { temporaryFolder } from '../../tests/temporary-folder.ts';
import { runningInstance } from '../running-instance.mjs';
import { lastBackup } from './backup.ts';
import { baseName, stamp } from './continuous/log-archive.ts';
import { readDeletions } from './deletions.ts';
import { copyOffsite, expired } from './offsite.ts';
import { backupName, lastRestore, removeOldBackups, removeOldBases } from './retention.ts';

const DAY = 86_400_000;
let shelf: string;
beforeEach(() => {
  shelf = temporaryFolder('shelf');
});

function put(daysAgo: number, ending = ''): string {
  const at = new Date(Date.now() - daysAgo * DAY);
  const name = backupName(at, daysAgo % 2 === 1) + ending;
  writeFileSync(join(shelf, name), '');
  return name;
}

it('keeps the newest backups, and everything that is none', async () => {
  const names = [0, 1, 2, 3].map((daysAgo) => put(daysAgo));
  put(4, '.unfinished');
  writeFileSync(join(shelf, 'by-hand.tar'), '');
  await removeOldBackups(shelf, 2);
  expect(readdirSync(shelf).sort()).toEqual(['by-hand.tar', names[0], names[1]].sort());
});

it('keeps none for longer than 35 days but the newest', async () => {
  const [newest] = [40, 41].map((daysAgo) => put(daysAgo));
  await removeOldBackups(shelf, 14);
  expect(readdirSync(shelf)).toEqual([newest]);
});

it('lets a backup that a wrong clock dated ahead take the place of no other', async () => {
  const [ahead, ...others] = [-2000, 0, 1, 34].map((daysAgo) => put(daysAgo));
  await removeOldBackups(shelf, 4);
  expect(readdirSync(shelf)).toHaveLength(4);
  put(36);
  await removeOldBackups(shelf, 40);
  expect(readdirSync(shelf).sort()).toEqual(others.sort());
  put(-2000);
  await removeOldBackups(shelf, 3);
  expect(readdirSync(shelf)).not.toContain(ahead);
  expect(readdirSync(shelf)).toHaveLength(3);
});

it('keeps the backups from before while the clock is behind', async () => {
  const names = [0, -102, -101].map((daysAgo) => put(daysAgo));
  put(-100);
  await removeOldBackups(shelf, 3);
  expect(readdirSync(shelf).sort()).toEqual(names.sort());
});

/**
 * An archive with base copies of these ages in days, each with the segment of its day, and two unreferenced
 * files.
 */
function archive(id: string, ...daysAgo: number[]) {
  const own = { folder: join(shelf, 'continuous', id), recipient: undefined };
  for (const part of ['base', 'wal', 'files/ab', 'unfinished'])
    mkdirSync(join(own.folder, part), { recursive: true });
  const put = (...path: string[]) => writeFileSync(join(own.folder, ...path), '');
  for (const days of daysAgo) {
    const at = new Date(Date.now() - days * DAY);
    const segment = String(100 - days).padStart(24, '0');
    put('base', baseName(at, segment, own));
    put('wal', `${segment}-0123456789abcdef.gz`);
    put('files', 'ab', `${days}.gone-${stamp(at)}`);
  }
  put('files', 'ab', 'needed');
  const left = (part: string) => readdirSync(join(own.folder, part)).sort();
  return { own, left };
}

it('keeps the newest base copies, and of log and files what they need', async () => {
  const { own, left } = archive('own', 0, 1, 2, 3);
  const segments = left('wal');
  await removeOldBases(own, shelf, 2);
  expect(left('base').map((name) => name.slice(21, 45))).toEqual(
    ['99', '100'].map((n) => n.padStart(24, '0')),
  );
  expect(left('wal')).toEqual(segments.slice(2));
  expect(left('files/ab')).toEqual([expect.stringMatching(/^0\.gone/), 'needed']);
});

it('keeps the history of which a wrong clock dated one copy ahead, and not that copy once there are others', async () => {
  const { own, left } = archive('own', 0, 1, 2, 3);
  const [copies, segments] = [left('base'), left('wal')];
  const ahead = baseName(new Date(Date.now() + 2000 * DAY), '98'.padStart(24, '0'), own);
  writeFileSync(join(own.folder, 'base', ahead), '');
  await removeOldBases(own, shelf, 5);
  expect(left('base')).toEqual([...copies, ahead]);
  await removeOldBases(own, shelf, 4);
  expect(left('base')).toEqual(copies);
  expect(left('wal')).toEqual(segments);
});

it('keeps none of a site that is no more for longer than 35 days, and all of another that has yet to begin', async () => {
  const { own, left } = archive('own', 40);
  const before = archive('before', 20, 34, 36);
  const ended = archive('ended', 36, 37);
  const begun = archive('begun');
  utimesSync(ended.own.folder, new Date(0), new Date(0));
  await removeOldBases(own, shelf, 14);
  expect(left('base')).toHaveLength(1);
  expect(before.left('base')).toHaveLength(2);
  expect(begun.left('files/ab')).toEqual(['needed']);
  expect(readdirSync(join(shelf, 'continuous')).sort()).toEqual(['before', 'begun', 'own']);
});

it('keeps in a bucket what went here too soon, or with all of its disk', () => {
  const copiedAt = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY);
  const backup = (daysAgo: number) => backupName(copiedAt(daysAgo), false);
  const copied = new Map(
    Object.entries({
      [backup(-2000)]: 36,
      [backup(34)]: 34,
      [backup(36)]: 36,
      [backup(40)]: 40,
      'erased.jsonl': 90,
      'another.txt': 90,
      'continuous/own/files/ab/kept': 90,
      'continuous/own/files/ab/removed': 90,
      'continuous/own/wal/removed-lately': 1,
      'continuous/lost/files/ab/old': 90,
      'continuous/lost/archived-until': 34,
      'continuous/ended/secrets.json.gz': 90,
      'continuous/ended/archived-until': 36,
    }).map(([name, daysAgo]) => [name, copiedAt(daysAgo)]),
  );
  const here = new Set([backup(36), 'erased.jsonl', 'continuous/own/files/ab/kept']);
  const ahead = backup(-2000);
  const gone = [backup(40), 'continuous/own/files/ab/removed'];
  const ended = ['continuous/ended/secrets.json.gz', 'continuous/ended/archived-until'];
  expect(expired(copied, here)).toEqual([ahead, ...gone, ...ended]);
  copied.delete(backup(34));
  copied.delete(backup(36));
  expect(expired(copied, new Set())).toEqual([ahead, ...ended]);
});

it('copies what is new elsewhere, behind what cannot be read too, and not again what was only renamed', async () => {
  const store = await startS3Store();
  const config = readConfig(
    resolve(import.meta.dirname, '../..'),
    {
      ...store.settings,
      BACKUP_DIR: shelf,
      BACKUP_COPY: `s3://${store.settings.S3_BUCKET}/copy`,
      S3_BUCKET: '',
      S3_PREFIX: '',
    },
    null,
  );
  const copyOnce = () => copyOffsite(config, createLog('fatal'))();
  const contentOf = (name: string) => store.objects.get(`copy/${name}`)?.bytes.toString();
  const files = 'continuous/id/files/ab';
  try {
    mkdirSync(join(shelf, files), { recursive: true });
    writeFileSync(join(shelf, files, 'one-hash'), 'a picture');
    await copyOnce();
    expect(contentOf(`${files}/one-hash`)).toBe('a picture');

    rmSync(join(shelf, files, 'one-hash'));
    // What is sent from here would have other bytes.
    writeFileSync(join(shelf, files, 'one-hash.gone-20261129'), 'sent again');
    writeFileSync(join(shelf, files, 'two-hash'), 'another');
    store.fault = ({ key }) => (key.endsWith('/a-hash') ? 'full' : undefined);
    writeFileSync(join(shelf, files, 'a-hash'), 'refused');
    await copyOnce();
    expect(contentOf(`${files}/one-hash.gone-20261129`)).toBe('a picture');
    expect(contentOf(`${files}/two-hash`)).toBe('another');
    expect(contentOf(`${files}/a-hash`)).toBeUndefined();
  } finally {
    await store.stop();
  }
});

it('takes a record that a power failure has emptied for none', async () => {
  for (const name of ['last-backup.json', 'last-restore.json', 'instance.json'])
    writeFileSync(join(shelf, name), '');
  expect([await lastBackup(shelf), await lastRestore(shelf), runningInstance(shelf)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('names a list of deletions that was cut off when it was copied', async () => {
  const line = JSON.stringify({ at: '2026-11-30T10:00:00Z', kind: 'post', id: 'one' });
  writeFileSync(join(shelf, 'erased.jsonl'), `${line}\n${line.slice(0, 20)}`);
  await expect(readDeletions(shelf)).rejects.toThrow(
    /^The list of deletions .*erased\.jsonl is damaged in line 2; /,
  );
});
