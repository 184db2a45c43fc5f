import { basename, resolve } from 'node:path';
import { ConfigError } from '#backend/config-project.ts';
import { FilesUnavailable } from '#backend/files/file-driver.ts';
import { BackupError } from '#server/backup/encryption.ts';
import { UpgradeError } from '#server/upgrade/release.ts';
import { diskProblem } from '../../media/disk.ts';
import { usageOf } from '../tasks.mjs';

/** The project's folder. */
export const root = resolve(import.meta.dirname, '../..');

/** A reason not to do what an operator asked for; the message is a sentence for them. */
export class Refusal extends Error {}

const WRITTEN = [Refusal, ConfigError, BackupError, UpgradeError, FilesUnavailable];

/** By default an exit, at which a database that the process started is stopped. */
let stop: () => void = () => process.exit(1);

/** Sets what is done when a signal asks for the end; it ends the process with code 1. */
export function stopBy(end: () => Promise<void>): void {
  stop = () => void end();
}

/** What is wrong with the words of the command line, in a sentence, and how they go; undefined for another error. */
function misuse(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (!String(code).startsWith('ERR_PARSE_ARGS')) return undefined;
  const [sentence] = String(message).split(/\. |\n/);
  return `${sentence?.replace(/\.?$/, '.')}\n${usageOf(basename(process.argv[1] ?? '', '.ts'))}`;
}

/**
 * Runs what an operator asked for. What was written for them is printed as it is, anything else in full; both end with
 * code 1.
 */
export async function command(run: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop());
  try {
    await run();
  } catch (error) {
    const misused = misuse(error);
    const disk = diskProblem(error);
    const isWritten = WRITTEN.some((kind) => error instanceof kind);
    if (misused) console.error(misused);
    else if (isWritten || disk)
      console.error(`${isWritten ? '' : `A disk ${disk}: `}${(error as Error).message}`);
    else console.error(error);
    process.exitCode = 1;
  }
}
