import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Fails as the file says, like a decoder with a malicious file. */
process.on('message', (job: { id: number; path: string; folder: string }) => {
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
  writeFileSync(`${job.folder}/done`, wish);
  process.send?.({ id: job.id, result: { files: ['done'], width: 1, height: 1 } });
});
process.on('disconnect', () => process.exit(0));
