/**
 * NAL units with picture data: slices and parameter sets. All others carry messages, padding or private data.
 */
const PICTURE = new Set([1, 2, 3, 4, 5, 7, 8]);

/** Baseline, main and high profile, at most level 5.1: the formats that every browser plays. */
export function playsEverywhere(codec: string | null): boolean {
  const match = /^avc[13]\.(42|4d|58|64)[0-9a-f]{2}([0-9a-f]{2})$/i.exec(codec ?? '');
  return match !== null && Number.parseInt(match[2] ?? '', 16) <= 51;
}

/** The number of bytes before each NAL unit, from the track's decoder configuration (avcC). */
export function lengthSize(description: Uint8Array): number {
  return ((description[4] ?? 3) & 3) + 1;
}

/**
 * One frame with only its picture. Cameras and editors put times, places and device names in messages between
 * the slices, which survive when a film is only put into another container.
 *
 * @throws when the frame is not a sequence of whole NAL units
 */
export function pictureOnly(frame: Uint8Array, size: number): Uint8Array {
  const pictureUnits: Uint8Array[] = [];
  for (let at = 0; at < frame.length; ) {
    let length = 0;
    for (let i = 0; i < size; i++) length = length * 256 + (frame[at + i] ?? 0);
    const end = at + size + length;
    if (length === 0 || end > frame.length) throw new Error('a frame is cut off');
    if (PICTURE.has((frame[at + size] ?? 0) & 31)) pictureUnits.push(frame.subarray(at, end));
    at = end;
  }
  return pictureUnits.length === 1 && pictureUnits[0] ? pictureUnits[0] : Buffer.concat(pictureUnits);
}
