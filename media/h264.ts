import {
  AV_CODEC_ID_H264,
  AVMEDIA_TYPE_VIDEO,
  BitStreamFilter,
  BitStreamFilterContext,
  FFmpegError,
} from 'node-av';
import type { Colours } from './colours.ts';

/**
 * NAL units with picture data: slices and parameter sets. All others carry messages, padding or private data.
 */
const PICTURE = new Set([1, 2, 3, 4, 5, 7, 8]);
const PARAMETERS = 7;

/** Baseline, main and high profile, at most level 5.1: the formats that every browser plays. */
export function playsEverywhere(codec: string | null): boolean {
  const match = /^avc[13]\.(42|4d|58|64)[0-9a-f]{2}([0-9a-f]{2})$/i.exec(codec ?? '');
  return match !== null && Number.parseInt(match[2] ?? '', 16) <= 51;
}

/** The number of bytes before each NAL unit, from the track's decoder configuration (avcC). */
export function lengthSize(description: Uint8Array): number {
  return ((description[4] ?? 3) & 3) + 1;
}

const START = Buffer.from([0, 0, 0, 1]);

/** The same parameters of a sequence (SPS), which say what their colours are, or nothing when they are against the rules. */
function withColours(parameters: Uint8Array, colours: Colours): Buffer | undefined {
  const name = BitStreamFilter.getByName('h264_metadata');
  if (!name) throw new Error('FFmpeg has no filter for H.264');
  using filter = new BitStreamFilterContext();
  FFmpegError.throwIfError(filter.alloc(name));
  const input = filter.inputCodecParameters;
  if (!input) throw new Error('the filter takes no parameters');
  input.codecType = AVMEDIA_TYPE_VIDEO;
  input.codecId = AV_CODEC_ID_H264;
  input.extradata = Buffer.concat([START, parameters]);
  filter.setOption('colour_primaries', colours.primaries);
  filter.setOption('transfer_characteristics', colours.transfer);
  filter.setOption('matrix_coefficients', colours.matrix);
  filter.setOption('video_full_range_flag', Number(colours.fullRange));
  if (filter.init() < 0) return undefined;
  return filter.outputCodecParameters?.extradata?.subarray(START.length);
}

/** The same decoder configuration, which says what the colours are, or nothing when that cannot be put into it. */
export function describe(description: Uint8Array | undefined, colours: Colours): Buffer | undefined {
  if (!description) return undefined;
  const pieces = [description.subarray(0, 6)];
  let at = 6;
  for (let left = (description[5] ?? 0) & 31; left > 0; left--) {
    const end = at + 2 + (((description[at] ?? 0) << 8) | (description[at + 1] ?? 0));
    const parameters = withColours(description.subarray(at + 2, end), colours);
    if (!parameters) return undefined;
    pieces.push(Buffer.from([parameters.length >> 8, parameters.length & 255]), parameters);
    at = end;
  }
  return Buffer.concat([...pieces, description.subarray(at)]);
}

/**
 * One frame with only its picture, in which parameters say what the colours are. Cameras and editors put times, places and
 * device names in messages between the slices, which survive when a film is only put into another container.
 *
 * @throws when the frame is not a sequence of whole NAL units
 */
export function pictureOnly(frame: Uint8Array, size: number, colours: Colours): Uint8Array {
  const pictureUnits: Uint8Array[] = [];
  for (let at = 0; at < frame.length; ) {
    let length = 0;
    for (let i = 0; i < size; i++) length = length * 256 + (frame[at + i] ?? 0);
    const end = at + size + length;
    if (length === 0 || end > frame.length) throw new Error('a frame is cut off');
    const kind = (frame[at + size] ?? 0) & 31;
    if (kind === PARAMETERS) {
      const parameters =
        withColours(frame.subarray(at + size, end), colours) ?? frame.subarray(at + size, end);
      const lengthOf = Buffer.alloc(size);
      lengthOf.writeUIntBE(parameters.length, 0, size);
      pictureUnits.push(lengthOf, parameters);
    } else if (PICTURE.has(kind)) pictureUnits.push(frame.subarray(at, end));
    at = end;
  }
  return pictureUnits.length === 1 && pictureUnits[0] ? pictureUnits[0] : Buffer.concat(pictureUnits);
}
