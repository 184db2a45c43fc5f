import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A prober wants its answer within a second. */
const PATIENCE = 900;
/** So long an answer is good for everybody who asks, so that asking costs nothing. */
const FRESH = 500;

/** Says why something cannot be done, or nothing when it can. */
export type Probe = () => Promise<string | undefined>;

/**
 * Whether the site can serve: tries what it needs, all at once.
 *
 * @param probes by what they try, in words
 * @returns the first reason why not, in words that tell nothing of the inside
 */
export function createReadiness(probes: Record<string, Probe>): Probe {
  let asked = 0;
  let answer: Promise<string | undefined> = Promise.resolve(undefined);
  const tried = async (what: string, probe: Probe) => {
    let late: NodeJS.Timeout | undefined;
    const tooLate = new Promise<string>((resolve) => {
      late = setTimeout(() => resolve(`${what} does not answer`), PATIENCE);
    });
    try {
      return await Promise.race([probe(), tooLate]);
    } catch {
      return `${what} cannot be used`;
    } finally {
      clearTimeout(late);
    }
  };
  return () => {
    if (Date.now() - asked < FRESH) return answer;
    asked = Date.now();
    answer = Promise.all(Object.entries(probes).map(([what, probe]) => tried(what, probe))).then((reasons) =>
      reasons.find((reason) => reason !== undefined),
    );
    return answer;
  };
}

/** Tries whether files can be written to a folder. */
export const canWrite =
  (folder: string): Probe =>
  async () => {
    const file = join(folder, '.ready');
    await writeFile(file, 'x');
    await rm(file, { force: true });
    return undefined;
  };
