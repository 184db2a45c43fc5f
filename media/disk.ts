import { statfsSync } from 'node:fs';

/**
 * The bytes that files leave free on the disk they share with the database, which stops when it can write
 * nothing: enough for its log until a checkpoint makes room there.
 */
const RESERVED_BYTES = 100_000_000;
/** A segment of the database's log, without which it cannot continue, and a margin. */
const NEEDED_BYTES = 20_000_000;

/** Bytes that the disk of this folder has for files; none once only the reserve is left. */
export const roomForFiles = (folder: string): number => Math.max(0, freeBytes(folder) - RESERVED_BYTES);

/** Whether the disk of this folder has too little space left for the database to continue. */
export const isFull = (folder: string): boolean => freeBytes(folder) < NEEDED_BYTES;

/** The bytes that an account without privileges may still write; infinite where the number is unknown. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * The fault of the disk when it is the reason for a failed write, by the codes of the operating system and of
 * PostgreSQL.
 *
 * @returns the end of a sentence whose subject is the disk; undefined when the reason is another
 */
export function diskProblem(error: unknown): 'is full' | 'cannot be written to' | undefined {
  if (!error || typeof error !== 'object') return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === '53100') return 'is full';
  // PostgreSQL calls this a lack of rights, as it does the caller's own.
  const isReadOnly = 'message' in error && /: Read-only file system$/.test(String(error.message));
  if (code === 'EROFS' || code === 'EIO' || isReadOnly) return 'cannot be written to';
  return 'cause' in error ? diskProblem(error.cause) : undefined;
}
