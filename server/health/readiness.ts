import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Probe } from '#backend/start.ts';
import { diskProblem, isFull } from '../../media/disk.ts';

/** A prober expects its answer within a second. */
const PROBE_TIMEOUT_MS = 900;
/** The time for which an answer is reused for all callers, so that frequent probes cost nothing. */
const CACHE_MS = 500;

/**
 * Whether the site can serve: tries its dependencies, all at once.
 *
 * @param probes by the names of the dependencies, in words
 * @returns the first reason why not, in words that reveal no internal detail
 */
export function createReadiness(probes: Record<string, Probe>): Probe {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<string | undefined> = Promise.resolve(undefined);
  const outcomeOf = async (name: string, probe: Probe) => {
    let late: NodeJS.Timeout | undefined;
    const tooLate = new Promise<string>((resolve) => {
      late = setTimeout(() => resolve(`${name} does not answer`), PROBE_TIMEOUT_MS);
    });
    try {
      return await Promise.race([probe(), tooLate]);
    } catch (error) {
      const problem = diskProblem(error);
      return problem ? `${name} cannot be used, since its disk ${problem}` : `${name} cannot be used`;
    } finally {
      clearTimeout(late);
    }
  };
  return () => {
    if (performance.now() - checkedAt < CACHE_MS) return answer;
    checkedAt = performance.now();
    answer = Promise.all(Object.entries(probes).map(([name, probe]) => outcomeOf(name, probe))).then(
      (reasons) => reasons.find((reason) => reason !== undefined),
    );
    return answer;
  };
}

/**
 * Tries whether files can be written to a folder, and whether its disk leaves the database on it enough room.
 */
export const canWrite =
  (folder: string): Probe =>
  async () => {
    if (isFull(folder)) return 'The disk of the data folder is full';
    const file = join(folder, '.ready');
    try {
      await writeFile(file, 'x');
      await rm(file, { force: true });
      return undefined;
    } catch (error) {
      const problem = diskProblem(error);
      if (!problem) throw error;
      return `The disk of the data folder ${problem}`;
    }
  };
