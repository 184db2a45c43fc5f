import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from '@cantoo/pdf-lib';
import { FileProblem } from '../problem.ts';
import { get } from './document.ts';
import type { Layers } from './layers.ts';

/** What is left out of a page with each kind of note; a note of another kind is a note. */
const LEFT_OUT: Record<string, string> = {
  Link: 'links',
  FileAttachment: 'attachments',
  Sound: 'sounds',
  Movie: 'videos',
  Screen: 'videos',
  RichMedia: 'videos',
  '3D': '3D models',
  Widget: 'fields to fill in',
};
/** What is seen on the page, in a reader and in print. The rest are icons that open something, and frames of links. */
const DRAWN = new Set(
  'FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Watermark Widget Movie Screen RichMedia 3D'.split(
    ' ',
  ),
);
/** Their texts are on the page itself. */
const WITHOUT_NOTE = new Set([
  'FreeText',
  'Watermark',
  'Widget',
  'Stamp',
  'Link',
  'Movie',
  'Screen',
  'RichMedia',
  '3D',
]);
const [HIDDEN, NO_VIEW] = [2, 32];

const isText = (value: PDFObject | undefined) =>
  (value instanceof PDFString || value instanceof PDFHexString) && value.decodeText().trim() !== '';

/** What a note looks like, and where. */
export interface Appearance {
  form: PDFObject;
  /** Places the form on the page. */
  matrix: number[];
}

/** What is drawn on a page beside its content, in order. @param leftOut is told what is not */
export function appearancesOf(page: PDFDict, layers: Layers, leftOut: Set<string>): Appearance[] {
  const list = get(page, 'Annots');
  if (!(list instanceof PDFArray)) return [];
  const appearances: Appearance[] = [];
  const fields: Appearance[] = [];
  for (let index = 0; index < list.size(); index++) {
    const note = list.lookup(index);
    if (!(note instanceof PDFDict)) continue;
    const subtype = get(note, 'Subtype');
    const kind = subtype instanceof PDFName ? subtype.decodeText() : '';
    if (kind === 'Redact')
      throw new FileProblem(
        'This PDF has parts that are marked to be blacked out and are not yet. Apply the redactions and choose it again.',
      );
    if (kind === 'Popup' || kind === 'PrinterMark' || kind === 'TrapNet') continue;
    const named = LEFT_OUT[kind];
    if (named) leftOut.add(named);
    const isField = kind === 'Widget';
    if (isField && String(inherited(note, 'FT')) === '/Sig' && inherited(note, 'V'))
      leftOut.add('digital signatures');
    if (!WITHOUT_NOTE.has(kind) && isText(get(note, 'Contents'))) leftOut.add('notes');
    const flags = get(note, 'F');
    const isHidden = flags instanceof PDFNumber && (flags.asNumber() & (HIDDEN | NO_VIEW)) !== 0;
    const inHiddenLayer = layers.isHidden(note.get(PDFName.of('OC')));
    const appearance = DRAWN.has(kind) && !isHidden && !inHiddenLayer ? appearanceOf(note) : undefined;
    if (appearance) (isField ? fields : appearances).push(appearance);
    else if (inHiddenLayer) leftOut.add('hidden layers');
    else if (isField) {
      const isTicked = [get(note, 'AS'), inherited(note, 'V')].some(
        (state) => state instanceof PDFName && state.decodeText() !== 'Off',
      );
      if (isTicked || isText(inherited(note, 'V')))
        leftOut.add(isHidden ? 'hidden fields' : 'values of fields');
    } else if (!named) leftOut.add(isHidden ? 'hidden notes' : DRAWN.has(kind) ? 'drawn notes' : 'notes');
  }
  // Readers draw fields over all other notes.
  return [...appearances, ...fields];
}

/** A property of a field or of the group that it belongs to. */
function inherited(field: PDFDict, key: string): PDFObject | undefined {
  let at: PDFObject | undefined = field;
  for (let depth = 0; depth < 20 && at instanceof PDFDict; depth++) {
    const value = get(at, key);
    if (value) return value;
    at = get(at, 'Parent');
  }
  return undefined;
}

function appearanceOf(note: PDFDict): Appearance | undefined {
  const all = get(note, 'AP');
  if (!(all instanceof PDFDict)) return undefined;
  let form = all.get(PDFName.of('N'));
  let found = all.lookup(PDFName.of('N'));
  if (found instanceof PDFDict) {
    // A box has an appearance for each of its states.
    const state = get(note, 'AS');
    if (!(state instanceof PDFName)) return undefined;
    form = found.get(state);
    found = found.lookup(state);
  }
  const rect = numbers(get(note, 'Rect'), 4);
  if (!form || !rect || !(found instanceof PDFRawStream)) return undefined;
  const box = numbers(get(found.dict, 'BBox'), 4);
  if (!box) return undefined;
  // What PDFium made for marks on a text lies where the text is, which need not be within the rectangle.
  if (note.has(PDFName.of('PDFIUM_HasGeneratedAP')) && note.has(PDFName.of('QuadPoints')))
    return { form, matrix: [1, 0, 0, 1, 0, 0] };
  const [a, b, c, d, e, f] = numbers(get(found.dict, 'Matrix'), 6) ?? [1, 0, 0, 1, 0, 0];
  const corners = [0, 2].flatMap((x) => [1, 3].map((y) => [box[x] ?? 0, box[y] ?? 0] as const));
  const xs = corners.map(([x, y]) => (a ?? 0) * x + (c ?? 0) * y + (e ?? 0));
  const ys = corners.map(([x, y]) => (b ?? 0) * x + (d ?? 0) * y + (f ?? 0));
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - bottom];
  if (!(width > 0 && height > 0)) return undefined;
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rect;
  const [scaleX, scaleY] = [Math.abs(x1 - x0) / width, Math.abs(y1 - y0) / height];
  const matrix = [scaleX, 0, 0, scaleY, Math.min(x0, x1) - left * scaleX, Math.min(y0, y1) - bottom * scaleY];
  return { form, matrix };
}

function numbers(list: PDFObject | undefined, count: number): number[] | undefined {
  if (!(list instanceof PDFArray) || list.size() !== count) return undefined;
  const values = list.asArray().map((_, index) => list.lookup(index));
  return values.every((value) => value instanceof PDFNumber)
    ? values.map((value) => value.asNumber())
    : undefined;
}
