import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { decodePDFRawStream, PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream } from '@cantoo/pdf-lib';
import { LIMITS } from '../../limits.ts';
import { FileProblem } from '../problem.ts';

/** The bytes read and written while all streams of a document are unpacked to see how large they are. */
const MAX_UNPACKING = 4 * LIMITS.unpackedBytes;
/** What beginning to unpack a stream costs, in bytes that could be unpacked in the same time. */
const STREAM_WORK = 8192;
/** The bytes of a stream that are unpacked at first. */
const FIRST_PIECE = 4096;
/** PDFium looks for the end of a stream from its beginning, and so through the file for each that has none. */
const MAX_OPEN_STREAMS = 100;

/** The refusal of a document that breaks the rules of its format. */
export const damaged = () =>
  new FileProblem('This PDF is damaged and cannot be read. Open it, print it to a new PDF and choose that.');
const tooLarge = () => new FileProblem('This PDF is too large when unpacked.');

/**
 * Unpacks every stream once with a limit, before a library unpacks it without one. Whether a word begins a stream is known
 * only to the library, so that streams may overlap here, and the work on all of them together has a limit as well.
 */
export function refuseBomb(bytes: Buffer): void {
  let remaining = LIMITS.unpackedBytes;
  let work = MAX_UNPACKING;
  const spend = (amount: number) => {
    work -= amount;
    if (work < 0 || remaining < 0) throw tooLarge();
  };
  let open = 0;
  for (let at = bytes.indexOf('stream'); at >= 0; at = bytes.indexOf('stream', at + 6)) {
    open = bytes.toString('latin1', at - 3, at) === 'end' ? 0 : open + 1;
    if (open > MAX_OPEN_STREAMS) throw damaged();
    let start = at + 6;
    while (bytes[start] === 0x0d || bytes[start] === 0x0a) start++;
    let packed: Buffer | undefined = bytes.subarray(start);
    // What was packed several times over is unpacked as often.
    for (let layer = 0; layer < 5 && packed && isZlib(packed); layer++) {
      packed = measure(packed, remaining, spend);
      remaining -= packed?.length ?? 0;
      spend(STREAM_WORK);
    }
  }
}

const isZlib = ([method = 0, flags = 0]: Buffer) => (method & 15) === 8 && (method * 256 + flags) % 31 === 0;

/** Unpacks growing pieces, since a stream that fails does not say how much work it was. */
function measure(packed: Buffer, most: number, spend: (amount: number) => void): Buffer | undefined {
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

/** The names of what a stream is packed with, outermost first. */
export function filtersOf({ dict }: PDFRawStream): string[] {
  const filter = dict.lookup(PDFName.of('Filter'));
  const names =
    filter instanceof PDFArray ? filter.asArray().map((_, index) => filter.lookup(index)) : [filter];
  return names.flatMap((name) => (name instanceof PDFName ? [name.decodeText()] : []));
}

/** What was packed with the first filters of a stream, or with all. @throws {FileProblem} when it is more than `most` bytes */
export function unpack(stream: PDFRawStream, most: number, count = Infinity): Buffer {
  const filters = filtersOf(stream).slice(0, count);
  const contents = Buffer.from(stream.getContents());
  if (filters.length === 0) return contents;
  const parameters = stream.dict.lookup(PDFName.of('DecodeParms'));
  const all = parameters instanceof PDFArray ? parameters : undefined;
  for (const [index] of filters.entries()) {
    const own = all ? all.lookup(index) : parameters;
    const predictor = own instanceof PDFDict ? own.lookup(PDFName.of('Predictor')) : undefined;
    if (predictor instanceof PDFNumber && predictor.asNumber() > 1) throw unusual();
  }
  if (filters.length === 1 && filters[0] === 'FlateDecode')
    try {
      // Readers take what comes before a wrong sum or a missing end.
      const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: most + 1 };
      const unpacked = inflateRawSync(contents.subarray(2), options);
      if (unpacked.length > most) throw tooLarge();
      return unpacked;
    } catch (error) {
      if (error instanceof RangeError) throw tooLarge();
      throw error instanceof FileProblem ? error : damaged();
    }
  const dict = PDFDict.withContext(stream.dict.context);
  dict.set(PDFName.of('Filter'), stream.dict.context.obj(filters));
  if (parameters) dict.set(PDFName.of('DecodeParms'), all ?? stream.dict.context.obj([parameters]));
  try {
    const unpacked = decodePDFRawStream(PDFRawStream.of(dict, contents)).getBytes(most + 1);
    if (unpacked.length > most) throw tooLarge();
    return Buffer.from(unpacked);
  } catch (error) {
    throw error instanceof FileProblem ? error : unusual();
  }
}

/** The refusal of a document of which a part cannot be unpacked here, though other readers may be able to. */
export const unusual = () =>
  new FileProblem(
    'A part of this PDF is compressed in an unusual way. Open it, print it to a new PDF and choose that.',
  );
