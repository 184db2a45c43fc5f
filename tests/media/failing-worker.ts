import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { startGuard } from '../../media/guard.ts';
import type { Job } from '../../media/job.ts';

const guard = startGuard();

/** Fails as the file says, like a decoder with a malicious file. */
process.on('message', (job: Job) => {
  guard(job);
  const wish = readFileSync(job.path, 'utf8');
  if (wish === 'crash') process.kill(process.pid, 'SIGSEGV');
  const marker = `${job.folder}/begun`;
  if (wish === 'be killed once' && !existsSync(marker)) {
    writeFileSync(marker, '');
    process.kill(process.pid, 'SIGKILL');
  }
  if (wish === 'hang') {
    for (;;);
  }
  if (wish === 'wait') return;
  const finish = () => {
    writeFileSync(`${job.folder}/done`, wish);
    process.send?.({ id: job.id, result: { files: ['done'], width: 1, height: 1 } });
  };
  // As long by the clock as three of these jobs may compute.
  if (wish === 'rest') setTimeout(finish, 3 * job.maxCpuMs);
  else finish();
});
process.on('disconnect', () => process.exit(0));
