import { resolve } from 'node:path';
import { ConfigError } from '#backend/config-project.ts';
import { FilesUnavailable } from '#backend/files/file-driver.ts';
import { BackupError } from '#server/backup/encryption.ts';
import { UpgradeError } from '#server/upgrade/release.ts';

/** The project's folder. */
export const root = resolve(import.meta.dirname, '../..');

/** A reason not to do what an operator asked for; the message is a sentence for them. */
export class Refusal extends Error {}

const WRITTEN = [Refusal, ConfigError, BackupError, UpgradeError, FilesUnavailable];

/**
 * Runs what an operator asked for. What was written for them is printed as it is, anything else in full; both end with
 * code 1. A signal ends the process by an exit, at which a database that it started is stopped.
 */
export async function command(run: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
  try {
    await run();
  } catch (error) {
    console.error(WRITTEN.some((kind) => error instanceof kind) ? (error as Error).message : error);
    process.exitCode = 1;
  }
}
