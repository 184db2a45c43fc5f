import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest files come first, so that no core is idle at the end. */
const LAYERS = ['unit', 'e2e', 'operation', 'backend', 'portability', 'policies'];

/** All layers at once: files of the slow layers first, in each layer the longest first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const length = new Map(
      files.map((file) => [
        file,
        // Before the first run the size of the file has to do.
        this.ctx.cache.getTestSpecificationResult(file)?.duration ?? statSync(file.moduleId).size,
      ]),
    );
    const layer = (file: TestSpecification) => LAYERS.indexOf(file.project.name);
    return files.toSorted(
      (one, other) => layer(one) - layer(other) || (length.get(other) ?? 0) - (length.get(one) ?? 0),
    );
  }
}
