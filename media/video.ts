import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { registerMediabunnyServer } from '@mediabunny/server';
import {
  Conversion,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  Quality,
  VideoSampleSink,
  WEBM,
} from 'mediabunny';
import { FileProblem } from './files/problem.ts';
import { lengthSize, pictureOnly, playsEverywhere } from './h264.ts';
import { writePoster } from './image.ts';
import type { JobResult } from './job.ts';
import { LIMITS } from './limits.ts';
import { SIZES } from './sniff.ts';
import { toneMapper } from './tone-map.ts';

// Strangers' films are decoded in this process alone: no driver of the machine is looked for.
registerMediabunnyServer({ hardwareContext: null });

const LONG_EDGE = 1920;
const SHORT_EDGE = 1080;

const read = (path: string) => new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, WEBM] });

/**
 * Makes an MP4 that every browser plays and a still of it. A film in that format keeps its picture, and the
 * side on which the camera was held, but moves into a new container like every other, without the metadata that
 * its camera wrote beside picture and sound.
 */
export async function makeVideo(path: string, folder: string): Promise<JobResult> {
  await refuseCutOff(path);
  const between = join(folder, 'between.mp4');
  const final = join(folder, 'video.mp4');
  if (!(await rewrapIfReady(path, final))) {
    await transcode(path, between);
    if (!(await rewrapIfReady(between, final))) throw new Error('its conversion is not what it should be');
  }
  await rm(between, { force: true });

  using output = read(final);
  const { video, duration, width, height } = await inspect(output);
  await takeStill(video, duration, join(folder, 'poster.webp'));
  return { files: ['video.mp4', 'poster.webp'], width, height, duration: Math.round(duration * 10) / 10 };
}

/** In seconds: by how much the padding of an encoder of sound may begin before the film, and a picture by rounding. */
const LONGEST_LEAD = { sound: 0.1, picture: 0.01 };
const cutOff = () => new FileProblem('This video is cut off or damaged. Copy it from the camera again.');
const MAX_BOXES = 10_000;
/** The boxes that a film is made of; what else follows the last one was added to it. */
const BOX = /^(?:ftyp|moov|mdat|moof|mfra|free|skip|wide|uuid|meta|udta|sidx|styp|pdin)$/;

/**
 * Refuses an MP4 whose last box is longer than the file: an index in front promises pictures that did not arrive. A
 * player would stop in the middle.
 */
async function refuseCutOff(path: string): Promise<void> {
  await using file = await open(path);
  const { size: end } = await file.stat();
  const head = Buffer.alloc(16);
  let at = 0;
  for (let boxes = 0; at + 8 <= end && boxes < MAX_BOXES; boxes++) {
    head.fill(0);
    await file.read(head, 0, 16, at);
    if (boxes === 0 && head.toString('latin1', 4, 8) !== 'ftyp') return;
    const short = head.readUInt32BE(0);
    // 0 stands for the rest of the file, 1 for a length in eight bytes after the name.
    const length = short === 0 ? end - at : short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (length < 8 || !BOX.test(head.toString('latin1', 4, 8))) return;
    at += length;
  }
  if (at > end) throw cutOff();
}

/** Formats that people have, by what a film calls them. */
const CODEC_NAMES: Record<string, string> = {
  mp4v: 'MPEG-4 Part 2',
  jpeg: 'Motion JPEG',
  mjpg: 'Motion JPEG',
  s263: 'H.263',
};

/** Checks a film before any of it is decoded. */
async function inspect(input: Input) {
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
  const [coded, width, height] = [
    (await video.getCodedWidth()) * (await video.getCodedHeight()),
    await video.getDisplayWidth(),
    await video.getDisplayHeight(),
  ];
  if (!(coded > 0)) throw new Error('its picture has no size');
  if (Math.max(coded, width * height) > LIMITS.videoPixels)
    throw new FileProblem(
      `This video is ${width} × ${height} pixels. Save it in 4K or less and choose it again.`,
    );
  const duration = await video.computeDuration();
  if (!(duration > 0)) throw cutOff();
  if (duration > LIMITS.videoSeconds)
    throw new FileProblem(
      `This video lasts ${Math.ceil(duration / 60)} minutes. Videos can last at most ${LIMITS.videoSeconds / 60}: shorten it and choose it again.`,
    );
  const { averagePacketRate } = await video.computePacketStats(500);
  if (averagePacketRate > LIMITS.framesPerSecond * 2)
    throw new FileProblem(
      `This video has ${Math.round(averagePacketRate)} images a second. Save it with at most ${LIMITS.framesPerSecond} and choose it again.`,
    );
  const audio = await input.getPrimaryAudioTrack();
  if (audio && !(await audio.canDecode()))
    throw new FileProblem(
      `The format of this video’s sound, “${(await audio.getCodec()) ?? (await audio.getInternalCodecId())}”, cannot be read. Save it with AAC sound, or without sound, and choose it again.`,
    );
  return { video, audio, duration, width, height };
}

/** @returns false when the film must be converted first */
async function rewrapIfReady(from: string, path: string): Promise<boolean> {
  using input = read(from);
  const { video, audio } = await inspect(input);
  if (!(await isReady(video, audio))) return false;
  await rewrap(video, audio, path);
  return true;
}

async function isReady(video: InputVideoTrack, audio: InputAudioTrack | null): Promise<boolean> {
  const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()];
  return (
    (await video.getCodec()) === 'avc' &&
    playsEverywhere(await video.getCodecParameterString()) &&
    (await video.getDecoderConfig())?.description !== undefined &&
    // Players turn a picture as its track says, but some do not mirror it.
    !(await video.getFlip()) &&
    !(await video.hasHighDynamicRange()) &&
    (await video.getCodedWidth()) >= (await video.getSquarePixelWidth()) &&
    // What was cut off the beginning is still in the file, and would be seen again.
    (await video.getFirstTimestamp()) > -LONGEST_LEAD.picture &&
    (audio === null || (await audio.getFirstTimestamp()) > -LONGEST_LEAD.sound) &&
    Math.max(width, height) <= LONG_EDGE &&
    Math.min(width, height) <= SHORT_EDGE &&
    (audio === null || ((await audio.getCodec()) === 'aac' && (await audio.getNumberOfChannels()) <= 2))
  );
}

async function transcode(from: string, path: string): Promise<void> {
  using input = read(from);
  const { video, duration } = await inspect(input);
  const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()];
  const scale = Math.min(1, LONG_EDGE / Math.max(width, height), SHORT_EDGE / Math.min(width, height));
  const even = (length: number) => Math.max(2, Math.round((length * scale) / 2) * 2);
  const { averagePacketRate } = await video.computePacketStats(120);
  // A tenth of a bit for each pixel looks good; the file must fit the storage limit.
  const targetBitrate = even(width) * even(height) * Math.min(averagePacketRate, 60) * 0.1;
  const bitrate = Math.round(
    Math.min(Math.max(targetBitrate, 300_000), (SIZES.video.bytes * 8) / duration - 160_000),
  );

  using colours = await toneMapper(video);
  const conversion = await Conversion.init({
    input,
    output: new Output({
      format: new Mp4OutputFormat({ fastStart: false }),
      target: new FilePathTarget(path),
    }),
    tracks: 'primary',
    tags: {},
    trim: { end: LIMITS.videoSeconds },
    video: {
      codec: 'avc',
      width: even(width),
      height: even(height),
      fit: 'fill',
      allowTransformationMetadata: false,
      forceTranscode: true,
      quality: new Quality({ bitrate: Math.max(bitrate, 100_000) }),
      hardwareAcceleration: 'prefer-software',
      ...(averagePacketRate > 60 && { frameRate: 60 }),
      ...(colours && { process: colours.map }),
    },
    audio: {
      codec: 'aac',
      numberOfChannels: 2,
      sampleRate: 48_000,
      forceTranscode: true,
      quality: new Quality({ bitrate: 128_000 }),
    },
    showWarnings: false,
  });
  if (!conversion.isValid)
    throw new Error(
      `it cannot be converted: ${conversion.discardedTracks.map((track) => track.reason).join(', ')}`,
    );
  await conversion.execute();
}

/** Copies only picture and sound into a new file whose index comes first. */
async function rewrap(video: InputVideoTrack, audio: InputAudioTrack | null, path: string): Promise<void> {
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'in-memory' }),
    target: new FilePathTarget(path),
  });
  const picture = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(picture, { rotation: await video.getRotation() });
  const sound = audio && new EncodedAudioPacketSource('aac');
  if (sound) output.addAudioTrack(sound);
  await output.start();

  const config = await video.getDecoderConfig();
  const description = config?.description;
  if (!config || !description) throw new Error('it does not say how its picture is coded');
  const size = lengthSize(
    ArrayBuffer.isView(description)
      ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
      : new Uint8Array(description),
  );
  const start = Math.min(
    await video.getFirstTimestamp(),
    audio ? await audio.getFirstTimestamp() : Number.POSITIVE_INFINITY,
  );
  // Sound may begin a moment before the picture, as encoders' padding does; time itself must not.
  const shift = start < 0 ? -start : 0;

  const copyPicture = async () => {
    for await (const packet of new EncodedPacketSink(video).packets()) {
      const data = pictureOnly(packet.data, size);
      if (data.length > 0)
        await picture.add(packet.clone({ data, timestamp: packet.timestamp + shift }), {
          decoderConfig: config,
        });
    }
    picture.close();
  };
  const copySound = async () => {
    if (!audio || !sound) return;
    const soundConfig = await audio.getDecoderConfig();
    if (!soundConfig) throw new Error('it does not say how its sound is coded');
    for await (const packet of new EncodedPacketSink(audio).packets()) {
      await sound.add(packet.clone({ timestamp: packet.timestamp + shift }), { decoderConfig: soundConfig });
    }
    sound.close();
  };
  await Promise.all([copyPicture(), copySound()]);
  await output.finalize();
}

async function takeStill(video: InputVideoTrack, duration: number, path: string): Promise<void> {
  const start = await video.getFirstTimestamp();
  const sample = await new VideoSampleSink(video).getSample(start + Math.min(1, duration / 3));
  if (!sample) throw new Error('no frame of it can be shown');
  try {
    const pixels = new Uint8Array(sample.allocationSize({ format: 'RGBA' }));
    await sample.copyTo(pixels, { format: 'RGBA' });
    const shown = { width: await video.getDisplayWidth(), height: await video.getDisplayHeight() };
    await writePoster(pixels, sample.codedWidth, sample.codedHeight, await video.getRotation(), shown, path);
  } finally {
    sample.close();
  }
}
