/** The segments of a JPEG without which its colours are wrong: JFIF, and Adobe's on the colour space. */
const KEPT_APPLICATION_SEGMENTS = new Set([0xe0, 0xee]);

/** A JPEG without what cameras and editors write before, between and behind the picture. @throws when it is not a whole one */
export function stripJpeg(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new Error('a picture is no JPEG');
  const parts = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    let end = at + 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0);
    // A part of the picture follows its header.
    if (marker === 0xda) end = scanEnd(bytes, end);
    const isApplication = marker >= 0xe0 && marker <= 0xef;
    if (!(isApplication || marker === 0xfe) || KEPT_APPLICATION_SEGMENTS.has(marker))
      parts.push(bytes.subarray(at, end));
    if (marker === 0xda && bytes[end + 1] === 0xd9)
      return Buffer.concat([...parts, bytes.subarray(end, end + 2)]);
    at = end;
  }
  throw new Error('a JPEG is cut off');
}

/** Where the coded picture ends: at a marker that is neither a stuffed byte nor a restart. */
function scanEnd(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw new Error('a JPEG is cut off');
}

/** A JPEG 2000 without the boxes that hold text and private data. @throws when it is not a sequence of whole boxes */
export function stripJpeg2000(bytes: Uint8Array): Uint8Array {
  // A bare code stream has no boxes.
  if (bytes[0] === 0xff && bytes[1] === 0x4f) return bytes;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 0; at + 8 <= view.length; ) {
    const short = view.readUInt32BE(at);
    const length = short === 0 ? view.length - at : short;
    if (length < 8 || at + length > view.length) throw new Error('a JPEG 2000 is cut off');
    const kind = view.toString('latin1', at + 4, at + 8);
    if (!['xml ', 'uuid', 'uinf', 'jp2i'].includes(kind)) parts.push(view.subarray(at, at + length));
    at += length;
  }
  return Buffer.concat(parts);
}
