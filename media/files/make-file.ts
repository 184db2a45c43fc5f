import { readFile } from 'node:fs/promises';
import type { JobResult } from '../job.ts';
import { FileProblem, otherKind } from './problem.ts';
import { isStl } from './stl.ts';

const HEAD_BYTES = 1024;

/** Rewrites a build file of the type that its bytes show; neither its name nor the sender's type counts. */
export async function makeFile(path: string, folder: string): Promise<JobResult> {
  const bytes = await readFile(path);
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  if (head.includes('%PDF-')) return (await import('./pdf/make-pdf.ts')).makePdf(path, folder);
  if (head.startsWith('PK\x03\x04')) return (await import('./3mf/make-3mf.ts')).make3mf(path, folder);
  if (/^(?:\xef\xbb\xbf)?\s*ISO-10303-21\s*;/.test(head))
    return (await import('./step.ts')).makeStep(path, folder);
  // The second byte of each letter of UTF-16 is passed over.
  const letters = head.replaceAll('\0', '');
  if (
    /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<(?:\?xml|!DOCTYPE svg|!--|(?:\w+:)?svg)/i.test(letters) &&
    !/<!doctype html|<html\b/i.test(letters)
  )
    return (await import('./svg/make-svg.ts')).makeSvg(path, folder);
  if (head.startsWith('AutoCAD Binary DXF'))
    throw new FileProblem('This is a binary DXF. Save it as text (ASCII) and choose it again.');
  if (/^AC10\d\d\0/.test(head)) throw new FileProblem('This is a DWG. Save it as DXF and choose it again.');
  if (/^(?:\xef\xbb\xbf)?\s*(?:0\s+SECTION\b|999\s*[\r\n])/.test(head))
    return (await import('./dxf/make-dxf.ts')).makeDxf(path, folder);
  if (head.startsWith('\x1f\x8b'))
    throw new FileProblem(
      'This file is compressed. Unpack it, or save an SVGZ as plain SVG, and choose it again.',
    );
  if (isStl(bytes)) return (await import('./stl.ts')).makeStl(path, folder);
  throw otherKind();
}
