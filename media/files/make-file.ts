import { readFile } from 'node:fs/promises';
import type { JobResult } from '../job.ts';
import { FileProblem } from './problem.ts';
import { isStl } from './stl.ts';

const HEAD_BYTES = 1024;

/** Rewrites a build file of the type that its bytes show; neither its name nor the sender's type counts. */
export async function makeFile(path: string, folder: string): Promise<JobResult> {
  const bytes = await readFile(path);
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  if (head.includes('%PDF-')) return (await import('./pdf.ts')).makePdf(path, folder);
  if (head.startsWith('PK\x03\x04')) return (await import('./3mf.ts')).make3mf(path, folder);
  if (/^\s*ISO-10303-21\s*;/.test(head)) return (await import('./step.ts')).makeStep(path, folder);
  if (/^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!DOCTYPE svg|!--|svg)/.test(head))
    return (await import('./svg.ts')).makeSvg(path, folder);
  if (/^\s*(?:999\r?\n[^\n]*\n\s*)*0\s*\r?\n\s*SECTION\b/.test(head))
    return (await import('./dxf/make-dxf.ts')).makeDxf(path, folder);
  if (isStl(bytes)) return (await import('./stl.ts')).makeStl(path, folder);
  throw new FileProblem('Only PDF, STL, 3MF, STEP, SVG and DXF files are accepted.');
}
