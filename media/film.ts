import { open } from 'node:fs/promises';
import {
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputVideoTrack,
  MP4,
  QTFF,
  VideoSampleSink,
  WEBM,
} from 'mediabunny';
import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  type AVCodecID,
  Codec,
  CodecContext,
  FFmpegError,
  Packet,
} from 'node-av';
import { coloursOf } from './colours.ts';
import { FileProblem } from './files/problem.ts';
import { LIMITS } from './limits.ts';

/** Opens a film of a format that is accepted. */
export const read = (path: string) =>
  new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, WEBM] });

const cutOff = () => new FileProblem('This video is cut off or damaged. Copy it from the camera again.');
const encrypted = () =>
  new FileProblem('This video is encrypted. Export it without protection and choose it again.');
const MAX_BOXES = 10_000;
/** The boxes that a protected track has in the film's index. */
const ENCRYPTED = ['sinf', 'schm'];
/** The boxes that a film is made of; what else follows the last one was added to it. */
const BOX = /^(?:ftyp|moov|mdat|moof|mfra|free|skip|wide|uuid|meta|udta|sidx|styp|pdin)$/;

const [EBML, SEGMENT, CLUSTER] = [0x1a45dfa3, 0x18538067, 0x1f43b675];
/** The elements that a WebM is made of, and those of a cluster whose length a browser did not know when it began it. */
const ELEMENTS = new Set([
  ...[EBML, SEGMENT, CLUSTER, 0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x1941a469, 0x1043a770],
  ...[0x1254c367, 0xec, 0xbf, 0xe7, 0xa3, 0xa0, 0xab, 0xa7, 0xaf, 0x5854],
]);

/** Refuses a WebM in which something else stands between its elements, after which the next would be looked for for ever. */
function refuseBroken(bytes: Buffer): void {
  let end = bytes.length;
  for (let at = 0; at + 12 <= end; ) {
    const idLength = Math.clz32(bytes[at] ?? 0) - 23;
    const id = idLength <= 4 ? bytes.readUIntBE(at, idLength) : 0;
    if (at === 0 && id !== EBML) return;
    if (!ELEMENTS.has(id)) throw cutOff();
    const first = bytes[at + idLength] ?? 0;
    const sizeLength = Math.clz32(first) - 23;
    if (sizeLength > 8) throw cutOff();
    let size = first & (0xff >> sizeLength);
    for (let i = 1; i < sizeLength; i++) size = size * 256 + (bytes[at + idLength + i] ?? 0);
    const isOpen = size >= 2 ** (7 * sizeLength) - 1;
    at += idLength + sizeLength;
    // What follows the film was added to it.
    if (id === SEGMENT && !isOpen) end = Math.min(end, at + size);
    else if (!isOpen) at += size;
  }
}

/**
 * Refuses an MP4 whose last box is longer than the file: an index in front promises pictures that did not arrive. A
 * player would stop in the middle. One that is encrypted is refused too, and a WebM that is broken.
 */
export async function refuseUnusable(path: string): Promise<void> {
  await using file = await open(path);
  const { size: end } = await file.stat();
  const head = Buffer.alloc(16);
  let at = 0;
  for (let boxes = 0; at + 8 <= end && boxes < MAX_BOXES; boxes++) {
    head.fill(0);
    await file.read(head, 0, 16, at);
    if (boxes === 0 && head.toString('latin1', 4, 8) !== 'ftyp') return refuseBroken(await file.readFile());
    const short = head.readUInt32BE(0);
    // 0 stands for the rest of the file, 1 for a length in eight bytes after the name.
    const length = short === 0 ? end - at : short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    const name = head.toString('latin1', 4, 8);
    if (length < 8 || !BOX.test(name)) return;
    if (name === 'moov' && length <= end - at) {
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, at);
      if (ENCRYPTED.every((box) => buffer.includes(box))) throw encrypted();
      if (countsMore(buffer, end)) throw cutOff();
    }
    at += length;
  }
  if (at > end) throw cutOff();
}

/** The tables of a film's index that count frames: how long an entry is, and where the number is in it. */
const COUNTS = { stts: [8, 0], ctts: [8, 0], stsc: [12, 4] } as const;

/** Whether a table counts more frames at once than there are bytes, which would be gone through one by one. */
function countsMore(index: Buffer, bytes: number): boolean {
  for (const [name, [size, inside]] of Object.entries(COUNTS))
    for (let at = index.indexOf(name); at >= 4; at = index.indexOf(name, at + 4)) {
      const end = Math.min(at - 4 + index.readUInt32BE(at - 4), index.length);
      for (let entry = at + 12; entry + size <= end; entry += size)
        if (index.readUInt32BE(entry + inside) > bytes) return true;
    }
  return false;
}

/** Formats that people have, by what a film calls them. */
const CODEC_NAMES: Record<string, string> = {
  mp4v: 'MPEG-4 Part 2',
  jpeg: 'Motion JPEG',
  mjpg: 'Motion JPEG',
  s263: 'H.263',
};

function refuseTooLarge(width: number, height: number) {
  if (width * height > LIMITS.videoPixels)
    throw new FileProblem(
      `This video is ${width} × ${height} pixels. Save it in 4K or less and choose it again.`,
    );
}

function bytesOf(data: AllowSharedBufferSource | undefined): Uint8Array | undefined {
  if (!ArrayBuffer.isView(data)) return data && new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** What is known of a film that can be used. */
export type Film = Awaited<ReturnType<typeof inspect>>;

/** Checks a film before more of it is decoded than its first frame. */
export async function inspect(input: Input) {
  const tracks = await input.getTracks();
  if (tracks.length > LIMITS.tracks)
    throw new FileProblem(`This video has ${tracks.length} tracks. Export it with one image and one sound.`);
  const video = await input.getPrimaryVideoTrack();
  if (!video && tracks.some((track) => track.isAudioTrack()))
    throw new FileProblem('This file has sound and no moving image. Choose a video.');
  if (!video) throw cutOff();
  if (!(await video.canDecode())) {
    const format = (await video.getCodecParameterString()) ?? (await video.getInternalCodecId());
    const name = CODEC_NAMES[String(format)] ?? `“${format}”`;
    throw new FileProblem(
      `The format of this video, ${name}, cannot be read. Save it as H.264 and choose it again.`,
    );
  }
  refuseTooLarge(await video.getCodedWidth(), await video.getCodedHeight());
  refuseTooLarge(await video.getDisplayWidth(), await video.getDisplayHeight());
  const audio = await input.getPrimaryAudioTrack();
  if (audio && !(await audio.canDecode()))
    throw new FileProblem(
      `The format of this video’s sound, “${(await audio.getCodec()) ?? (await audio.getInternalCodecId())}”, cannot be read. Save it with AAC sound, or without sound, and choose it again.`,
    );
  const duration = await video.computeDuration();
  if (!(duration > 0)) throw cutOff();
  const longest = Math.max(duration, (await audio?.computeDuration()) ?? 0);
  if (longest > LIMITS.videoSeconds)
    throw new FileProblem(
      `This video lasts ${Math.ceil(longest / 60)} minutes. Videos can last at most ${LIMITS.videoSeconds / 60}: shorten it and choose it again.`,
    );
  const { averagePacketRate } = await video.computePacketStats(500);
  if (averagePacketRate > LIMITS.framesPerSecond * 2)
    throw new FileProblem(
      `This video has ${Math.round(averagePacketRate)} images a second. Save it with at most ${LIMITS.framesPerSecond} and choose it again.`,
    );

  const config = await video.getDecoderConfig();
  if (!config) throw cutOff();
  const description = bytesOf(config.description);
  // The decoder needs a size for the shape of a pixel, and finds the true one in the frames.
  if (!(config.codedWidth && config.codedHeight)) Object.assign(config, { codedWidth: 2, codedHeight: 2 });
  if (config.displayAspectWidth === undefined)
    Object.assign(config, await shapeInFrames(video, config, description));
  using first = await new VideoSampleSink(video).getSample(await video.getFirstTimestamp());
  if (!first) throw cutOff();
  const { displayWidth: width, displayHeight: height, rotation, flip } = first;
  const coded = {
    codedWidth: first.codedWidth,
    codedHeight: first.codedHeight,
    displayAspectWidth: first.squarePixelWidth,
    displayAspectHeight: first.squarePixelHeight,
  };
  refuseTooLarge(coded.codedWidth, coded.codedHeight);
  refuseTooLarge(width, height);
  const colours = await coloursOf(video, first);
  return {
    video,
    audio,
    duration,
    config: { ...config, ...coded },
    description,
    width,
    height,
    rotation,
    flip,
    colours,
  };
}

const SAY_THEIR_SHAPE: Record<string, AVCodecID> = { avc: AV_CODEC_ID_H264, hevc: AV_CODEC_ID_HEVC };

/** What is said in frames of pixels that are not square, which players believe where the container is silent. */
async function shapeInFrames(
  video: InputVideoTrack,
  { codedWidth = 0, codedHeight = 0 }: VideoDecoderConfig,
  description: Uint8Array | undefined,
) {
  const codec = SAY_THEIR_SHAPE[(await video.getCodec()) ?? ''];
  const first = await new EncodedPacketSink(video).getFirstPacket();
  if (!codec || !first || !description) return {};
  using decoder = new CodecContext();
  decoder.allocContext3(Codec.findDecoder(codec));
  decoder.extraData = Buffer.from(description);
  FFmpegError.throwIfError(await decoder.open2());
  using packet = new Packet();
  packet.alloc();
  packet.data = Buffer.from(first.data);
  await decoder.sendPacket(packet);
  const { num, den } = decoder.sampleAspectRatio;
  return num > 0 && den > 0
    ? { displayAspectWidth: codedWidth * num, displayAspectHeight: codedHeight * den }
    : {};
}

/** The earliest of picture and sound that is shown. */
export async function startOf({ video, audio }: Film): Promise<number> {
  const [picture, sound] = [await video.getFirstTimestamp(), await audio?.getFirstTimestamp()];
  return Math.min(picture, sound ?? picture);
}
