import { join } from 'node:path';
import { Worker as Thread } from 'node:worker_threads';
import { FileProblem } from './files/problem.ts';
import { type Answer, type Job, OUT_OF_MEMORY } from './job.ts';

/**
 * A separate process, so that the damage a hostile file does to a decoder costs one upload and never the
 * site. It makes no network requests; it reads one file and writes others beside it.
 */
async function make(job: Job, progress: () => void) {
  if (typeof job.make === 'object') {
    const { render } = await import('./resize-image.ts');
    return render(job.path, job.folder, job.make);
  }
  if (job.make === 'file') {
    const { makeFile } = await import('./files/make-file.ts');
    return makeFile(job.path, job.folder, progress);
  }
  if (job.make === 'video') {
    const { makeVideo } = await import('./video.ts');
    return makeVideo(job.path, job.folder, progress);
  }
  const { makeAvatar, makeImages } = await import('./image.ts');
  return job.make === 'avatar' ? makeAvatar(job.path, job.folder) : makeImages(job.path, job.folder);
}

/** What this process may use; the memory of decoders does not return to the system before it ends. */
const maxBytes = Number(process.argv[2]);
let guarded = false;

const answer = (message: Answer) => process.send?.(message);
/** The last answer of a job. */
const finish = (message: Answer) =>
  process.send?.(message, () => {
    // The next file has all the memory again, and sees nothing of this one.
    if (process.memoryUsage.rss() > maxBytes / 4) process.exit(0);
  });

process.on('message', async (job: Job) => {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const progress = () => {
    if (performance.now() - reportedAt < 1000) return;
    reportedAt = performance.now();
    answer({ id: job.id, progress: true });
  };
  if (job.make === 'file' && !guarded) {
    guarded = true;
    new Thread(join(import.meta.dirname, 'memory-guard.ts'), {
      workerData: { maxBytes, signal: OUT_OF_MEMORY },
    });
  }
  try {
    finish({ id: job.id, result: await make(job, progress) });
  } catch (error) {
    if (error instanceof FileProblem) finish({ id: job.id, refusal: error.message });
    else finish({ id: job.id, problem: error instanceof Error ? error.message : String(error) });
  }
});

// A stray rejection in a decoder must not leave a worker that only looks healthy.
process.on('unhandledRejection', () => process.exit(1));
process.on('disconnect', () => process.exit(0));
