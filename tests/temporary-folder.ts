import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * A folder that is there until the test ends in which, or before which, it is made; or, when it is made outside of tests, until
 * the last one of its file or `describe` has ended and what was started for them has stopped. No `beforeAll` can make one.
 *
 * @param name tells the folders of several files apart
 */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `limb-commons-${name}-`));
  // PostgreSQL's own account enters it when the tests run as root.
  chmodSync(folder, 0o711);
  const atEnd = TestRunner.getCurrentTest() ? onTestFinished : afterAll;
  atEnd(() => removeFolder(folder));
  return folder;
}

/**
 * Removes a folder in which a process that ends may still write. What cannot be removed says nothing about what was tested, so
 * that no test fails by it.
 */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch((error: Error) =>
    console.warn(`${folder} stays: ${error.message}`),
  );
}
