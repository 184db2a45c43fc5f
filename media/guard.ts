import { workerData } from 'node:worker_threads';

/**
 * A thread of a worker process that ends the process when it uses more memory than a file may cost. What a decoder compiled to
 * WebAssembly allocates counts towards no limit of Node, and while the decoder runs no other code of its thread does.
 */
const CHECK_INTERVAL_MS = 100;

const { maxBytes, signal } = workerData as { maxBytes: number; signal: NodeJS.Signals };
setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, signal);
}, CHECK_INTERVAL_MS);
