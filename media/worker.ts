import { FileProblem } from './files/problem.ts';
import { startGuard } from './guard.ts';
import type { Answer, Job } from './job.ts';

/**
 * A separate process, so that the damage a hostile file does to a decoder costs one upload and never the
 * site. It makes no network requests; it reads one file and writes others beside it.
 */
async function make(job: Job) {
  if (typeof job.make === 'object') {
    const { render } = await import('./resize-image.ts');
    return render(job.path, job.folder, job.make);
  }
  if (job.make === 'file') {
    const { makeFile } = await import('./files/make-file.ts');
    return makeFile(job.path, job.folder);
  }
  if (job.make === 'video') {
    const { makeVideo } = await import('./video.ts');
    return makeVideo(job.path, job.folder);
  }
  const { makeAvatar, makeImages, makeLogo } = await import('./image.ts');
  const makers = { avatar: makeAvatar, logo: makeLogo, images: makeImages };
  return makers[job.make](job.path, job.folder);
}

const guard = startGuard();

process.on('message', async (job: Job) => {
  guard(job);
  const finish = (message: Answer) =>
    process.send?.(message, () => {
      // The memory of decoders does not return to the system before the process ends. The next file has all of it again, and
      // sees nothing of this one.
      if (process.memoryUsage.rss() > job.maxBytes / 4) process.exit(0);
    });
  try {
    finish({ id: job.id, result: await make(job) });
  } catch (error) {
    if (error instanceof FileProblem) finish({ id: job.id, refusal: error.message });
    else finish({ id: job.id, problem: error instanceof Error ? error.message : String(error) });
  }
});

// A stray rejection in a decoder must not leave a worker that only looks healthy.
process.on('unhandledRejection', () => process.exit(1));
process.on('disconnect', () => process.exit(0));
