import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { BackupError } from './encryption.ts';
import { hardLinkFiles } from './files.ts';
import { connect } from './tables.ts';

/** A file may be removed between the snapshot and its holding; another snapshot does not name it any more. */
const ATTEMPTS = 4;
const LOCK = 7266203146;

export interface Snapshot {
  /** In a transaction that sees one moment and writes nothing. */
  client: pg.Client;
  /** Holds every file that the moment names, under its version. */
  filesDir: string;
  /** Versions whose file is missing although a row permanently names it. */
  missing: Set<string>;
}

/**
 * Reads database and files as they were at one moment, while the site runs.
 *
 * @param url superuser connection
 * @throws BackupError when another backup is being made
 */
export async function withSnapshot<T>(
  url: string,
  dataDir: string,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  const filesDir = join(dataDir, 'backing-up');
  try {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [LOCK]);
    if (!rows[0]?.free) throw new BackupError('Another backup of this site is being made.');
    try {
      return await read({ client, filesDir, missing: await linkFiles(client, dataDir, filesDir) });
    } finally {
      await rm(filesDir, { recursive: true, force: true });
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function linkFiles(client: pg.Client, dataDir: string, filesDir: string): Promise<Set<string>> {
  for (let left = ATTEMPTS; ; left--) {
    await client.query('begin isolation level repeatable read read only');
    const missing = await hardLinkFiles(client, dataDir, filesDir);
    if (missing.length === 0 || left === 1) return new Set(missing);
    await client.query('rollback');
  }
}
