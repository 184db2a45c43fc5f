import { FileProblem } from '../problem.ts';

const damagedImage = () =>
  new FileProblem('An image in this PDF is damaged. Replace it and choose the PDF again.');

const unknownImage = () =>
  new FileProblem(
    'An image in this PDF is packed in a way that cannot be drawn here. Print the PDF to a new one and choose that.',
  );

/** What a JPEG cannot be drawn without: its frame, its tables, and its scans. */
const isKeptMarker = (marker: number) =>
  (marker >= 0xc0 && marker <= 0xcf) || (marker >= 0xda && marker <= 0xdd);
/** Adobe's segment says how the colours are coded. */
const ADOBE = 0xee;
const ADOBE_BYTES = 14;

/** A JPEG without what cameras and editors write before, between and behind the picture. @throws when it holds none */
export function stripJpeg(bytes: Uint8Array): Uint8Array {
  // Some programs write an end of line before it.
  const start = bytes.indexOf(0xff);
  if (start < 0 || bytes[start + 1] !== 0xd8) throw damagedImage();
  const parts = [bytes.subarray(start, start + 2)];
  let hasScan = false;
  for (let at = start + 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xd9) break;
    // Lossless, in layers or packed by arithmetic: readers draw it, and PDFium draws black.
    if (marker >= 0xc3 && marker <= 0xcf && marker !== 0xc4) throw unknownImage();
    let end = at + 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0);
    // A part of the picture follows its header.
    if (marker === 0xda) {
      hasScan = true;
      end = scanEnd(bytes, end);
    }
    if (isKeptMarker(marker)) parts.push(bytes.subarray(at, end));
    else if (marker === ADOBE && Buffer.from(bytes.subarray(at + 4, at + 9)).toString('latin1') === 'Adobe')
      parts.push(Uint8Array.of(0xff, ADOBE, 0, ADOBE_BYTES), bytes.subarray(at + 4, at + 2 + ADOBE_BYTES));
    at = end;
  }
  if (!hasScan) throw damagedImage();
  return Buffer.concat([...parts, Uint8Array.of(0xff, 0xd9)]);
}

/** Where the coded picture ends: at a marker that is neither a stuffed byte nor a restart, or with the file. */
function scanEnd(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

const COMMENT = 62;
/** The types of segments that hold a picture in full, at once or in steps. */
const [FIRST_REGION, LAST_REGION] = [36, 39];
const REGION_HEAD = 17;
const UNKNOWN_LENGTH = 0xffffffff;

/**
 * A JBIG2 as PDFs hold it, without comments.
 *
 * @throws when it is not a sequence of whole segments, or is packed as faxes are, which PDFium draws white
 * @see ITU-T T.88, 7.2
 */
export function stripJbig2(bytes: Uint8Array): Uint8Array {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  try {
    for (let at = 0; at < view.length; ) {
      const number = view.readUInt32BE(at);
      const flags = view.readUInt8(at + 4);
      const short = view.readUInt8(at + 5) >> 5;
      const count = short === 7 ? view.readUInt32BE(at + 5) & 0x1fffffff : short;
      const size = number <= 256 ? 1 : number <= 65_536 ? 2 : 4;
      const references = (short === 7 ? 4 + ((count + 8) >> 3) : 1) + count * size;
      const length = at + 5 + references + ((flags & 64) === 0 ? 1 : 4);
      const start = length + 4;
      const type = flags & 63;
      const isRegion = type >= FIRST_REGION && type <= LAST_REGION;
      if (isRegion && (view.readUInt8(start + REGION_HEAD) & 1) === 1) throw unknownImage();
      const stated = view.readUInt32BE(length);
      const end = stated === UNKNOWN_LENGTH ? view.length : start + stated;
      if (end > view.length) throw damagedImage();
      if (type !== COMMENT) parts.push(view.subarray(at, end));
      at = end;
    }
  } catch (error) {
    throw error instanceof FileProblem ? error : damagedImage();
  }
  return Buffer.concat(parts);
}

/** The boxes that say how the colours of a JPEG 2000 are coded, and its code stream. */
const KEPT_BOXES = new Set(['jP  ', 'ftyp', 'jp2h', 'ihdr', 'bpcc', 'colr', 'pclr', 'cmap', 'cdef', 'jp2c']);

/** A JPEG 2000 without the boxes and comments that hold text and private data. @throws when it is not a sequence of whole boxes */
export function stripJpeg2000(bytes: Uint8Array): Uint8Array {
  // A bare code stream has no boxes.
  if (bytes[0] === 0xff && bytes[1] === 0x4f) return blankComments(bytes);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 0; at + 8 <= view.length; ) {
    const short = view.readUInt32BE(at);
    const kind = view.toString('latin1', at + 4, at + 8);
    let header = 8;
    let length = short === 0 ? view.length - at : short;
    if (short === 1 && at + 16 <= view.length) {
      header = 16;
      length = Number(view.readBigUInt64BE(at + 8));
    }
    if (length < header || at + length > view.length) throw damagedImage();
    const body = view.subarray(at + header, at + length);
    if (KEPT_BOXES.has(kind)) {
      const kept = kind === 'jp2h' ? stripJpeg2000(body) : kind === 'jp2c' ? blankComments(body) : body;
      const head = Buffer.alloc(8);
      head.writeUInt32BE(kept.length + 8);
      head.write(kind, 4, 'latin1');
      parts.push(head, kept);
    }
    at += length;
  }
  return Buffer.concat(parts);
}

/** The comments of a code stream become spaces, so that the lengths that its parts state stay true. */
function blankComments(bytes: Uint8Array): Uint8Array {
  const stream = Buffer.from(bytes);
  let part = 0;
  for (let at = 2; at + 4 <= stream.length; ) {
    const marker = stream.readUInt16BE(at);
    if (marker === 0xffd9) return stream.subarray(0, at + 2);
    const length = stream.readUInt16BE(at + 2);
    if (marker === 0xff90) {
      // A tile part states its length; the last one may run to the end.
      const size = stream.readUInt32BE(at + 6);
      part = size === 0 ? stream.length : at + size;
    }
    if (marker === 0xff64) stream.fill(' ', at + 6, Math.max(at + 2 + length, at + 6));
    if (marker === 0xff93) at = Math.max(part, at + 2);
    else at += 2 + length;
  }
  return stream;
}
