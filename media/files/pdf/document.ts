import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFObject } from '@cantoo/pdf-lib';
import { FileProblem } from '../problem.ts';

/** What lies under a key of a dictionary, and under a key of that, and so on. */
export const get = (from: PDFObject | undefined, ...path: string[]) => {
  let found = from;
  for (const key of path) found = found instanceof PDFDict ? found.lookup(PDFName.of(key)) : undefined;
  return found;
};

/** What is named when it is not kept, by where the document holds it. Who made it, when and with what is not told. */
const NOT_KEPT: [string, string[]][] = [
  ['bookmarks', ['Outlines', 'First']],
  ['attachments', ['Names', 'EmbeddedFiles']],
  ['attachments', ['AF']],
  ['scripts', ['Names', 'JavaScript']],
  ['scripts', ['OpenAction', 'JS']],
  ['scripts', ['AA']],
  ['tags for screen readers', ['StructTreeRoot']],
];
const NOT_KEPT_OF_PAGES: [string, string][] = [
  ['scripts', 'AA'],
  ['attachments', 'AF'],
  ['measuring scales', 'VP'],
];

/** What a document holds beside its pages and is not kept. @throws {FileProblem} when its pages are not what it is about */
export function notKept(document: PDFDocument): Set<string> {
  const { catalog } = document;
  if (get(catalog, 'Collection'))
    throw new FileProblem('This PDF is a portfolio of other files. Choose those files one by one.');
  const pages = document.getPages().map(({ node }) => node);
  if (
    get(catalog, 'AcroForm', 'XFA') &&
    (String(get(catalog, 'NeedsRendering')) === 'true' || !pages.some(hasField))
  )
    throw new FileProblem(
      'The pages of this PDF are made by a form program when it is opened (XFA). Open it in Acrobat, print it to a new PDF and choose that.',
    );
  const found = NOT_KEPT.filter(([, path]) => get(catalog, ...path)).map(([what]) => what);
  for (const [what, key] of NOT_KEPT_OF_PAGES) if (pages.some((page) => get(page, key))) found.push(what);
  return new Set(found);
}

function hasField(page: PDFDict): boolean {
  const notes = get(page, 'Annots');
  if (!(notes instanceof PDFArray)) return false;
  return notes.asArray().some((_, index) => String(get(notes.lookup(index), 'Subtype')) === '/Widget');
}
