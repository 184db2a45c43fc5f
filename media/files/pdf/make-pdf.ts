import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument, PDFName, PDFPage, PDFPageLeaf } from '@cantoo/pdf-lib';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { JobResult } from '../../job.ts';
import { writeWebp } from '../../webp.ts';
import { pageText } from '../page-text.ts';
import { FileProblem } from '../problem.ts';
import { appearancesOf } from './annotations.ts';
import { Copy } from './copy.ts';
import { notKept } from './document.ts';
import { readPage } from './fonts.ts';
import { KEPT } from './kept.ts';
import { Layers } from './layers.ts';
import { fillMarks, refuseLoss } from './losses.ts';
import { draw, nativeOf, open, pageOf, repair, sizeOf } from './pdfium.ts';
import { damaged, refuseBomb } from './unpack.ts';

/** As much of a page as a large screen shows at once, so that a plan is as wide as it is and a text as high. */
const [PAGE_WIDTH, PAGE_HEIGHT] = [1600, 1700];
const QUALITY = 82;
/** In points, 1/72 inch: five metres. */
const MAX_POINTS = 14_400;

/** Writes a new document with what its pages are drawn with, an image of each, and their text. */
export async function makePdf(path: string, folder: string): Promise<JobResult> {
  const bytes = await readFile(path);
  refuseBomb(bytes);
  const library = await PDFiumLibrary.init();
  try {
    return await make(library, bytes, folder);
  } catch (error) {
    if (error instanceof FileProblem || (error instanceof Error && 'code' in error)) throw error;
    // The libraries say in many ways that an object is not what it should be.
    throw damaged();
  } finally {
    library.destroy();
  }
}

async function make(library: PDFiumLibrary, bytes: Buffer, folder: string): Promise<JobResult> {
  const repaired = await repair(library, bytes);
  const { target, marks, leftOut } = await rewrite(repaired);
  const save = () => target.save({ updateFieldAppearances: false, addDefaultPage: false });
  let rewritten = await save();
  if (marks.length > 0) {
    if (await fillMarks(library, rewritten, marks)) leftOut.add('hidden texts');
    rewritten = await save();
  }
  await writeFile(join(folder, 'file.pdf'), rewritten);
  const { previews, pageTexts, width, height } = await drawPages(
    library,
    [repaired, rewritten],
    folder,
    leftOut,
  );
  const facts = { pages: previews.length, ...(leftOut.size === 0 ? {} : { leftOut: [...leftOut] }) };
  return { files: ['file.pdf', ...previews], width, height, file: { type: 'pdf', facts, pageTexts } };
}

async function rewrite(bytes: Buffer) {
  // What was encrypted is unpacked only now.
  refuseBomb(bytes);
  const source = await PDFDocument.load(bytes, { updateMetadata: false, preserveXFA: true });
  const target = await PDFDocument.create({ updateMetadata: false });
  const leftOut = notKept(source);
  const layers = new Layers(source);
  if (layers.exist) leftOut.add('layer names');
  const copy = new Copy(source.context, target.context, layers, leftOut);
  for (const sourcePage of source.getPages()) {
    const { node } = sourcePage;
    if (isCropped(sourcePage)) leftOut.add('cropping of pages');
    const page = PDFPageLeaf.fromMapWithContext(new Map(), target.context);
    page.set(PDFName.of('Type'), PDFName.of('Page'));
    for (const [key, kind] of Object.entries(KEPT.page)) {
      const value = copy.copy(node.getInheritableAttribute(PDFName.of(key)), kind);
      if (value) page.set(PDFName.of(key), value);
    }
    const resources = copy.pageResources(node.Resources());
    const parts = [resources.clean(copy.content(node.get(PDFName.of('Contents'))))];
    for (const { form, matrix } of appearancesOf(node, layers, leftOut)) {
      const name = resources.add(copy.copy(form, 'form', node.Resources()));
      parts.push(Buffer.from(`\nQ\nq ${matrix.map((value) => value.toFixed(5)).join(' ')} cm /${name} Do\n`));
    }
    const content = Buffer.concat([Buffer.from('q\n'), ...parts, Buffer.from('\nQ')]);
    page.set(PDFName.of('Resources'), resources.dict);
    page.set(PDFName.of('Contents'), target.context.register(copy.packed(content)));
    target.addPage(PDFPage.of(page, target.context.register(page), target));
  }
  return { target, marks: copy.marks, leftOut };
}

/** What lies beside the part that is shown would still be in the file, so that the whole page is shown instead. */
function isCropped(page: PDFPage): boolean {
  const [part, whole] = [page.getCropBox(), page.getMediaBox()];
  return (
    part.x > whole.x + 1 ||
    part.y > whole.y + 1 ||
    part.x + part.width < whole.x + whole.width - 1 ||
    part.y + part.height < whole.y + whole.height - 1
  );
}

async function drawPages(
  library: PDFiumLibrary,
  [before, after]: [Uint8Array, Uint8Array],
  folder: string,
  leftOut: Set<string>,
) {
  const sent = await open(library, before);
  const document = await open(library, after);
  const previews: string[] = [];
  const pageTexts: string[] = [];
  let [width, height] = [0, 0];
  for (const page of document.pages()) {
    const { originalWidth, originalHeight } = page.getOriginalSize();
    if (
      !(Math.min(originalWidth, originalHeight) >= 1) ||
      !(Math.max(originalWidth, originalHeight) <= MAX_POINTS)
    )
      throw new FileProblem('A page of this PDF is too large or too small.');
    const { text, isSteady } = readPage(library, page);
    await refuseLoss(library, [sent.getPage(page.number), page], { text, leftOut, isSteady });
    pageTexts.push(pageText(text));
    const name = `page-${previews.length + 1}.webp`;
    const size = sizeOf(page, PAGE_WIDTH, PAGE_HEIGHT);
    const info = await draw(library, page, size, (data) =>
      writeWebp(
        { data, width: size[0], height: size[1], channels: 4, isOpaque: true },
        join(folder, name),
        QUALITY,
      ),
    );
    nativeOf(library)._FPDF_ClosePage(pageOf(page));
    if (previews.length === 0) [width, height] = [info.width, info.height];
    previews.push(name);
  }
  sent.destroy();
  document.destroy();
  return { previews, pageTexts, width, height };
}
