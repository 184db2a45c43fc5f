import { rm } from 'node:fs/promises';
import type pg from 'pg';
import { backingUpIn, type FileDriver } from '#backend/files/file-driver.ts';
import { BackupError } from './encryption.ts';
import { type HeldFiles, holdFiles, type SiteFiles } from './files.ts';
import { connect } from './tables.ts';

/** A file may be removed between the snapshot and its holding; another snapshot does not name it any more. */
const ATTEMPTS = 4;
const LOCK = 7266203146;

export interface Snapshot {
  /** In a transaction that sees one moment and writes nothing. */
  client: pg.Client;
  files: HeldFiles;
}

/**
 * Reads database and files as they were at one moment, while the site runs.
 *
 * @param url superuser connection
 * @param site has no driver where the files are not asked for
 * @throws BackupError when another backup is being made
 */
export async function withSnapshot<T>(
  url: string,
  { dataDir, driver }: Partial<SiteFiles> & { dataDir: string },
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  const folder = backingUpIn(dataDir);
  try {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [LOCK]);
    if (!rows[0]?.free) throw new BackupError('Another backup of this site is being made.');
    try {
      return await read({ client, files: await heldFiles(client, driver, folder) });
    } finally {
      await rm(folder, { recursive: true, force: true });
      // Should the store fail now, its files are held for a day, or until the next backup ends.
      await driver?.release?.().catch(() => undefined);
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function heldFiles(
  client: pg.Client,
  driver: FileDriver | undefined,
  folder: string,
): Promise<HeldFiles> {
  for (let left = ATTEMPTS; ; left--) {
    await client.query('begin isolation level repeatable read read only');
    if (!driver) return { missing: new Set(), open: () => Promise.reject(new Error('no files are held')) };
    const held = await holdFiles(client, driver, folder);
    if (held.missing.size === 0 || left === 1) return held;
    await client.query('rollback');
  }
}
