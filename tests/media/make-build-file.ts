import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { Held, MAX_HELD } from '#backend/http/held.ts';
import { JOB_LIMITS } from '../../media/limits.ts';
import { createMedia, type Media } from '../../media/workers.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { TEST_TIMEOUT_MS } from '../timeouts.ts';

/** Enough for all jobs that a test has at once. */
export const turns = () => new Held(MAX_HELD).oneAtATime(24);
/** As on the site, but that a test has its own time. */
export const LIMITS_IN_TESTS = { ...JOB_LIMITS, hungMs: TEST_TIMEOUT_MS };

/**
 * Processing of build files in a worker, for the tests of a file; it leaves nothing beside what it names.
 *
 * @param options as of `createMedia`
 */
export function buildFileMaker(options: { limits?: typeof JOB_LIMITS } = {}) {
  let media: Media;
  const folder = temporaryFolder('build-files');
  beforeAll(() => {
    media = createMedia(folder, { turns, log: () => {}, limits: LIMITS_IN_TESTS, ...options });
  });
  afterAll(() => media.close());
  return async (content: string | Uint8Array) => {
    const own = await mkdtemp(join(folder, 'job-'));
    const path = join(own, 'sent');
    await writeFile(path, content);
    const sent = { kind: 'file' as const, name: 'x.file', path, folder: own, discard: async () => {} };
    const result = await media.process(sent, 'file', 'a member');
    expect((await readdir(own)).sort()).toEqual(['sent', ...result.files].sort());
    return { ...result, contents: await Promise.all(result.files.map((name) => readFile(join(own, name)))) };
  };
}
