import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { JobResult } from '../../../media/job.ts';

/** A folder for each demo file, with what processing made of it. */
export const RENDERED = join(import.meta.dirname, 'rendered');

/** What `rendered.json` of a demo file holds. */
export interface RenderedFile {
  /** Names in the folder, the file itself first. */
  files: string[];
  file: NonNullable<JobResult['file']>;
  /** The digest of what was drawn, which may have changed since. */
  drawing: string;
}

export const digestOf = (drawn: Uint8Array) => createHash('sha256').update(drawn).digest('hex').slice(0, 16);
