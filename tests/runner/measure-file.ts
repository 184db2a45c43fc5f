import { afterAll, beforeAll } from 'vitest';
import { processorSeconds } from './processor-time.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What this file's process and all that it started took while the file ran. */
    processorSeconds?: number;
  }
}

let before: number | undefined;

beforeAll(() => {
  before = processorSeconds();
});

// Set-up files end last.
// biome-ignore lint/correctness/noEmptyPattern: the runner wants the context taken apart
afterAll(({}, { file }) => {
  const after = processorSeconds();
  if (before !== undefined && after !== undefined) file.meta.processorSeconds = after - before;
});
