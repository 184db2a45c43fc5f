import { FileProblem } from './files/problem.ts';
import type { Answer, Job } from './job.ts';

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

const answer = (message: Answer) => process.send?.(message);

process.on('message', async (job: Job) => {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const progress = () => {
    if (performance.now() - reportedAt < 1000) return;
    reportedAt = performance.now();
    answer({ id: job.id, progress: true });
  };
  try {
    answer({ id: job.id, result: await make(job, progress) });
  } catch (error) {
    if (error instanceof FileProblem) answer({ id: job.id, refusal: error.message });
    else answer({ id: job.id, problem: error instanceof Error ? error.message : String(error) });
  }
});

// A stray rejection in a decoder must not leave a worker that only looks healthy.
process.on('unhandledRejection', () => process.exit(1));
process.on('disconnect', () => process.exit(0));
