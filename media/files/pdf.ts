import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, inflateSync } from 'node:zlib';
import {
  EncryptedPDFError,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFStream,
} from '@cantoo/pdf-lib';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import type { JobResult } from '../job.ts';
import { LIMITS } from '../limits.ts';
import { stripJpeg, stripJpeg2000 } from './embedded-image.ts';
import { plainText } from './page-text.ts';
import { FileProblem } from './problem.ts';

/** What a page needs to be seen. All else goes: notes, forms, links, scripts, and what programs keep for themselves. */
const PAGE_KEYS = new Set(
  ['Type', 'Parent', 'Resources', 'Contents', 'MediaBox', 'CropBox', 'Rotate', 'Group', 'UserUnit'].map(
    (key) => `/${key}`,
  ),
);
/** Removed wherever they stand: none of them changes what is seen, except layers that were switched off. */
const PRIVATE_KEYS = [
  'Metadata',
  'PieceInfo',
  'LastModified',
  'AF',
  'OPI',
  'Alternates',
  'Properties',
  'StructParent',
  'StructParents',
  'Thumb',
];
/** Of a stream that lies in another file, and of a form that stands for a page of one. */
const OUTSIDE_KEYS = ['F', 'FFilter', 'FDecodeParms', 'Ref'];

const PAGE_WIDTH = 1400;
const PAGE_HEIGHT = 2000;
/** The bytes read and written while all streams of a document are unpacked to see how large they are. */
const MAX_UNPACKING = 4 * LIMITS.unpackedBytes;
/** What beginning to unpack a stream costs, in bytes that could be unpacked in the same time. */
const STREAM_WORK = 8192;
/** The bytes of a stream that are unpacked at first. */
const FIRST_PIECE = 4096;
/** In points, 1/72 inch: five metres. */
const MAX_POINTS = 14_400;

/** Writes a new document with nothing but its pages, a picture of each, and their text. */
export async function makePdf(path: string, folder: string): Promise<JobResult> {
  const bytes = await readFile(path);
  refuseBomb(bytes);
  const rewritten = await rewrite(bytes);
  await writeFile(join(folder, 'file.pdf'), rewritten);
  const { previews, pageTexts, width, height } = await drawPages(rewritten, folder);
  return {
    files: ['file.pdf', ...previews],
    width,
    height,
    file: { type: 'pdf', facts: { pages: previews.length }, pageTexts },
  };
}

/**
 * Unpacks every stream once with a limit, before a library unpacks it without one. Whether a word begins a stream is known
 * only to the library, so that streams may overlap here, and the work on all of them together has a limit as well.
 */
function refuseBomb(bytes: Buffer): void {
  let remaining = LIMITS.unpackedBytes;
  let work = MAX_UNPACKING;
  const spend = (amount: number) => {
    work -= amount;
    if (work < 0 || remaining < 0) throw new FileProblem('This PDF is too large when unpacked.');
  };
  for (let at = bytes.indexOf('stream'); at >= 0; at = bytes.indexOf('stream', at + 6)) {
    let start = at + 6;
    while (bytes[start] === 0x0d || bytes[start] === 0x0a) start++;
    let packed: Buffer | undefined = bytes.subarray(start);
    // What was packed several times over is unpacked as often.
    for (let layer = 0; layer < 5 && packed && isZlib(packed); layer++) {
      packed = unpack(packed, remaining, spend);
      remaining -= packed?.length ?? 0;
      spend(STREAM_WORK);
    }
  }
}

const isZlib = ([method = 0, flags = 0]: Buffer) => (method & 15) === 8 && (method * 256 + flags) % 31 === 0;

/** Unpacks growing pieces, since a stream that fails does not say how much work it was. */
function unpack(packed: Buffer, most: number, spend: (amount: number) => void): Buffer | undefined {
  for (let size = FIRST_PIECE; ; size *= 4) {
    const piece = packed.subarray(0, size);
    const maxOutputLength = Math.min(size * 4, most + 1);
    try {
      const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength, info: true };
      const { buffer, engine } = inflateSync(piece, options) as unknown as {
        buffer: Buffer;
        engine: { bytesWritten: number };
      };
      spend(engine.bytesWritten + buffer.length);
      if (piece.length === packed.length || engine.bytesWritten < piece.length) return buffer;
    } catch (error) {
      if (error instanceof FileProblem) throw error;
      spend(piece.length + maxOutputLength);
      if (!(error instanceof RangeError)) return undefined;
    }
  }
}

async function rewrite(bytes: Buffer): Promise<Uint8Array> {
  const source = await load(bytes);
  const count = source.getPageCount();
  if (count === 0) throw new FileProblem('This PDF has no pages.');
  if (count > LIMITS.pages)
    throw new FileProblem(`This PDF has ${count} pages. A PDF can have at most ${LIMITS.pages}.`);
  for (const page of source.getPages())
    for (const key of page.node.keys()) if (!PAGE_KEYS.has(key.asString())) page.node.delete(key);
  for (const [, object] of source.context.enumerateIndirectObjects()) clean(object);
  const target = await PDFDocument.create({ updateMetadata: false });
  for (const page of await target.copyPages(source, source.getPageIndices())) target.addPage(page);
  return target.save({ updateFieldAppearances: false, addDefaultPage: false });
}

async function load(bytes: Buffer): Promise<PDFDocument> {
  // The library finds the next object by trying at each byte, and describing each failure took most of its time.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true });
  } catch (error) {
    // The texts of an encrypted document may not even be read as such.
    if (error instanceof EncryptedPDFError || bytes.includes('/Encrypt'))
      throw new FileProblem('This PDF is encrypted. Save it without a password and choose it again.');
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function clean(object: PDFObject): void {
  if (object instanceof PDFArray) for (const item of object.asArray()) clean(item);
  else if (object instanceof PDFStream) {
    if (OUTSIDE_KEYS.some((key) => object.dict.has(PDFName.of(key))))
      throw new FileProblem(
        'This PDF needs another file. Save it with everything inside and choose it again.',
      );
    clean(object.dict);
    if (object instanceof PDFRawStream) cleanImage(object);
  } else if (object instanceof PDFDict) {
    for (const key of PRIVATE_KEYS) object.delete(PDFName.of(key));
    for (const value of object.values()) clean(value);
  }
}

/** Pictures in a document are whole files, which hold the place and the camera as others do. */
function cleanImage(stream: PDFRawStream): void {
  const filter = stream.dict.lookup(PDFName.of('Filter'));
  const filters = filter instanceof PDFArray ? filter.asArray().map(String) : [String(filter)];
  if (filters.at(-1) === '/DCTDecode' || filters.at(-1) === '/JPXDecode') {
    let contents = stream.getContents();
    if (filters.length === 2 && filters[0] === '/FlateDecode') {
      contents = inflateSync(contents, { maxOutputLength: LIMITS.unpackedBytes });
      stream.dict.delete(PDFName.of('DecodeParms'));
    } else if (filters.length > 1)
      throw new FileProblem('An image in this PDF is compressed in an unusual way.');
    stream.dict.set(PDFName.of('Filter'), PDFName.of(filters.at(-1)?.slice(1) ?? ''));
    stream.updateContents(filters.at(-1) === '/DCTDecode' ? stripJpeg(contents) : stripJpeg2000(contents));
  }
}

async function drawPages(bytes: Uint8Array, folder: string) {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
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
    // Drawing a page closes it.
    pageTexts.push(plainText(page.getText()));
    const scale = Math.min(PAGE_WIDTH / originalWidth, PAGE_HEIGHT / originalHeight);
    const drawn = await page.render({ scale, render: 'bitmap' });
    const name = `page-${previews.length + 1}.webp`;
    const info = await sharp(drawn.data, {
      raw: { width: drawn.width, height: drawn.height, channels: 4 },
    })
      .flatten({ background: 'white' })
      .webp({ quality: 82, effort: 3 })
      .toFile(join(folder, name));
    if (previews.length === 0) [width, height] = [info.width, info.height];
    previews.push(name);
  }
  document.destroy();
  library.destroy();
  return { previews, pageTexts, width, height };
}
