import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OWN_SETTINGS } from '#backend/config-project.ts';
import { freePort } from '#backend/database/postgres.ts';
import { connect } from '../backup/tables.ts';
import { runningInstance } from '../running-instance.mjs';
import { type Compared, comparePages, compareRows } from './compare.ts';
import { copySite, type LiveSite, rehearsalSettings } from './copy.ts';
import { startSite } from './processes.ts';
import type { Release } from './release.ts';

/** A start is waited for this many times as long as the site may be away, so that it can be said how long it takes. */
const PATIENCE = 10;

/** A start is waited for at least this long, since one without a migration already takes seconds. */
const MIN_PATIENCE_MS = 120_000;

/** What a rehearsal found. */
export interface Rehearsal extends Compared {
  /** The seconds for which the site will not answer, as on this machine now. */
  gapSeconds: number;
  /** What an operator should know, and does not speak against the upgrade. */
  remarks: string[];
  /** Whether the continuous archive was restored, with all of its files. */
  provesArchive: boolean;
  /** The backup that was restored otherwise. */
  backup?: { file: string; madeAt: string };
}

/**
 * Tries a release on a copy of the site's data, on a port and in a folder of its own, with emails kept and nothing archived.
 *
 * @param folder for the copy; removed by whoever made it
 * @param maxGapSeconds the longest gap that its operator accepts
 */
export async function rehearse(
  live: LiveSite,
  release: Release,
  folder: string,
  maxGapSeconds: number,
  progress: (step: string) => void,
): Promise<Rehearsal> {
  const result: Rehearsal = {
    objections: [],
    remarks: [],
    gapSeconds: 0,
    tables: 0,
    pages: 0,
    searches: 0,
    provesArchive: false,
  };
  const startedAt = new Date();
  const copy = await copySite(live, release, folder, progress);
  if (typeof copy === 'string') return { ...result, objections: [copy] };
  result.provesArchive = copy.provesArchive;
  result.backup = copy.backup;
  result.remarks.push(...copy.remarks);
  const dataDir = join(folder, 'data');
  // Demo content would be counted as rows that the new version made.
  writeFileSync(join(dataDir, 'demo-content'), '');
  // The release must start with the operator's own settings, too. By a link their icons are found.
  if (existsSync(OWN_SETTINGS)) symlinkSync(resolve(OWN_SETTINGS), join(folder, OWN_SETTINGS));
  progress(`Starting version ${release.version} on the copy, with emails kept and nothing archived`);
  const port = await freePort();
  const settings = rehearsalSettings(live.environment, { DATA_DIR: dataDir, PORT: String(port) });
  const startedSiteAt = performance.now();
  const { failure, stop } = await startSite(
    release.folder,
    folder,
    settings,
    Math.max(PATIENCE * maxGapSeconds * 1000, MIN_PATIENCE_MS),
  );
  try {
    if (failure !== undefined) {
      result.objections.push(`Version ${release.version} does not start with the data: ${failure}`);
      return result;
    }
    result.gapSeconds = Math.ceil((performance.now() - startedSiteAt) / 1000);
    if (result.gapSeconds > maxGapSeconds)
      result.objections.push(
        `The first start takes ${result.gapSeconds} seconds, and no longer gap than ${maxGapSeconds} was asked for; find a quiet hour, and allow it by --gap.`,
      );
    progress('Comparing it with the site');
    const client = await connect(runningInstance(dataDir)?.databaseUrl ?? '');
    try {
      const lost = await copy.lost();
      result.provesArchive &&= lost.length === 0;
      result.objections.push(...lost);
      await compareRows(client, copy.tables, result);
      await comparePages(client, `http://127.0.0.1:${port}`, live, startedAt, result);
    } finally {
      await client.end();
    }
    return result;
  } finally {
    await stop();
  }
}
