import { isMainThread, parentPort, Worker as Thread } from 'node:worker_threads';
import { type Job, OUT_OF_MEMORY, OUT_OF_TIME } from './job.ts';

const CHECK_INTERVAL_MS = 100;

interface Watched {
  job: Pick<Job, 'make' | 'maxCpuMs' | 'maxBytes'>;
  before: NodeJS.CpuUsage;
}

/**
 * Starts a thread that ends this process when its job uses more processor time, or a build file more memory, than it may.
 * While a decoder runs, no other code of its thread does; what one compiled to WebAssembly allocates counts towards no
 * limit of Node.
 *
 * @returns a function to call at the beginning of each job
 */
export function startGuard(): (job: Watched['job']) => void {
  const thread = new Thread(import.meta.filename);
  return ({ make, maxCpuMs, maxBytes }) =>
    thread.postMessage({ job: { make, maxCpuMs, maxBytes }, before: process.cpuUsage() } satisfies Watched);
}

function watch(): void {
  let watched: Watched | undefined;
  parentPort?.on('message', (begun: Watched) => {
    watched = begun;
  });
  setInterval(() => {
    if (!watched) return;
    const { job, before } = watched;
    const { user, system } = process.cpuUsage(before);
    if (user + system > job.maxCpuMs * 1000) process.kill(process.pid, OUT_OF_TIME);
    if (job.make === 'file' && process.memoryUsage.rss() > job.maxBytes)
      process.kill(process.pid, OUT_OF_MEMORY);
  }, CHECK_INTERVAL_MS);
}

if (!isMainThread) watch();
