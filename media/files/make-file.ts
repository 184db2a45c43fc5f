import { open } from 'node:fs/promises';
import type { JobResult } from '../job.ts';
import { FileProblem } from './problem.ts';

const HEAD_BYTES = 1024;

/** Rewrites a build file of the type that its bytes show; neither its name nor the sender's type counts. */
export async function makeFile(path: string, folder: string, progress: () => void): Promise<JobResult> {
  const head = await headOf(path);
  if (head.includes('%PDF-')) {
    const { makePdf } = await import('./pdf.ts');
    return makePdf(path, folder, progress);
  }
  throw new FileProblem('Only PDF files are accepted.');
}

async function headOf(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.toString('latin1', 0, bytesRead);
}
